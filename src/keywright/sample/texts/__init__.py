"""Generated texts: by pattern, name and size."""
