"""Streams of changes with their entities, for rules of every engine."""

from collections.abc import Iterator
from typing import Any

from keywright.declare.stream import Stream
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.record import Record


class StoreStream(Record, eq=False):
    """The stream of one store."""

    subject: str
    """Name of the store in findings."""
    engine: str
    """Engine of the store."""
    stream: Stream
    """The declaration."""
    bindings: tuple[Binding[Any], ...]
    """The entities whose changes it contains."""


def streams(design: Design[Any, Any]) -> Iterator[StoreStream]:
    """Every stream: of a physical store with all its entities, or of a single entity."""
    for physical in design.physicals:
        stream = getattr(physical.spec, "stream", None)
        if isinstance(stream, Stream):
            yield StoreStream(physical.name, physical.engine, stream, design.bindings_in(physical))
    for binding in design.bindings:
        stream = getattr(binding.spec, "stream", None)
        if isinstance(stream, Stream):
            yield StoreStream(binding.name, binding.engine, stream, (binding,))
