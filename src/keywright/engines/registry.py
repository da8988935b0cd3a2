"""Every engine, in the order in which reports show them; each is imported when it is first needed."""

from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from .interface import Engine

NAMES = ("dynamodb", "mongodb", "cassandra", "redis")
"""Their names; a new engine is a word here and a folder of that name."""


@cache
def engine_named(name: str) -> Engine[Any, Any]:
    """The engine of that name."""
    found: Engine[Any, Any] = import_module(f".{name}.engine", __package__).ENGINE
    return found


def engine_of(store: str) -> Engine[Any, Any]:
    """The engine of a store, such as `mongodb/content`."""
    return engine_named(store.partition("/")[0])


class _Engines(Collection[Engine[Any, Any]]):
    def __iter__(self) -> Iterator[Engine[Any, Any]]:
        return map(engine_named, NAMES)

    def __len__(self) -> int:
        return len(NAMES)

    def __contains__(self, engine: object) -> bool:
        return any(engine is one for one in self)


ENGINES: Collection[Engine[Any, Any]] = _Engines()
"""All engines; to go through them imports them all."""
