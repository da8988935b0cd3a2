"""Data models of the exchange."""
