"""A project's settings, its environments and its cache."""
