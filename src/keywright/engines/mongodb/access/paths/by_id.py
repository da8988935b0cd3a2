"""Choices of documents by `_id`: complete, by the start of a composed one, or by one field."""

from keywright.access.fill import Filled, fill
from keywright.access.key_range import Reading, follows, reading
from keywright.access.path import By, Rejected
from keywright.access.query import Condition, Query
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve
from keywright.record import replace

from ...schema.fields import ID
from ..calls import SortField
from ..layout import Layout
from ..selection import PathCondition, PathTerm, TemplateValues, TextPrefix
from .candidate import ChoiceKind, DocumentChoice, order_of, selection
from .key_match import MOST_SCANS, RANGES, has_prefix, is_used, match, terms


def by_id(view: Layout, by: By, query: Query) -> ChoiceKind:
    """The choice of documents by their `_id`.

    A clustered collection has one range of `_id` for a request: mongod 6.0.5 scans all of it for several values, and
    for an order alone (2026-11-28).
    """
    choice = _by_id(view, by, query)
    if view.collection.clustered is None or not isinstance(choice, DocumentChoice):
        return choice
    if not choice.selection.conditions or choice.scans != 1 or not _is_range(choice):
        return 1, Rejected(by, f'"{view.name}" is clustered: it serves one value or range of "_id", not several or all')
    return choice


def _is_range(choice: DocumentChoice) -> bool:
    """Whether the conditions on `_id` select one value or one range."""
    conditions = [condition for condition in choice.selection.conditions if condition.path == ID]
    is_one = (
        condition.filled.is_single
        if isinstance(condition, TemplateValues)
        else not isinstance(condition, PathTerm) or condition.condition.kind in ("equals", *RANGES)
        for condition in conditions
    )
    return bool(conditions) and all(is_one)


def _by_id(view: Layout, by: By, query: Query) -> ChoiceKind:
    if view.id is None:
        return 0, Rejected(by, f'the server generates "_id" of "{view.name}", so no pattern can use it')
    if view.id.lone is not None:
        return _by_lone_id(view, by, query, view.id.lone.path)
    filled = fill(view.id, query, view.attributes)
    if isinstance(filled, Filled) and all(
        slot.kind in ("value", "values", "constants", "buckets") for slot in filled.slots
    ):
        conditions = (TemplateValues(ID, filled), *_rest(view, query))
        choice = DocumentChoice(by, selection(view, conditions), _decides(query, filled), is_unique=True)
        if filled.is_single:
            return replace(choice, is_one=True)
        fields = [ordering.field for ordering in query.order if query.fixed(ordering.field) is None]
        return replace(choice, order="lost", lost=fields[0]) if fields else choice
    key_reading = reading(view.id, query, view.attributes)
    if view.collection.collation is not None or not (key_reading.slots or key_reading.range or key_reading.prefix):
        reason = (
            f'"_id" of "{view.name}" is computed from "{view.id.text}", and the pattern has no condition on its start'
        )
        return 0, Rejected(by, reason)
    direction = follows(query, key_reading.ordered)
    decides = tuple(
        condition
        for condition in key_reading.decides
        if condition.kind != "equals" or _is_delimited(view, key_reading, condition)
    )
    choice = DocumentChoice(by, selection(view, (TextPrefix(ID, key_reading), *_rest(view, query))), decides)
    if not query.order:
        return choice
    if direction is None:
        return replace(choice, order="lost", lost=query.order[0].field)
    # The server does not know that the texts have the order of the fields; therefore the request sorts by the texts.
    return replace(choice, order="index", sort=(SortField(ID, 1 if direction == "forward" else -1),))


def _by_lone_id(view: Layout, by: By, query: Query, field: str) -> ChoiceKind:
    key_match = match(view, ((field, 1),), query, query.order) if is_used(query, field) else None
    if key_match is None or not (key_match.leading or (key_match.unordered is None and not query.conditions)):
        if query.conditions and all(condition.kind == "not" for condition in query.conditions):
            condition = query.conditions[0]
            return 0, Rejected(by, f"it selects only by {condition}, which leaves all documents with another value")
        named = next((part.field for part in query.conditions), next((part.field for part in query.order), field))
        return 0, Rejected(by, f'neither "_id" nor an index of "{view.name}" starts with "{named}"')
    if view.collection.collation is not None and has_prefix(query):
        return 1, Rejected(by, f'"{view.name}" has a collation, which does not support prefixes')
    order = order_of(query, key_match)
    if isinstance(order, str):
        return 1, Rejected(by, order)
    picked = selection(view, terms(view, query, key_match), most=order.most)
    unique, is_one = key_match.points == 1, query.fixed(field) is not None
    return DocumentChoice(
        by,
        picked,
        key_match.bound,
        order.kind,
        order.unordered_field,
        None,
        key_match.scans or MOST_SCANS,
        1,
        unique,
        is_one,
    )


def _is_delimited(view: Layout, key_reading: Reading, condition: Condition) -> bool:
    """Whether the bounds of a text decide a field; a value of variable length may be the prefix of another value."""
    holes = [slot.placeholder for slot in key_reading.slots if slot.condition == condition]
    attributes = resolve(view.attributes, condition.field)
    kind = attributes[-1].type if attributes else None
    is_fixed = isinstance(kind, Scalar) and (
        kind.kind in ("uuid", "datetime", "date", "integer", "boolean") or bool(kind.constants)
        or (kind.max_length is not None and kind.min_length == kind.max_length)
    )  # fmt: skip
    return is_fixed or all(hole.width is not None for hole in holes)


def _decides(query: Query, filled: Filled) -> tuple[Condition, ...]:
    """Conditions that a complete key decides: all of it if the pattern names no field and so means the primary key."""
    if not query.pattern.eq:
        return tuple(
            condition for condition in query.conditions if condition.kind == "equals" and condition.constants is None
        )
    return filled.decides


def _rest(view: Layout, query: Query) -> tuple[PathCondition, ...]:
    """The filter conditions beside a composed `_id`: those that the pattern itself declares."""
    implicit = not query.pattern.eq
    conditions = (
        condition
        for condition in query.conditions
        if not (implicit and condition.kind == "equals" and condition.constants is None)
    )
    return terms(view, replace(query, conditions=tuple(conditions)))
