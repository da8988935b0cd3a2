"""Running migrations: steps, gates, records, recovery."""
