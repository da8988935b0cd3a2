"""Monitoring of Redis: alerts, alarms, parameter groups."""
