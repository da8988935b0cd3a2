"""The client that `runtime.open` takes."""

from keywright.runtime.validate.clients import ExpectedClient

CLIENT = ExpectedClient("a keywright_toy.shelf.Shelf")
"""A file with boxes."""
