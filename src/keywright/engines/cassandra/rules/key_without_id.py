"""CAS030: rows are told apart by their time alone, so that rows of the same millisecond overwrite each other."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second
from keywright.ir.attribute import Scalar

from ..access.growth import is_moment, named_seconds, partitions
from ..access.layout import Layout
from ..access.relation import RelationColumn
from ..findings.changes import own_id
from ..findings.tables import entities

DAY = 86_400
"""Seconds in a day."""


def models(
    context: RuleContext, *, per_day: float = 1, kinds: tuple[str, ...] = ("record", "event", "feed")
) -> Iterator[FindingDraft]:
    """Every such table of events whose own id is outside the key, or that loses rows at the declared rates.

    per_day: rows that may meet another one of the same millisecond in a day. kinds: kinds of entities with several
    sources in a partition; a device measures once at a time.
    """
    for _, binding, layout in entities(context):
        times = layout.table.clustering
        if binding.spec.kind not in kinds or not times or not all(_is_time(layout, part) for part in times):
            continue
        if any(map(_is_unique, layout.table.partition)):
            continue
        identity = own_id(binding, layout)
        if identity and identity[1]:
            continue
        lost = _lost_per_day(layout, items_per_second(context, binding, "put")) if binding.spec.kind != "record" else 0
        if identity is None and lost < per_day:
            continue
        keys = " and ".join(f'"{part.cell.field}"' for part in (*layout.table.partition, *times))
        name = identity[0] if identity else "event_id"
        reversed_ = ["-" * part.is_descending + part.cell.field for part in times]
        clustering = ", ".join(f'"{column}"' for column in (*reversed_, name))
        figure = f", about {lost:,.0f} a day at this rate" if lost >= per_day else ""
        yield FindingDraft(
            problem=f"its key is {keys} without an id: of two rows of one millisecond the later overwrites the "
            f"earlier{figure}",
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


def _lost_per_day(layout: Layout, written: float | None) -> float:
    """Rows that meet another one in the same millisecond of the same partition, if they arrive at random."""
    groups = partitions(layout)
    return written * DAY * written / groups / 1_000 if written and groups else 0
