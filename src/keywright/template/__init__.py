"""The small project of `keywright init`; its files are data and never imported."""
