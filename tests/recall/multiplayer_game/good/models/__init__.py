"""Data models of the game's services."""
