"""Planning a migration: its steps and their order."""
