"""The Redis and Valkey driver."""
