"""Everything that is true of Redis only."""
