"""Access patterns in Cassandra: paths, native queries, costs, fixes and evidence."""
