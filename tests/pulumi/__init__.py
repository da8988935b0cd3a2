"""Stacks: by mocks, and by the real command line where it is found."""
