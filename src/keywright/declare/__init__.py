"""Declarations that belong to no engine: facts, conditions, patterns and stores."""
