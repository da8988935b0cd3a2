"""Data models of the marketplace."""
