"""One folder per engine, with the same file names in each, and what all of them share."""
