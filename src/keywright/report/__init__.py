"""Reports as text and JSON."""
