"""The migrations folder."""
