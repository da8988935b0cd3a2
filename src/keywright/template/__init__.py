"""The small project that `keywright init` writes; its files are data, never imported."""
