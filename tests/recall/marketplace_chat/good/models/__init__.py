"""Chat of the marketplace: one file for each subject."""
