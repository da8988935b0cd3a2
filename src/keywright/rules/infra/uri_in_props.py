"""INF615: the address of a store, with a password, is an input of a resource."""

import re
from collections.abc import Iterator
from typing import Any

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

_URI = re.compile(r"(mongodb(?:\+srv)?|rediss?|valkeys?|cassandra)://[^/\s@]*:[^/\s@]+@")


def resource(one: Resource) -> Iterator[Flaw]:
    """Every such text in a resource of keywright's provider or of a dynamic one."""
    if one.type.startswith(("keywright:", "pulumi-python:dynamic")):
        for path, text in _texts(dict(one.inputs), ""):
            if found := _URI.search(text):
                yield Flaw(
                    problem=f"{path} holds an address of {found[1]} with its password, which stays in the state",
                    help="put it into the configuration: pulumi config set --secret keywright:...Uri",
                    subject=one.urn,
                )


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    match value:
        case str():
            yield path, value
        case dict() | list():
            rows = value.items() if isinstance(value, dict) else enumerate(value)
            for key, one in rows:
                yield from _texts(one, f"{path}.{key}" if path else str(key))
