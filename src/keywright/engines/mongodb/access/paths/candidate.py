"""A choice of documents before it becomes a call: the types that the planners of all patterns share."""

from typing import TypeAlias

from keywright.access.path import By, Rejected
from keywright.access.query import Condition, Query
from keywright.record import Record

from ...schema.fields import ID, ID_INDEX
from ..calls import SortField
from ..layout import IndexView, Layout
from ..selection import PathCondition, PathTerm, Selection, TemplateValues
from .key_match import MOST_SCANS, KeyMatch


class DocumentChoice(Record):
    """A key or index that selects documents, before it becomes a call."""

    by: By
    """The key or index."""
    selection: Selection
    """The documents, and the index that selects them."""
    decided: tuple[Condition, ...]
    """Conditions that every document in the bounds meets."""
    order: str = "none"
    """The source of the order, as in `AccessPath.order`; `lost` if the choice does not keep it."""
    lost: str = ""
    """The first field of the order that is not kept."""
    sort: tuple[SortField, ...] | None = None
    """The sort of the request if it differs from the pattern's order, as for composed keys."""
    scans: int = 1
    """Ordered scans that are merged."""
    points: int = 0
    """Leading fields of the index with one or several values."""
    is_unique: bool = False
    """Whether each requested key selects at most one document."""
    is_one: bool = False
    """Whether it selects at most one document, so that there is nothing to order."""
    notes: tuple[str, ...] = ()
    """Notes for the access matrix."""
    index: IndexView | None = None
    """The index; None for `_id` and for buckets."""
    nearness: int = 0
    """The rank of a choice that does not serve: greater means nearer to serving."""


Refused: TypeAlias = tuple[int, Rejected]
"""A rejected candidate with its rank: greater means nearer to serving."""

ChoiceKind: TypeAlias = DocumentChoice | Refused
"""A considered choice."""

BUCKETS = "documents examined are buckets of measurements; the server sorts within a bucket's span only"
"""The note for paths of a time series."""


def selection(
    view: Layout,
    conditions: tuple[PathCondition, ...],
    index: IndexView | None = None,
    most: tuple[tuple[str, int], ...] = (),
    not_null: tuple[str, ...] = (),
) -> Selection:
    """The selection of documents by these conditions with an index, or by `_id` or buckets."""
    if view.documents:
        conditions = tuple(
            part for part in conditions if not (isinstance(part, PathTerm) and part.condition in view.documents)
        )
    target = index.target if index else None
    hint = target.name if index and target and not index.is_partial else None
    if index is None and view.collection.series is None and not (len(conditions) == 1 and is_point(conditions[0])):
        hint = ID_INDEX
    if index is None and view.collection.clustered is not None:
        hint = view.collection.clustered
    return Selection(view.database.name, view.name, conditions, hint, view.rules(target), not_null, most)


def is_point(condition: PathCondition) -> bool:
    """Whether a condition on `_id` selects one document, which the server finds without planning."""
    if isinstance(condition, PathTerm):
        return condition.path == ID and condition.condition.kind == "equals"
    return isinstance(condition, TemplateValues) and condition.path == ID and condition.filled.is_single


class OrderSource(Record):
    """The source of the order that a pattern declares."""

    kind: str = "none"
    """As `DocumentChoice.order`."""
    unordered_field: str = ""
    """The first field of the order that is not kept."""
    most: tuple[tuple[str, int], ...] = ()
    """(field, maximum number of values in a call)."""


NO_ORDER, KEPT, MERGED = OrderSource(), OrderSource("index"), OrderSource("merge")


def order_of(query: Query, match: KeyMatch, *, is_series: bool = False) -> OrderSource | str:
    """The source of an index's order, or the reason why the index does not serve."""
    if all(query.fixed(ordering.field) is not None for ordering in query.order):
        return NO_ORDER
    if match.unordered is not None:
        return OrderSource("lost", match.unordered.field)
    if match.scans is not None and match.scans > MOST_SCANS:
        return f"{match.scans} ordered scans are more than the {MOST_SCANS} that the server merges: it would sort"
    if not match.is_merged:
        return MERGED if is_series else KEPT
    value_lists = match.several
    most_values = MOST_SCANS if len(value_lists) < 2 else int(MOST_SCANS ** (1 / len(value_lists)))
    return OrderSource("merge", most=tuple((field, most_values) for field in value_lists))
