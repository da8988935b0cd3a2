"""Access paths: which keys and structures of Redis serve a pattern."""
