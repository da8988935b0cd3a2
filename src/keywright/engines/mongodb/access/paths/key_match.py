"""Matches a query with an ordered index: the conditions that bound it, and the order that it keeps.

Equality first, in any order of the fields; then the sort, in the index's direction or its exact reverse; then a range.
Sources: https://www.mongodb.com/docs/manual/tutorial/equality-sort-range-guideline/,
https://www.mongodb.com/docs/manual/core/indexes/index-types/index-multikey/multikey-index-bounds/, 2026-11-21.
"""

from typing import TypeAlias

from keywright.access.fill import Filled, fill_attribute
from keywright.access.query import Condition, Ordering, Query
from keywright.record import Record

from ..layout import Layout
from ..selection import PathCondition, PathTerm, TemplateValues

MOST_SCANS = 200
"""Index scans that the server merges; with more, it sorts in memory: internalQueryMaxScansToExplode.
Source: https://www.mongodb.com/docs/manual/reference/operator/query/in/, 2026-11-21; measured on 6.0.5."""

RANGES = ("between", "at_least", "above", "at_most", "below", "prefix")

IndexKeys: TypeAlias = tuple[tuple[str, int | str], ...]


class KeyMatch(Record):
    """The parts of a query that an index serves."""

    bound: tuple[Condition, ...]
    """Conditions that its bounds decide."""
    computed: tuple[TemplateValues, ...] = ()
    """Computed attributes that bound it by the texts of their templates."""
    leading: int = 0
    """Leading fields that are bounded."""
    points: int = 0
    """Leading fields with one or several values."""
    unordered: Ordering | None = None
    """The first field of the order that it does not keep; None if it keeps the whole order."""
    scans: int | None = 1
    """The maximum number of ordered scans that are merged; None if unknown."""
    several: tuple[str, ...] = ()
    """Fields before the order for which a call has a list of values."""
    is_ranged: bool = False
    """Whether a range bounds it."""

    @property
    def is_merged(self) -> bool:
        """Whether several ordered scans are merged."""
        return self.scans != 1


def match(view: Layout, keys: IndexKeys, query: Query, order: tuple[Ordering, ...]) -> KeyMatch:
    """The match of a query and its order with an index that has these keys."""
    walk = _Walk(view, query, [ordering for ordering in order if query.fixed(ordering.field) is None])
    for field, direction in keys:
        walk.step(field, direction)
    unordered = walk.order[0] if walk.order else None
    return KeyMatch(
        tuple(walk.bound), tuple(walk.computed), walk.leading, walk.points, unordered, walk.scans, tuple(walk.several),
        walk.is_ranged,
    )  # fmt: skip


class _Walk:
    """One pass over the fields of an index, the first field first."""

    def __init__(self, view: Layout, query: Query, order: list[Ordering]) -> None:
        self.view, self.query, self.order = view, query, order
        self.bound: list[Condition] = []
        self.computed: list[TemplateValues] = []
        self.leading = self.points = 0
        self.scans: int | None = 1
        self.several: list[str] = []
        self.direction = 0
        self.arrays: set[str] = set()
        self.is_point = self.is_tight = True
        self.is_ranged = False

    def step(self, field: str, direction: int | str) -> None:
        """Match the next field."""
        is_next = bool(self.order) and self.order[0].field == field
        if self.is_point and not is_next and self._point(field):
            self.leading += 1
            self.points += 1
            return
        self.is_point = False
        if is_next and not self._orders(field, direction):
            is_next = False
        if not is_next and self.order:
            self.direction = 2  # an unmatched field precedes: the following fields are in no order of their own
        if self.is_tight and direction != "hashed":
            ranged = self._ranged(field)
            self.leading += 1 if ranged else 0
        self.is_tight = False

    def _point(self, field: str) -> bool:
        """Whether the field has one value or several; if so, add its condition to the bounds."""
        array = self.view.array(field)
        if array and array in self.arrays:
            return False  # two conditions on a list may match different elements: only one bounds the index
        condition = self.query.first(field, "equals", "contains") if not array else self._element(field)
        if condition is None:
            return self._several(field)
        self.arrays.add(array)
        if condition.kind in ("equals", "contains"):
            self.bound.append(condition)  # one of several elements bounds the index; the others are residual filters
        return True

    def _element(self, field: str) -> Condition | None:
        return self.query.first(field, "equals", "contains", "all_of", "exactly")

    def _several(self, field: str) -> bool:
        condition = self.query.first(field, "one_of")
        if condition is not None:
            self.bound.append(condition)
            count = None if condition.constants is None else len(condition.constants)
            if count is None:
                self.several.append(field)
            self._scans(count)
            return True
        template = self.view.template(field)
        if template is None:
            return False
        filled = fill_attribute(field, template, self.query, self.view.attributes)
        if not isinstance(filled, Filled) or any(slot.kind in ("shards", "draw") for slot in filled.slots):
            return False
        self.computed.append(TemplateValues(self.view.path(field), filled))
        self.bound += filled.decides
        self._scans(filled.fan_out)
        return True

    def _scans(self, count: int | None) -> None:
        self.scans = None if count is None or self.scans is None else self.scans * count

    def _orders(self, field: str, direction: int | str) -> bool:
        """Whether the field continues the order; if so, record its direction."""
        if isinstance(direction, str) or self.view.array(field) or self.direction == 2:
            return False
        sign = -1 if self.order[0].is_descending else 1
        relative = sign * direction
        if self.direction not in (0, relative):
            return False
        self.direction = relative
        del self.order[0]
        return True

    def _ranged(self, field: str) -> bool:
        array = self.view.array(field)
        if array and array in self.arrays:
            return False
        conditions = [condition for condition in self.query.on(field) if condition.kind in (*RANGES, "one_of")]
        if not array and self.view.is_nullable(field):
            # Null is at one end of the index.
            conditions += (condition for condition in self.query.on(field) if condition.kind == "present")
        if array:
            del conditions[1:]  # bounds on a list are not intersected
        self.bound += conditions
        self.is_ranged = bool(conditions)
        return bool(conditions)


def is_used(query: Query, field: str) -> bool:
    """Whether a query has a condition or an order on a field."""
    for condition in query.conditions:
        if condition.field == field:
            return True
    return any(ordering.field == field for ordering in query.order)


def has_prefix(query: Query) -> bool:
    """Whether a query has a condition on the start of a text."""
    return any(condition.kind == "prefix" for condition in query.conditions)


def terms(view: Layout, query: Query, match: KeyMatch | None = None) -> tuple[PathCondition, ...]:
    """The filter of a query: every condition, and the texts that bound a computed attribute."""
    computed = match.computed if match else ()
    return (
        *computed,
        *(term(view, condition) for condition in query.conditions if condition.kind not in ("search", "near")),
    )


def term(view: Layout, condition: Condition) -> PathTerm:
    """A condition with its path in documents."""
    inside = view.array(condition.field) if condition.kind in ("between", "prefix") else ""
    return PathTerm(
        view.path(condition.field), condition, view.path(inside) if inside else "", view.is_nullable(condition.field)
    )
