"""Migrations of Redis: differences, steps, transforms."""
