"""Monitoring of MongoDB: alerts, alarms, parameter groups."""
