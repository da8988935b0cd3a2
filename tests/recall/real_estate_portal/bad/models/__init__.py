"""Hearthline's stores: one file for each team's area."""
