"""A way to choose documents, before it is made a call: what the makers of all paths share."""

from dataclasses import dataclass
from typing import TypeAlias

from keywright.access.path import By, Rejected
from keywright.access.request import Asked, Request

from ..fields import ID
from .calls import Sorted
from .match import MOST_SCANS, Match
from .selection import Condition, Keyed, Selection, Term
from .view import IndexView, View


@dataclass(frozen=True, slots=True)
class Chosen:
    """A way to choose documents, before it is made a call of some kind."""

    by: By
    """By what."""
    selection: Selection
    """Which documents, by which index."""
    decided: tuple[Asked, ...]
    """Conditions that hold for all that is read."""
    order: str = "none"
    """How the order comes about, as `AccessPath.order`; `lost` where it does not."""
    lost: str = ""
    """The first field of the order that is not kept."""
    sort: tuple[Sorted, ...] | None = None
    """What the server is told to sort by, where it is not the wanted order itself: composed keys in theirs."""
    scans: int = 1
    """Ordered scans that are merged."""
    points: int = 0
    """Fields of the index from the left that have one value, or several."""
    is_unique: bool = False
    """Whether one document at the most has each key that is asked for."""
    is_one: bool = False
    """Whether it is one document at the most, so that there is nothing to order."""
    notes: tuple[str, ...] = ()
    """What a reader should know."""
    index: IndexView | None = None
    """The index; None for `_id` and for buckets."""
    nearness: int = 0
    """How near a way that does not serve came to it."""


Refused: TypeAlias = tuple[int, Rejected]
"""A way that does not serve, and how near it came to it."""

Way: TypeAlias = Chosen | Refused
"""A way that was looked at."""

BUCKETS = "documents examined are buckets of measurements; the server sorts within a bucket's span only"
"""What a reader of a time series should know."""


def selection(
    view: View,
    conditions: tuple[Condition, ...],
    index: IndexView | None = None,
    most: tuple[tuple[str, int], ...] = (),
    not_null: tuple[str, ...] = (),
) -> Selection:
    """The selection of these conditions by an index, or by `_id` and buckets."""
    target = index.target if index else None
    hint = target.name if target and target.filter is None else None
    if index is None and view.collection.series is None and not (len(conditions) == 1 and is_point(conditions[0])):
        hint = f"{ID}_"
    return Selection(view.database.name, view.name, conditions, hint, view.rules(target), not_null, most)


def is_point(condition: Condition) -> bool:
    """Whether a condition on `_id` leaves one document, which the server finds without planning."""
    if isinstance(condition, Term):
        return condition.path == ID and condition.asked.how == "equals"
    return isinstance(condition, Keyed) and condition.path == ID and condition.filled.is_single


@dataclass(frozen=True, slots=True)
class Order:
    """How a way comes by the wanted order."""

    kind: str = "none"
    """As `Chosen.order`."""
    lost: str = ""
    """The first field of the order that is not kept."""
    most: tuple[tuple[str, int], ...] = ()
    """(field, values that a call may give at the most)."""


NO_ORDER, KEPT, MERGED = Order(), Order("index"), Order("merge")


def order_of(asked: Request, found: Match, *, is_series: bool = False) -> Order | str:
    """How an index keeps the wanted order, or why it does not."""
    if all(asked.fixed(one.field) is not None for one in asked.order):
        return NO_ORDER
    if found.unordered is not None:
        return Order("lost", found.unordered.field)
    if found.scans is not None and found.scans > MOST_SCANS:
        return f"{found.scans} ordered scans are more than the {MOST_SCANS} that the server merges: it would sort"
    if not found.is_merged:
        return MERGED if is_series else KEPT
    several = found.several
    share = MOST_SCANS if len(several) < 2 else int(MOST_SCANS ** (1 / len(several)))
    return Order("merge", most=tuple((field, share) for field in several))
