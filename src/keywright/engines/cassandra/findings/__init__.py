"""Facts about Cassandra stores that rules share."""
