"""Migrations: runs each step of a store exactly once, even after interruptions."""
