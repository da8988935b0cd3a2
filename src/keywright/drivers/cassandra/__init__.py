"""The driver of Cassandra."""
