"""The Pulumi provider of collections, keyspaces, tables and server settings: `serve` is what its folder calls."""

from .server import serve

__all__ = ["serve"]
