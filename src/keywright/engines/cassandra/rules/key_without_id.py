"""CAS030: rows are told apart by their time alone, so that rows of the same millisecond overwrite each other."""

from collections.abc import Iterator
from math import expm1, prod

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second
from keywright.ir.attribute import Scalar
from keywright.ir.text import figure

from ..access.growth import is_moment, named_seconds, partitions, value_count
from ..access.layout import Layout
from ..access.relation import RelationColumn
from ..findings.changes import own_id
from ..findings.tables import entities

DAY = 86_400
"""Seconds in a day."""


def models(
    context: RuleContext,
    *,
    per_day: float = 1,
    kinds: tuple[str, ...] = ("record", "event", "feed", "money"),
    few: int = 20,
) -> Iterator[FindingDraft]:
    """Every such table of events whose own id is outside the key, or that loses rows at the declared rates.

    per_day: rows of the same millisecond that are overwritten in a day. kinds: kinds of entities with several
    sources in a partition; a device measures once at a time. few: number of values up to which a
    column, such as a type, tells rows of the same time apart by chance only.
    """
    for _, binding, layout in entities(context):
        columns = layout.table.clustering
        times = [part for part in columns if _is_time(layout, part)]
        counts = [_few(layout, part, few) for part in columns if part not in times]
        if binding.spec.kind not in kinds or not times or None in counts:
            continue
        values = prod(count for count in counts if count is not None)
        identity, is_series = own_id(binding, layout), binding.spec.kind in ("event", "feed")
        if identity[1] if identity else any(map(_is_unique, layout.table.partition)):
            continue
        lost = _lost_per_day(layout, items_per_second(context, binding, "put"), values) if is_series else 0
        if identity is None and lost < per_day:
            continue
        keys = " and ".join(f'"{part.cell.field}"' for part in (*layout.table.partition, *columns))
        name = identity[0] if identity else "event_id"
        reversed_ = ["-" * part.is_descending + part.cell.field for part in columns]
        clustering = ", ".join(f'"{column}"' for column in (*reversed_, name))
        loss = f", about {figure(lost)} a day at this rate" if lost >= per_day else ""
        yield FindingDraft(
            problem=f"its key is {keys} without an id: of two rows of one millisecond the later overwrites the "
            f"earlier{loss}",
            help=f"say clustering=[{clustering}]" + ("" if identity else ", with an id that each row has"),
            subject=binding.name,
        )


def _is_time(layout: Layout, part: RelationColumn) -> bool:
    """Whether a column is a moment of unlimited precision; a full hour or day has one row by design."""
    return part.cell.native == "timestamp" and is_moment(part) and named_seconds(layout, part) is None


def _is_unique(part: RelationColumn) -> bool:
    """Whether a column alone can tell rows apart, as an id of the row does that is no reference."""
    kind = part.cell.type
    return isinstance(kind, Scalar) and kind.kind == "uuid" and kind.facts.reference is None


def _few(layout: Layout, part: RelationColumn, few: int) -> float | None:
    """Number of values of a column that has a few, such as a type; None if it has many, or if that is unknown."""
    count = value_count(layout, part.cell.field) if part.template is None else None
    return count if count is not None and count <= few else None


def _lost_per_day(layout: Layout, written: float | None, values: float) -> float:
    """Rows that a later one of the same millisecond and partition overwrites, if they arrive at random.

    values: number of values of the other clustering columns.
    """
    groups = (partitions(layout) or 0) * values
    if not written or not groups:
        return 0
    per_millisecond = written / groups / 1_000
    return written * DAY * (1 + expm1(-per_millisecond) / per_millisecond)
