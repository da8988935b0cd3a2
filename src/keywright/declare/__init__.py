"""What users write that belongs to no engine: facts, conditions, patterns and stores."""
