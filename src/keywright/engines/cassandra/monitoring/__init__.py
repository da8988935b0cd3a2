"""Monitoring of Cassandra: alerts and alarms."""
