"""Edits of model files: applies fixes so that a formatter leaves the result unchanged."""
