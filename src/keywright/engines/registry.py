"""Every engine, in the order in which reports show them; each is imported when it is first needed."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, overload

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


class _Engines(Sequence[Engine[Any, Any]]):
    def __len__(self) -> int:
        return len(NAMES)

    @overload
    def __getitem__(self, at: int) -> Engine[Any, Any]: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Engine[Any, Any], ...]: ...

    def __getitem__(self, at: int | slice) -> Engine[Any, Any] | tuple[Engine[Any, Any], ...]:
        return engine_named(NAMES[at]) if isinstance(at, int) else tuple(map(engine_named, NAMES[at]))


ENGINES: Sequence[Engine[Any, Any]] = _Engines()
"""All engines; to go through them imports them all."""
