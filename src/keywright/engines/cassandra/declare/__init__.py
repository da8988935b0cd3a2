"""Options of Cassandra in models, and its settings in environments."""
