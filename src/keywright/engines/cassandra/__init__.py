"""Cassandra as an engine: everything that only Cassandra needs."""
