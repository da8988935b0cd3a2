"""Data models of the electricity market."""
