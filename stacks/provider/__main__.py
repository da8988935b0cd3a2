"""Starts keywright's provider; Pulumi.yaml names this folder."""

from keywright.provider import serve

serve()
