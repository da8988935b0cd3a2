"""Stores of Stagedoor, one file for each team."""
