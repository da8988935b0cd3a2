"""Times in keys, by type, filter, regular expression or name: only the keys of the present receive writes."""

import re

from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve
from keywright.ir.template import TIME_WIDTHS, Placeholder, Template
from keywright.record import replace

from ..access.layout import Layout
from ..access.memory import keys_of

_TIMES = ("datetime", "date", "time")
_PERIODS = frozenset(
    ("second", "minute", "hour", "day", "date", "week", "month", "quarter", "season", "year", "window", "period")
)
"""Last words in the name of a field with a period, or with its number."""
_SAMPLES = ("2026-11-23", "2026-11", "2026-W47", "2026-11-23T15", "2026-11-23T15:30", "20261123T1530")


def is_time(layout: Layout, path: str) -> bool:
    """Whether a field is a time by its type."""
    attributes = resolve(layout.attributes, path)
    kind = attributes[-1].type if attributes else None
    return isinstance(kind, Scalar) and kind.kind in _TIMES


def is_period(layout: Layout, placeholder: Placeholder) -> bool:
    """Whether a placeholder is a time or a period, such as a day as text."""
    if is_time(layout, placeholder.path) or any(filter.name in TIME_WIDTHS for filter in placeholder.filters):
        return True
    attributes = resolve(layout.attributes, placeholder.path)
    kind = attributes[-1].type if attributes else None
    if not isinstance(kind, Scalar) or kind.constants:
        return False
    is_named = placeholder.path.lower().rpartition("_")[2] in _PERIODS
    return (is_named and kind.kind in ("string", "integer")) or _is_date(kind.pattern)


def has_period(layout: Layout) -> bool:
    """Whether the key contains a time or a period, so that writes to it end."""
    return any(is_period(layout, placeholder) for placeholder in placeholders(layout))


def placeholders(layout: Layout) -> tuple[Placeholder, ...]:
    """The placeholders of the key, with those of computed fields in their place."""
    computed = dict(layout.computed)
    return tuple(
        part
        for placeholder in layout.key.placeholders
        for part in (computed[placeholder.path].placeholders if placeholder.path in computed else (placeholder,))
    )


def keys_at_once(layout: Layout) -> float | None:
    """Number of keys that receive writes at the same time: those of the present period; None if unknown."""
    present = tuple(part for part in layout.key.parts if isinstance(part, str) or not is_period(layout, part))
    return keys_of(replace(layout, key=Template(layout.key.text, present)))


def _is_date(pattern: str | None) -> bool:
    """Whether a regular expression accepts a date with its signs, and no other text with the same signs."""
    if pattern is None:
        return False
    try:
        accepts = re.compile(pattern)
    except re.error:
        return False
    return any(accepts.fullmatch(sample) and not accepts.fullmatch(_letters(sample)) for sample in _SAMPLES)


def _letters(sample: str) -> str:
    return re.sub(r"[0-9]", "x", sample)
