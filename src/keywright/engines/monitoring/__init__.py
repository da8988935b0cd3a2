"""Alarms of CloudWatch and alerts of Prometheus as plain data, the same for every engine."""
