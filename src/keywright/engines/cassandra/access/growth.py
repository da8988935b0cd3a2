"""How many rows a partition comes to hold: by the rates of writes, the times in its key and how long rows are kept."""

from collections.abc import Iterator
from math import prod

from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Placeholder

from .layout import Layout
from .relation import Part
from .size import part_bytes, row_band

LONGEST = {"hour": 3_600, "date": 86_400, "week": 604_800, "month": 2_678_400}
"""Seconds that a bucket of time covers at the most, by the form of time that makes it, the shortest first."""

YEAR = 365 * 86_400
"""Seconds of a year."""

_BUCKETS = frozenset((
    "bucket", "hour", "day", "date", "week", "month", "quarter", "year", "period", "window", "shard",
    "yyyymmdd", "yyyymm", "yyyymmddhh",
))  # fmt: skip
"""Words that fields are called by whose values cut a series into pieces."""


def moment(known: Layout) -> Part | None:
    """The clustering column by whose time rows are kept in order, if there is one."""
    return next((part for part in known.table.clustering if is_moment(part)), None)


def is_moment(part: Part) -> bool:
    """Whether a column holds a moment, so that each write makes a row of its own."""
    if part.template is not None and part.template.lone is None:
        first = part.template.placeholders[:1]
        return any(one.name == "iso" for placeholder in first for one in placeholder.filters)
    kind = part.cell.type
    return part.cell.native in ("timestamp", "timeuuid") or (isinstance(kind, Scalar) and kind.kind == "datetime")


def bucket_seconds(known: Layout) -> int | None:
    """How long a partition takes rows at the most; None where nothing in its key says that."""
    found = [LONGEST["date"] for part in known.table.partition if part.cell.native == "date"]
    for part in known.table.partition:
        found += [LONGEST[form] for one in _placeholders(part) if (form := _form(one)) is not None]
    return min(found, default=None)


def is_cut(known: Layout) -> bool:
    """Whether the partition key holds a bucket, as one is written or as people call one."""
    if bucket_seconds(known) is not None or any(map(is_moment, known.table.partition)):
        return True
    fields = {one.path for part in known.table.partition for one in _placeholders(part)}
    fields |= {part.cell.field for part in known.table.partition}
    return any(not _BUCKETS.isdisjoint(field.lower().replace(".", "_").split("_")) for field in fields)


def partitions(known: Layout) -> float | None:
    """Partitions that take rows at one time; None where the number of values of a part of the key is not known."""
    counts = [count for part in known.table.partition for count in _counts(known, part)]
    return None if None in counts else prod(count for count in counts if count is not None)


def rows(known: Layout, binding: Binding, written: float | None, horizon: float) -> float | None:
    """Rows of a partition, of an average one; None where it is not known.

    written: rows per second, of the table. horizon: seconds for which a partition without end is looked at.
    """
    if not known.table.clustering:
        return 1
    groups, bucket = partitions(known), bucket_seconds(known)
    expected = getattr(binding.spec, "expected", None)
    if expected is not None and bucket is None and groups is not None:
        return float(max(1, expected / groups))
    if moment(known) is None:
        return None  # a write may be that of a row which is there
    kept = [seconds for seconds in (bucket, ttl_seconds(known)) if seconds is not None]
    if written is None or groups is None or (not kept and known.ttl is not None):
        return None
    return written / groups * min(kept, default=horizon)


def tombstones(known: Layout, deleted: float | None) -> float | None:
    """Tombstones in a partition, of an average one, where so many rows of the table are deleted per second."""
    groups, bucket = partitions(known), bucket_seconds(known)
    grace = known.options.get("gc_grace_seconds")
    if deleted is None or groups is None or not isinstance(grace, int):
        return None
    return deleted / groups * min(grace, bucket or grace)


def fitting(known: Layout, written: float | None, most: float) -> str | None:
    """The longest form of time whose buckets hold no more than so many rows; None where none does, or nobody knows.

    written: rows per second, of the table.
    """
    groups = partitions(known)
    if not written or not groups:
        return None
    return next((form for form, seconds in reversed(LONGEST.items()) if written / groups * seconds <= most), None)


def time_path(known: Layout) -> str:
    """The field by whose time rows are kept in order; empty where none is."""
    part = moment(known)
    if part is None:
        return ""
    return part.template.placeholders[0].path if part.template else part.cell.field


def typical_row(known: Layout, entity: str) -> float:
    """Bytes of a row, an average one; of what has no declared length the least counts."""
    row = row_band(known, entity)
    if row.expected is not None:
        return row.expected
    parts = (part_bytes(known, part, entity) for part in known.parts.values() if part.name not in known.statics)
    return row.low + sum(one.expected - one.low for one in parts if one.expected is not None)


def ttl_seconds(known: Layout) -> int | None:
    """How long the table keeps rows; None for ever, and where each row says it."""
    found = known.options.get("default_time_to_live")
    return found if isinstance(found, int) and found else None


def _placeholders(part: Part) -> Iterator[Placeholder]:
    yield from part.template.placeholders if part.template else ()


def _form(placeholder: Placeholder) -> str | None:
    return next((one.name for one in placeholder.filters if one.name in LONGEST), None)


def _counts(known: Layout, part: Part) -> Iterator[float | None]:
    """How many values each thing has that a column of the key is made from, but for times."""
    if part.template is None:
        if part.cell.native != "date":
            yield _distinct(known, part.cell.field)
        return
    for one in _placeholders(part):
        if one.shards is not None:
            yield one.shards
        elif _form(one) is None:
            yield _distinct(known, one.path)


def _distinct(known: Layout, path: str) -> float | None:
    """How many values a field has."""
    found = resolve(known.attributes, path)
    kind = found[-1].type if found else None
    if not isinstance(kind, Scalar):
        return None
    if kind.constants:
        return len(kind.constants)
    return 2 if kind.kind == "boolean" else kind.facts.distinct
