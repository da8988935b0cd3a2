"""Access paths: the keys and structures of MongoDB that serve a pattern."""
