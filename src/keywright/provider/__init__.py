"""The Pulumi provider of collections, keyspaces, tables and server settings: `serve` is what its folder calls."""

__all__ = ["serve"]


def serve() -> None:
    """Serve the engine whose address is the last argument, until it ends the process."""
    from .server import serve as started  # not wanted by who only reads what is sent

    started()
