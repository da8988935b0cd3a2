"""Access paths: keys and structures of DynamoDB that serve a pattern."""
