"""Findings about migrations for every engine: a module for each family of codes."""
