"""Costs of calls: read and write units, item sizes."""
