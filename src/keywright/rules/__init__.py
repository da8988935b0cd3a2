"""Rules: hazards with their codes, who judges a migration by them, and what was accepted for a reason."""
