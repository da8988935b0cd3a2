"""The models of the carrier."""
