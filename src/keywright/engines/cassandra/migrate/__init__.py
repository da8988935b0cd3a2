"""Migrations of Cassandra: differences, steps, transforms."""
