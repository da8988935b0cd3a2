"""Rules of Cassandra: a file each, named as the rule."""
