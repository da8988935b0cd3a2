"""The schema of Cassandra: lowering, placing, rendering and describing targets."""
