"""Everything that is true of MongoDB only."""
