"""Checks of declarations, and the wording of their errors."""
