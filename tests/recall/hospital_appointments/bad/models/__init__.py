"""Bookings of a network of hospitals."""
