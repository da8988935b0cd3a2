"""The schema of Redis: lowering, placing, rendering and describing targets."""
