"""The worked example: one file per bounded context."""
