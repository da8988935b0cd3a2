"""Reads existing servers in: from keys and settings, or a configuration file, to declarations."""
