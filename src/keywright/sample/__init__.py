"""Sample data for a design: seeded, bounded and streamed."""
