"""MongoDB's access plans: paths, native queries, costs, fixes and evidence."""
