"""Everything that is true of Cassandra only."""
