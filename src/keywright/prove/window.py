"""Which items a path reaches at all: a pattern that reads the newest first, bucket by bucket, reaches the last ones."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from keywright.access.fill import Slot
from keywright.runtime.fill import forms_back, writer

from .values import Read


def reached(call: object, read: Read) -> Callable[[Any], bool]:
    """Whether an instance is in one of the buckets that a path asks, by what its call holds."""
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
    """Every slot that a call holds, however deep."""
    if isinstance(value, Slot):
        yield value
    elif isinstance(value, tuple):
        for inner in value:
            yield from _slots(inner)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _slots(getattr(value, field.name))
