"""Proofs: every pattern called on a real server, its answer compared with Python's, its evidence with the plan."""
