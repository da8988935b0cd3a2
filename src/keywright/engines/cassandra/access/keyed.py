"""How a request restricts the key of a table or view, and in which order the rows then come."""

from collections.abc import Iterator
from dataclasses import dataclass

from keywright.access.fill import Filled, Slot, Unfilled, fill_attribute
from keywright.access.reading import RANGES, Reading, reading
from keywright.access.request import Asked, Request
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve

from .calls import Bound, Term
from .order import is_ordered
from .relation import Part, Relation


@dataclass(frozen=True, slots=True)
class Keyed:
    """A key restricted by a request."""

    partition: tuple[Term, ...]
    """The partition key in full."""
    clustering: tuple[Term, ...] = ()
    """Clustering columns from the left that have one value in each statement."""
    bounds: tuple[Bound, ...] = ()
    """Conditions on the clustering column behind them."""
    open: tuple[Part, ...] = ()
    """The other clustering columns."""
    decided: tuple[Asked, ...] = ()
    """Conditions that hold for all that is read."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """All columns with one value in each statement."""
        return (*self.partition, *self.clustering)

    @property
    def is_single(self) -> bool:
        """Whether one statement reads it."""
        return all(term.filled.is_single for term in self.terms)


def keyed(relation: Relation, asked: Request, attributes: tuple[Attribute, ...]) -> Keyed | str:
    """How a request restricts a key, or why the partition is not known."""
    partition: list[Term] = []
    for part in relation.partition:
        filled = filled_of(part, asked, attributes)
        if isinstance(filled, str):
            return filled
        partition.append(Term(part.cell, filled))
    return _clustered(relation, partition, asked, attributes)


def filled_of(part: Part, asked: Request, attributes: tuple[Attribute, ...]) -> Filled | str:
    """What gives a key column its values, or why nothing does."""
    filled = fill_attribute(part.cell.field, part.template, asked, attributes)
    if isinstance(filled, Unfilled):
        return filled.reason
    for slot in filled.slots:
        if slot.kind == "buckets" and slot.count is None:
            path = slot.placeholder.path
            return f'nothing says how many values of "{part.name}" a range of "{path}" touches: add span= or fan_out='
    return filled


def _clustered(relation: Relation, partition: list[Term], asked: Request, attributes: tuple[Attribute, ...]) -> Keyed:
    """Clustering columns by equality from the left, then one range."""
    terms: list[Term] = []
    decided = [one for term in partition for one in decides(term, attributes)]
    for at, part in enumerate(relation.clustering):
        filled = _equal(part, asked, attributes)
        if filled is None:
            bounds, more = _bounds(part, asked, attributes)
            return Keyed(tuple(partition), tuple(terms), bounds, relation.clustering[at:], (*decided, *more))
        terms.append(Term(part.cell, filled))
        decided += decides(terms[-1], attributes)
    return Keyed(tuple(partition), tuple(terms), decided=tuple(decided))


def _equal(part: Part, asked: Request, attributes: tuple[Attribute, ...]) -> Filled | None:
    """What gives a clustering column its values, where the request says them; buckets and shards are a range."""
    if part.template is None and asked.one(part.cell.field, "equals", "one_of") is None:
        return None
    filled = fill_attribute(part.cell.field, part.template, asked, attributes)
    if isinstance(filled, Unfilled) or any(slot.kind not in ("value", "values") for slot in filled.slots):
        return None
    return filled


def decides(term: Term, attributes: tuple[Attribute, ...]) -> Iterator[Asked]:
    """The conditions that hold for every row under a key column's values.

    A date's own text holds the whole date, whatever filter wrote it.
    """
    for slot in term.filled.slots:
        if slot.asked is not None and (slot.decides is not None or _is_whole_date(slot, attributes)):
            yield slot.asked


def _is_whole_date(slot: Slot, attributes: tuple[Attribute, ...]) -> bool:
    found = resolve(attributes, slot.placeholder.path)
    kind = found[-1].type if found else None
    names = {one.name for one in slot.placeholder.filters}
    return isinstance(kind, Scalar) and kind.kind == "date" and names == {"date"}


def _bounds(
    part: Part, asked: Request, attributes: tuple[Attribute, ...]
) -> tuple[tuple[Bound, ...], tuple[Asked, ...]]:
    """Ranges on the first clustering column without one value, with the conditions that they decide."""
    lone = part.template.lone if part.template else None
    if part.template is not None and lone is None:
        return _text_bounds(part, reading(part.template, asked, attributes))
    path = lone.path if lone else part.cell.field
    found = tuple(one for one in asked.asked if one.field == path and is_bound(one, part))
    return tuple(Bound(part.cell, one) for one in found), found


def is_bound(asked: Asked, part: Part) -> bool:
    """Whether the server's own comparison of a column answers a condition as Python would."""
    if not is_ordered(part.cell):
        return False
    if asked.how == "prefix":
        kind = part.cell.type
        return isinstance(kind, Scalar) and kind.kind == "string" and part.cell.native in ("text", "ascii")
    return asked.how in RANGES


def _text_bounds(part: Part, read: Reading) -> tuple[tuple[Bound, ...], tuple[Asked, ...]]:
    asked = (*read.range, *((read.prefix,) if read.prefix is not None else ()))
    if not asked and not read.slots:
        return (), ()
    if not asked:
        asked = tuple(slot.asked for slot in read.slots if slot.asked is not None)[:1]
        return tuple(Bound(part.cell, one, read) for one in asked), read.decides
    return tuple(Bound(part.cell, one, read) for one in asked), (*read.decides, *read.range)
