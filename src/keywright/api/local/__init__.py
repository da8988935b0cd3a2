"""The local servers of a project: schema, sample data."""
