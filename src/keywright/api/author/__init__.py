"""Writing migrations: the difference between models and the last migration, lint, rebase, test cases."""
