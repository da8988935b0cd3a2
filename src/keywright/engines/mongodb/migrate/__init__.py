"""Migrations of MongoDB: differences, steps, transforms."""
