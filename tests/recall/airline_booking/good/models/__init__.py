"""Data models of the booking platform."""
