"""The Pulumi provider of collections, keyspaces, tables and server settings; its plugin folder calls `serve`."""

__all__ = ["serve"]


def serve() -> None:
    """Serve Pulumi's engine, whose address is the last argument, until it ends the process."""
    from .server import serve as serve_engine  # a slow import that readers of `wire` do not need

    serve_engine()
