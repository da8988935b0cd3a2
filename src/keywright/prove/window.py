"""Items that a path can reach: a pattern that reads buckets from the newest reaches only the latest buckets."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from keywright.access.fill import Slot
from keywright.record import Record, fields
from keywright.runtime.items.fill import forms_back, writer

from .values import ReadValues


def reached(call: object, read: ReadValues) -> Callable[[Any], bool]:
    """A function that tests whether an instance is in one of the buckets that a call reads."""
    recent = [slot for slot in _slots(call) if slot.kind == "recent"]
    windows = [(slot.placeholder, set(_last(slot))) for slot in recent]

    def is_reached(instance: Any) -> bool:
        return all(
            writer(placeholder)(read(instance, placeholder.path)[0]) in window for placeholder, window in windows
        )

    return is_reached


def _last(slot: Slot) -> Iterator[str]:
    return islice(forms_back(datetime.now(UTC), writer(slot.placeholder)), slot.count or 1)


def _slots(value: object) -> Iterator[Slot]:
    """All slots of a call, at any depth."""
    if isinstance(value, Slot):
        yield value
    elif isinstance(value, tuple):
        for inner in value:
            yield from _slots(inner)
    elif isinstance(value, Record):
        for field in fields(value):
            yield from _slots(getattr(value, field.name))
