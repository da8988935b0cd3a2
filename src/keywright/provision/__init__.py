"""Targets as Pulumi resources: the only part that imports Pulumi."""
