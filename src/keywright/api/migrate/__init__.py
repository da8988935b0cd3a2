"""Applying migrations to the stores of an environment: plan, apply, status, recovery."""
