"""Backfills: workers, segments, item transforms and checks."""
