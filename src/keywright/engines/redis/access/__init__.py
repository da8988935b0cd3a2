"""Access to Redis: paths of patterns, their native queries, costs, fixes and evidence."""
