"""Declarations for MongoDB: model options and environment settings."""
