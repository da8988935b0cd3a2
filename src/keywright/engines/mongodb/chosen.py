"""A way to choose documents, before it is made a call: what the makers of all paths share."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from keywright.access.path import By, Rejected
from keywright.access.request import Asked, Request

from .calls import Condition, Keyed, Selection, Sorted, Term
from .fields import ID
from .match import MOST_SCANS, Match
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
    found: Match | None = None,
    index: IndexView | None = None,
    not_null: tuple[str, ...] = (),
) -> Selection:
    """The selection of these conditions by an index, or by `_id` and buckets."""
    name, target = view.collection.physical_name, index.target if index else None
    hint = target.name if target and target.filter is None else None
    if index is None and view.collection.series is None and not (len(conditions) == 1 and is_point(conditions[0])):
        hint = f"{ID}_"
    most: tuple[tuple[str, int], ...] = ()
    if found is not None and found.several and found.unordered is None:
        share = int(MOST_SCANS ** (1 / len(found.several))) if len(found.several) > 1 else MOST_SCANS
        most = tuple((field, share) for field in found.several)
    return Selection(view.database.name, name, conditions, hint, view.rules(target), not_null, most)


def is_point(condition: Condition) -> bool:
    """Whether a condition on `_id` leaves one document, which the server finds without planning."""
    if isinstance(condition, Term):
        return condition.path == ID and condition.asked.how == "equals"
    return isinstance(condition, Keyed) and condition.path == ID and condition.filled.is_single


def ordered(one: Chosen, asked: Request, found: Match, order: str = "index") -> Way:
    """How a way comes by the wanted order."""
    if not [two for two in asked.order if asked.fixed(two.field) is None]:
        picked = replace(one.selection, most=())
        return replace(one, selection=picked, points=found.points, scans=found.scans or MOST_SCANS)
    if found.unordered is not None:
        return replace(one, order="lost", lost=found.unordered.field, nearness=one.nearness + 1)
    if found.scans is not None and found.scans > MOST_SCANS:
        reason = (
            f"{found.scans} ordered scans would be merged, and of more than {MOST_SCANS} the server sorts in memory"
        )
        return one.nearness + 1, Rejected(one.by, reason)
    return replace(one, order="merge" if found.is_merged else order, scans=found.scans or MOST_SCANS)
