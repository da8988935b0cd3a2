"""Facts about MongoDB stores that rules share."""
