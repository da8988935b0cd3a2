"""INF614: the class of a dynamic provider is kept in the state by value, since it stands in the program itself."""

import base64
import binascii
from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

DYNAMIC = "pulumi-python:dynamic"


def resource(one: Resource) -> Iterator[Flaw]:
    """Every dynamic resource whose provider is no reference to a module."""
    if not one.type.startswith(DYNAMIC):
        return
    told = one.value("__provider")
    if isinstance(told, str) and b"__main__" in _decoded(told):
        yield Flaw(
            problem="its provider stands in __main__ and is kept in the state as code, which old deletes run",
            help="put the class into a module of an installed package: the state then holds its name alone",
            subject=one.urn,
        )


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text.encode()
