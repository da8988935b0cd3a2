"""Playback analytics: one file for each subject."""
