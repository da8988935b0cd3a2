"""Matches a query's conditions with the key of a table or view."""

from collections.abc import Iterator

from keywright.access.fill import Filled, Slot, Unfilled, fill_attribute
from keywright.access.key_range import RANGES, Reading, reading
from keywright.access.query import Condition, Query
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.record import Record

from ..calls import FixedColumn, RangeCondition
from ..order import is_moment, is_ordered
from ..relation import Relation, RelationColumn


class KeyMatch(Record):
    """The parts of a key that a query restricts."""

    partition: tuple[FixedColumn, ...]
    """The complete partition key."""
    clustering: tuple[FixedColumn, ...] = ()
    """Leading clustering columns that have one value in each statement."""
    bounds: tuple[RangeCondition, ...] = ()
    """Conditions on the next clustering column."""
    open: tuple[RelationColumn, ...] = ()
    """The other clustering columns."""
    decided: tuple[Condition, ...] = ()
    """Conditions that every row read meets."""

    @property
    def terms(self) -> tuple[FixedColumn, ...]:
        """All columns with one value in each statement."""
        return (*self.partition, *self.clustering)

    @property
    def is_single(self) -> bool:
        """Whether one statement reads it."""
        return all(term.filled.is_single for term in self.terms)


def keyed(relation: Relation, query: Query, attributes: tuple[Attribute, ...]) -> KeyMatch | str:
    """The key match of a query, or the reason why the partition is not known."""
    partition: list[FixedColumn] = []
    for part in relation.partition:
        filled = filled_of(part, query, attributes)
        if isinstance(filled, str):
            return filled
        partition.append(FixedColumn(part.cell, filled))
    return _clustered(relation, partition, query, attributes)


def filled_of(part: RelationColumn, query: Query, attributes: tuple[Attribute, ...]) -> Filled | str:
    """The values of a key column, or the reason why they are not known."""
    filled = fill_attribute(part.cell.field, part.template, query, attributes)
    if isinstance(filled, Unfilled):
        return filled.reason
    for slot in filled.slots:
        if slot.kind == "buckets" and slot.count is None:
            path = slot.placeholder.path
            return f'the number of values of "{part.name}" in a range of "{path}" is unknown: add span= or fan_out='
    return filled


def _clustered(
    relation: Relation, partition: list[FixedColumn], query: Query, attributes: tuple[Attribute, ...]
) -> KeyMatch:
    """Leading clustering columns by equality, then a range on the next."""
    terms: list[FixedColumn] = []
    decided = [condition for term in partition for condition in decides(term, attributes)]
    for position, part in enumerate(relation.clustering):
        filled = _fixed(part, query, attributes)
        if filled is None:
            bounds, bounded = _bounds(part, query, attributes)
            return KeyMatch(
                tuple(partition), tuple(terms), bounds, relation.clustering[position:], (*decided, *bounded)
            )
        terms.append(FixedColumn(part.cell, filled))
        decided += decides(terms[-1], attributes)
    return KeyMatch(tuple(partition), tuple(terms), decided=tuple(decided))


def _fixed(part: RelationColumn, query: Query, attributes: tuple[Attribute, ...]) -> Filled | None:
    """The values of a clustering column if the query fixes them; None for buckets and shards, which are a range."""
    if part.template is None and query.first(part.cell.field, "equals", "one_of") is None:
        return None
    filled = fill_attribute(part.cell.field, part.template, query, attributes)
    if isinstance(filled, Unfilled) or any(slot.kind not in ("value", "values") for slot in filled.slots):
        return None
    return filled


def decides(term: FixedColumn, attributes: tuple[Attribute, ...]) -> Iterator[Condition]:
    """The conditions that every row with a key column's values meets.

    The text of a date contains the whole date, whatever filter wrote it.
    """
    for slot in term.filled.slots:
        if slot.condition is not None and (slot.decides is not None or _is_whole_date(slot, attributes)):
            yield slot.condition


def _is_whole_date(slot: Slot, attributes: tuple[Attribute, ...]) -> bool:
    attributes_of_path = resolve(attributes, slot.placeholder.path)
    kind = attributes_of_path[-1].type if attributes_of_path else None
    names = {filter_.name for filter_ in slot.placeholder.filters}
    return isinstance(kind, Scalar) and kind.kind == "date" and names == {"date"}


def _bounds(
    part: RelationColumn, query: Query, attributes: tuple[Attribute, ...]
) -> tuple[tuple[RangeCondition, ...], tuple[Condition, ...]]:
    """Ranges on the first clustering column without a single value, with the conditions that they decide."""
    lone = part.template.lone if part.template else None
    if part.template is not None and lone is None:
        return _text_bounds(part, reading(part.template, query, attributes))
    path = lone.path if lone else part.cell.field
    conditions = tuple(
        condition for condition in query.conditions if condition.field == path and is_bound(condition, part)
    )
    return tuple(RangeCondition(part.cell, condition) for condition in conditions), conditions


def is_bound(condition: Condition, part: RelationColumn) -> bool:
    """Whether the server compares a column with a condition as Python does."""
    if is_moment(part.cell):
        return condition.kind == "between"
    if not is_ordered(part.cell):
        return False
    if condition.kind == "prefix":
        kind = part.cell.type
        return isinstance(kind, Scalar) and kind.kind == "string" and part.cell.native in ("text", "ascii")
    return condition.kind in RANGES


def _text_bounds(
    part: RelationColumn, text_reading: Reading
) -> tuple[tuple[RangeCondition, ...], tuple[Condition, ...]]:
    conditions = (*text_reading.range, *((text_reading.prefix,) if text_reading.prefix is not None else ()))
    if not conditions and not text_reading.slots:
        return (), ()
    if not conditions:
        conditions = tuple(slot.condition for slot in text_reading.slots if slot.condition is not None)[:1]
        return tuple(
            RangeCondition(part.cell, condition, text_reading) for condition in conditions
        ), text_reading.decides
    return tuple(RangeCondition(part.cell, condition, text_reading) for condition in conditions), (
        *text_reading.decides,
        *text_reading.range,
    )
