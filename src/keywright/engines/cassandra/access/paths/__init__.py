"""Access paths: the keys and structures of Cassandra that serve a pattern."""
