"""Reads existing databases in: from a live server to declarations."""
