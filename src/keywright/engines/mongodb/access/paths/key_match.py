"""How far an ordered index answers a request: which conditions bound it, and whether it keeps the wanted order.

Equality first, in any order of the fields; then the sort, in the index's direction or its exact reverse; then a range.
Sources: https://www.mongodb.com/docs/manual/tutorial/equality-sort-range-guideline/,
https://www.mongodb.com/docs/manual/core/indexes/index-types/index-multikey/multikey-index-bounds/, 2026-11-21.
"""

from dataclasses import dataclass
from typing import TypeAlias

from keywright.access.fill import Filled, fill_attribute
from keywright.access.request import Asked, Ordering, Request

from .selection import Condition, Keyed, Term
from .view import View

MOST_SCANS = 200
"""Index scans that the server merges by order; of more it sorts in memory: internalQueryMaxScansToExplode.
Source: https://www.mongodb.com/docs/manual/reference/operator/query/in/, 2026-11-21; measured on 6.0.5."""

RANGES = ("between", "at_least", "below", "prefix")

Keys: TypeAlias = tuple[tuple[str, int | str], ...]


@dataclass(frozen=True, slots=True)
class Match:
    """What an index does for a request."""

    bound: tuple[Asked, ...]
    """Conditions that its bounds decide."""
    made: tuple[Keyed, ...] = ()
    """Computed attributes that are asked for by texts, which bound it too."""
    leading: int = 0
    """Fields from the left that are bounded."""
    points: int = 0
    """Fields from the left with one value, or several."""
    unordered: Ordering | None = None
    """The first field of the wanted order that it does not keep; None where it keeps all."""
    scans: int | None = 1
    """Ordered scans that are merged at the most; None where nothing says so."""
    several: tuple[str, ...] = ()
    """Fields of which the caller gives several values in front of the order."""
    is_ranged: bool = False
    """Whether a range bounds it."""

    @property
    def is_merged(self) -> bool:
        """Whether several ordered scans are merged."""
        return self.scans != 1


def match(view: View, keys: Keys, asked: Request, order: tuple[Ordering, ...]) -> Match:
    """How far an index with these keys answers a request in a wanted order."""
    walk = _Walk(view, asked, [one for one in order if asked.fixed(one.field) is None])
    for field, direction in keys:
        walk.step(field, direction)
    rest = walk.order[0] if walk.order else None
    return Match(
        tuple(walk.bound), tuple(walk.made), walk.leading, walk.points, rest, walk.scans, tuple(walk.several),
        walk.is_ranged,
    )  # fmt: skip


class _Walk:
    """One pass over the fields of an index, from the left."""

    def __init__(self, view: View, asked: Request, order: list[Ordering]) -> None:
        self.view, self.asked, self.order = view, asked, order
        self.bound: list[Asked] = []
        self.made: list[Keyed] = []
        self.leading = self.points = 0
        self.scans: int | None = 1
        self.several: list[str] = []
        self.direction = 0
        self.arrays: set[str] = set()
        self.is_point = self.is_tight = True
        self.is_ranged = False

    def step(self, field: str, direction: int | str) -> None:
        """Take the next field."""
        is_next = bool(self.order) and self.order[0].field == field
        if self.is_point and not is_next and self._point(field):
            self.leading += 1
            self.points += 1
            return
        self.is_point = False
        if is_next and not self._orders(field, direction):
            is_next = False
        if not is_next and self.order:
            self.direction = 2  # a field stands between: whatever comes behind is in no order of its own
        if self.is_tight:
            ranged = self._ranged(field)
            self.leading += 1 if ranged else 0
            self.is_tight = False

    def _point(self, field: str) -> bool:
        """Whether the field has one value, or several; then it is noted."""
        array = self.view.array(field)
        if array and array in self.arrays:
            return False  # two conditions on one list hold for any two of its elements: only one bounds the index
        found = self.asked.one(field, "equals", "contains") if not array else self._element(field)
        if found is None:
            return self._several(field)
        self.arrays.add(array)
        if found.how in ("equals", "contains"):
            self.bound.append(found)  # of several elements one bounds the index, the others are judged
        return True

    def _element(self, field: str) -> Asked | None:
        return self.asked.one(field, "equals", "contains", "all_of", "exactly")

    def _several(self, field: str) -> bool:
        found = self.asked.one(field, "one_of")
        if found is not None:
            self.bound.append(found)
            count = None if found.constants is None else len(found.constants)
            if count is None:
                self.several.append(field)
            self._scans(count)
            return True
        template = self.view.template(field)
        if template is None:
            return False
        filled = fill_attribute(field, template, self.asked, self.view.attributes)
        if not isinstance(filled, Filled) or any(slot.kind in ("shards", "draw") for slot in filled.slots):
            return False
        self.made.append(Keyed(self.view.path(field), filled))
        self.bound += filled.decides
        self._scans(filled.fan_out)
        return True

    def _scans(self, count: int | None) -> None:
        self.scans = None if count is None or self.scans is None else self.scans * count

    def _orders(self, field: str, direction: int | str) -> bool:
        """Whether the field continues the wanted order; then that is noted."""
        if isinstance(direction, str) or self.view.array(field) or self.direction == 2:
            return False
        wanted = -1 if self.order[0].is_descending else 1
        relative = wanted * direction
        if self.direction not in (0, relative):
            return False
        self.direction = relative
        del self.order[0]
        return True

    def _ranged(self, field: str) -> bool:
        array = self.view.array(field)
        if array and array in self.arrays:
            return False
        found = [one for one in self.asked.on(field) if one.how in (*RANGES, "one_of")]
        if not array and self.view.is_nullable(field):
            found += (one for one in self.asked.on(field) if one.how == "present")  # null stands at one end
        if array:
            del found[1:]  # bounds on a list are not intersected
        self.bound += found
        self.is_ranged = bool(found)
        return bool(found)


def terms(view: View, asked: Request, match: Match | None = None) -> tuple[Condition, ...]:
    """The filter of a request: every condition, and the texts that bound a computed attribute."""
    made = match.made if match else ()
    return (*made, *(term(view, one) for one in asked.asked if one.how not in ("search", "near")))


def term(view: View, one: Asked) -> Term:
    """One condition where documents have it."""
    inside = view.array(one.field) if one.how in RANGES else ""
    return Term(view.path(one.field), one, view.path(inside) if inside else "", view.is_nullable(one.field))
