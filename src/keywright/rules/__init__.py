"""Rules: their catalogues, the runs over projects, migrations and programs, and suppressions."""
