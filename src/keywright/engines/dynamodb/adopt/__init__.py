"""Reads existing tables in: from a live store or from schema files to declarations."""
