"""What the library stores."""
