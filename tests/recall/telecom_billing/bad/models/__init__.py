"""The data models of the operator."""
