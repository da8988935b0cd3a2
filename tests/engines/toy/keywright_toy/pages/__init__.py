"""A page for each code of the rules."""
