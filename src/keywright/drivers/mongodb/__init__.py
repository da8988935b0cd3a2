"""The MongoDB driver."""
