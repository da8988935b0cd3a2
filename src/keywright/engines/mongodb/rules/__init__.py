"""Rules for MongoDB: one file per rule, named after the rule."""
