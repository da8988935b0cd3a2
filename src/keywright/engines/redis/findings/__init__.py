"""Facts about Redis stores that rules share."""
