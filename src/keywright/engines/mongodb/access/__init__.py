"""How MongoDB serves patterns: paths, their native queries, costs, fixes and evidence."""
