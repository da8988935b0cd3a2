"""Declarations for Redis: model options and environment settings."""
