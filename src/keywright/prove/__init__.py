"""Runs every pattern on a real server, compares the answer with what Python computes, and judges the evidence."""
