"""Rules of Cassandra, one file per rule, with the name of the rule."""
