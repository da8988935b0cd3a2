"""Data models of the fleet platform."""
