"""The stored models of the library."""
