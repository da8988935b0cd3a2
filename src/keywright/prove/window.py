"""Items that a path can reach: not those of earlier buckets than the read ones, nor entries that wait."""

from collections.abc import Callable, Iterator, Sequence
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

    due = getattr(getattr(call, "structure", None), "due", None)

    def is_reached(instance: Any) -> bool:
        if due and not are_due(read(instance, due)):
            return False
        return all(
            writer(placeholder)(read(instance, placeholder.path)[0]) in window for placeholder, window in windows
        )

    return is_reached


def are_due(moments: Sequence[datetime | None]) -> bool:
    """Whether an entry that waits until a time, if it has one, is appended by now."""
    times = (moment if moment.tzinfo else moment.replace(tzinfo=UTC) for moment in moments if moment is not None)
    return all(moment <= datetime.now(UTC) for moment in times)


def _last(slot: Slot) -> Iterator[str]:
    return islice(forms_back(datetime.now(UTC), writer(slot.placeholder), slot.placeholder), slot.count or 1)


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
