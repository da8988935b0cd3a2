"""Pulumi as the command line runs it: previews, the guard, delegated steps, imports."""
