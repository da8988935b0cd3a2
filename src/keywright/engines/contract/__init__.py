"""Types and functions that all engines share."""
