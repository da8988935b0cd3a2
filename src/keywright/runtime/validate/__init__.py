"""Validation of the arguments of calls and of stored values."""
