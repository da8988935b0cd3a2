"""Rules about boxes, one module per rule."""
