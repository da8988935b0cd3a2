"""Claims of an insurer: one file for each subject."""
