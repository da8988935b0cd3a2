"""Paired benchmarks against named peers: only the ratios count, since machines differ."""
