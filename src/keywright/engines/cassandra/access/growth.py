"""Estimates the rows of a partition from the rates of writes, the times in its key and the lifetime of rows."""

import re
from collections.abc import Iterator
from math import inf, prod

from keywright.access.selectivity import bounded
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Placeholder

from ..declare.options import CqlTable
from .layout import Layout
from .relation import RelationColumn
from .size import part_bytes, row_band

LONGEST = {"hour": 3_600, "date": 86_400, "week": 604_800, "month": 2_678_400}
"""Most seconds in a time bucket, by its form, the shortest first."""

YEAR = 365 * 86_400
"""Seconds in a year."""

_NAMED = {
    "minute": 60, "hour": 3_600, "yyyymmddhh": 3_600, "day": 86_400, "date": 86_400, "yyyymmdd": 86_400,
    "week": 604_800, "month": 2_678_400, "yyyymm": 2_678_400, "quarter": 92 * 86_400, "year": 366 * 86_400,
}  # fmt: skip
"""Most seconds in a time bucket that the application computes, by the last word of its field."""

_PATTERNS = {
    r"\d{4}": "year", r"\d{4}-\d{2}": "month", r"\d{4}-\d{2}-\d{2}": "day", r"\d{4}-W\d{2}": "week",
    r"\d{4}-\d{2}-\d{2}T\d{2}": "hour",
}  # fmt: skip
"""The name of a time bucket by the pattern of its text."""

_OPTION = re.compile(r"[-_#:]?(?:\[[^\]]*\]|\([^)\\]*\))?")
"""A pattern of one letter or one of several words."""

_UNNAMED = frozenset(("bucket", "period", "window"))
"""Last words of fields that are buckets of a length that another word or the pattern of the text has."""

_NEW_ROWS = frozenset(("event", "reading", "feed"))
"""Kinds of entities of which each put is a new row, whatever orders the rows."""

_BUCKETS = frozenset((
    "bucket", "hour", "day", "date", "week", "month", "quarter", "year", "period", "window", "shard",
    "yyyymmdd", "yyyymm", "yyyymmddhh",
))  # fmt: skip
"""Words in the names of fields that divide a series into buckets."""


def moment(layout: Layout) -> RelationColumn | None:
    """The clustering column that contains the time of a row; None if there is none."""
    return next((part for part in layout.table.clustering if _has_instant(part)), None)


def is_moment(part: RelationColumn) -> bool:
    """Whether a column is ordered by a moment, so that each write creates a row."""
    if part.template is not None and part.template.lone is None:
        return any(map(_is_instant, part.template.placeholders[:1]))
    kind = part.cell.type
    return part.cell.native in ("timestamp", "timeuuid") or (isinstance(kind, Scalar) and kind.kind == "datetime")


def bucket_seconds(layout: Layout) -> int | None:
    """Most seconds in which a partition receives rows; None if its key contains no time bucket."""
    seconds = [LONGEST["date"] for part in layout.table.partition if part.cell.native == "date"]
    for part in layout.table.partition:
        seconds += [named for named in (named_seconds(layout, part),) if named is not None]
        seconds += [LONGEST[form] for placeholder in _placeholders(part) if (form := _form(placeholder)) is not None]
    return min(seconds, default=None)


def is_cut(layout: Layout) -> bool:
    """Whether the partition key contains a bucket, by its form or by the name of its field."""
    if bucket_seconds(layout) is not None or any(map(is_moment, layout.table.partition)):
        return True
    fields = {placeholder.path for part in layout.table.partition for placeholder in _placeholders(part)}
    fields |= {part.cell.field for part in layout.table.partition}
    return any(not _BUCKETS.isdisjoint(field.lower().replace(".", "_").split("_")) for field in fields)


def partitions(layout: Layout) -> float | None:
    """Partitions that receive rows at the same time; None if the number of values of a key part is unknown."""
    counts = [count for part in layout.table.partition for count in _counts(layout, part)]
    return None if None in counts else prod(count for count in counts if count is not None)


def rows(layout: Layout, binding: Binding[CqlTable], written: float | None, horizon: float) -> float | None:
    """Rows of an average partition; None if unknown.

    written: rows per second of the table. horizon: seconds to count in a partition that never stops growing.
    """
    if not layout.table.clustering:
        return 1
    groups, bucket = partitions(layout), bucket_seconds(layout)
    expected = binding.spec.expected
    if expected is not None and bucket is None and groups is not None:
        return float(max(1, expected / groups))
    if not creates_rows(layout, binding.spec.kind):
        return None  # a write may replace an existing row
    lifetimes = [seconds for seconds in (bucket, ttl_seconds(layout)) if seconds is not None]
    if bucket is None and groups is None:
        return referrers(layout)
    if written is None or groups is None or (not lifetimes and (layout.ttl is not None or layout.has_lifetimes)):
        return None
    return written / groups * min(lifetimes, default=horizon)


def referrers(layout: Layout) -> float | None:
    """Most rows of a partition that refers to one item, as `kw.Ref` declares it; None if it is not declared."""
    if len(layout.table.partition) != 1:
        return None
    kind = layout.table.partition[0].cell.type
    reference = kind.facts.reference if kind is not None else None
    return reference.max_referrers if reference is not None else None


def creates_rows(layout: Layout, kind: str) -> bool:
    """Whether each put is a new row: the entity is an event or the like, or its rows are ordered by a moment."""
    return kind in _NEW_ROWS or any(map(_has_instant, layout.table.clustering))


def tombstones(layout: Layout, deleted: float | None) -> float | None:
    """Tombstones in an average partition, at most one for each possible key; None if unknown.

    deleted: rows of the table that are deleted per second.
    """
    groups, bucket = partitions(layout), bucket_seconds(layout)
    grace = layout.options.get("gc_grace_seconds")
    if deleted is None or groups is None or not isinstance(grace, int):
        return None
    counts = [count for part in layout.table.clustering for count in _counts(layout, part)]
    keys = inf if None in counts or moment(layout) else prod(count for count in counts if count is not None)
    return min(deleted / groups * min(grace, bucket or grace), keys)


def fitting(layout: Layout, written: float | None, most: float) -> str | None:
    """The longest form of time whose buckets contain at most this many rows; None if there is none or it is unknown.

    written: rows per second of the table.
    """
    groups = partitions(layout)
    if not written or not groups:
        return None
    return next((form for form, seconds in reversed(LONGEST.items()) if written / groups * seconds <= most), None)


def time_path(layout: Layout) -> str:
    """The field with the time of a row in the clustering columns; empty if there is none."""
    part = moment(layout)
    if part is None:
        return ""
    placeholders = sorted(_placeholders(part), key=_is_instant, reverse=True)
    return placeholders[0].path if placeholders else part.cell.field


def typical_row(layout: Layout, entity: str) -> float:
    """Bytes of an average row. Values without a declared length count with their smallest size."""
    row = row_band(layout, entity)
    if row.expected is not None:
        return row.expected
    parts = (part_bytes(layout, part, entity) for part in layout.parts.values() if part.name not in layout.statics)
    return row.low + sum(band.expected - band.low for band in parts if band.expected is not None)


def ttl_seconds(layout: Layout) -> int | None:
    """Time to live of the table; None for no expiry, or if each row has its own."""
    default_time_to_live = layout.options.get("default_time_to_live")
    return default_time_to_live if isinstance(default_time_to_live, int) and default_time_to_live else None


def _has_instant(part: RelationColumn) -> bool:
    """Whether a column contains a moment at any place, such as behind a type."""
    return is_moment(part) or any(map(_is_instant, _placeholders(part)))


def _is_instant(placeholder: Placeholder) -> bool:
    return any(filter_.name == "iso" for filter_ in placeholder.filters)


def named_seconds(layout: Layout, part: RelationColumn) -> int | None:
    """Seconds of a bucket that the application computes; None if the number of its values is declared instead."""
    kind = part.cell.type
    if part.template is not None or not isinstance(kind, Scalar) or _distinct(layout, part.cell.field) is not None:
        return None
    if kind.kind not in ("string", "integer", "date", "datetime"):
        return None
    *others, word = part.cell.field.lower().replace(".", "_").split("_")
    text = (kind.pattern or "").strip("^$").replace("[0-9]", r"\d")
    if word in _UNNAMED:
        word = next((other for other in others if other in _NAMED), _PATTERNS.get(text, ""))
    return _NAMED.get(word) or _NAMED.get(_bucket(text))


def _bucket(text: str) -> str:
    """The name of the time bucket that a text begins with, such as a date before the letter of a shift; empty if it is
    none, or a number of unlimited size follows.
    """
    dated = max((pattern for pattern in _PATTERNS if "-" in pattern and text.startswith(pattern)), key=len, default="")
    return _PATTERNS[dated] if dated and _OPTION.fullmatch(text.removeprefix(dated)) else ""


def _placeholders(part: RelationColumn) -> Iterator[Placeholder]:
    yield from part.template.placeholders if part.template else ()


def _form(placeholder: Placeholder) -> str | None:
    return next((filter_.name for filter_ in placeholder.filters if filter_.name in LONGEST), None)


def _counts(layout: Layout, part: RelationColumn) -> Iterator[float | None]:
    """Numbers of values of the fields in a key column, without times."""
    if part.template is None:
        if part.cell.native != "date" and named_seconds(layout, part) is None:
            yield value_count(layout, part.cell.field)
        return
    for placeholder in _placeholders(part):
        if placeholder.shards is not None:
            yield placeholder.shards
        elif _form(placeholder) is None:
            yield value_count(layout, placeholder.path)


def value_count(layout: Layout, path: str) -> float | None:
    """Number of values of a field, as declared or by its bounds; None if unknown."""
    count, attributes = _distinct(layout, path), resolve(layout.attributes, path)
    return bounded(attributes[-1].type) if count is None and attributes else count


def _distinct(layout: Layout, path: str) -> float | None:
    """Number of values of a field; None if unknown."""
    attributes = resolve(layout.attributes, path)
    kind = attributes[-1].type if attributes else None
    if not isinstance(kind, Scalar):
        return None
    if kind.constants:
        return len(kind.constants)
    return 2 if kind.kind == "boolean" else kind.facts.distinct
