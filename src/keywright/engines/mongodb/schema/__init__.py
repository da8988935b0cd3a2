"""The schema of MongoDB: lowering, placing, rendering and describing targets."""
