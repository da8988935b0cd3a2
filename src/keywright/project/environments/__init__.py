"""Environments: stack files and their typed settings."""
