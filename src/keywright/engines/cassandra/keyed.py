"""How a request restricts the key of a table or view, and in which order the rows then come."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from keywright.access.fill import BUCKET_SECONDS, Filled, Slot, Unfilled, fill_attribute
from keywright.access.reading import RANGES, Reading, reading
from keywright.access.request import Asked, Ordering, Request
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve

from .calls import Bound, Sorted, Term, Walk
from .layout import Part, Relation, is_ordered


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
    found = tuple(one for one in asked.on(path) if is_bound(one, part))
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


@dataclass(frozen=True, slots=True)
class Arranged:
    """How the wanted order comes about."""

    walk: Walk = "chain"
    """How partitions become one answer."""
    walked: int | None = None
    """Which part of the partition key holds the buckets that are walked."""
    orders: bool = False
    """Whether the statement says its order."""
    is_reversed: bool = False
    """Whether it is the opposite of the table's."""
    is_backward: bool = False
    """Whether buckets are walked from the newest."""
    sorted: tuple[Sorted, ...] = ()
    """The wanted order, for a merge."""
    kind: Literal["index", "merge", "memory", "none"] = "none"
    """As `AccessPath.order`."""


def arranged(
    found: Keyed, asked: Request, parts: dict[str, Part], attributes: tuple[Attribute, ...], *, is_fixed: bool = False
) -> Arranged | str:
    """How the rows under a restricted key come in the wanted order, or why they do not.

    is_fixed: whether statements cannot say an order, and rows come as the table keeps them.
    """
    constant = {one.field for one in asked.asked if one.how == "equals"}
    wanted = [one for one in asked.order if one.field not in constant]
    backward = bool(wanted) and wanted[0].is_descending
    if not wanted:
        return Arranged(is_backward=_is_descending(found, asked))
    each = {slot.placeholder.path for term in found.terms for slot in term.filled.slots if slot.decides is not None}
    inside = [one for one in wanted if one.field not in each]
    way = _way(inside, found, asked, attributes) if found.open else "forward"
    if isinstance(way, _No):
        return way.reason
    if way == "backward" and is_fixed:
        return f'an index keeps the order of the table, and "{inside[0].field}" is wanted the other way round'
    is_reversed, orders = way == "backward", bool(inside) and bool(found.open) and not is_fixed
    if found.is_single:
        return Arranged(orders=orders, is_reversed=is_reversed, is_backward=backward, kind="index")
    ordering = _merging(wanted, parts, attributes)
    walked = _walked(found, wanted[0])
    if isinstance(ordering, str) and not (walked is not None and _is_alone(found, walked)):
        return ordering
    merge = () if isinstance(ordering, str) else ordering
    if walked is None:
        return Arranged("merge", None, orders, is_reversed, backward, merge, kind="merge" if found.open else "memory")
    kind: Literal["index", "merge"] = "index" if _is_alone(found, walked) else "merge"
    return Arranged("buckets", walked, orders, is_reversed, backward, merge, kind)


def _is_descending(found: Keyed, asked: Request) -> bool:
    """Without a wanted order, buckets are walked as their rows are kept."""
    return bool(found.open) and found.open[0].is_descending


@dataclass(frozen=True, slots=True)
class _No:
    reason: str


def _way(inside: list[Ordering], found: Keyed, asked: Request, attributes: tuple[Attribute, ...]) -> str | _No:
    """Whether rows come in an order, as they are kept or the other way round."""
    kept = list(_kept(found, asked, attributes))
    if not inside:
        return "forward"
    if [one.field for one in inside] != [one.field for one in kept[: len(inside)]]:
        first = inside[0].field
        if kept and first not in [one.field for one in kept]:
            return _No(f'rows are ordered by "{kept[0].field}", not by "{first}": a table clustered by it would do')
        if not kept:
            return _No(f'rows are not kept in the order of "{first}": make it the first open clustering column')
        return _No(f"rows are ordered by {_listed([one.field for one in kept])}, and an order begins at the first")
    turned = {one.is_descending != other.is_descending for one, other in zip(inside, kept, strict=False)}
    if len(turned) > 1:
        ways = _listed([("-" if one.is_descending else "") + one.field for one in kept[: len(inside)]])
        return _No(f"rows are kept by {ways}, and are read so or all the other way round")
    return "backward" if turned == {True} else "forward"


def _kept(found: Keyed, asked: Request, attributes: tuple[Attribute, ...]) -> Iterator[Ordering]:
    """The fields by which the rows of one statement are ordered, as the table keeps them."""
    for part in found.open:
        if part.template is not None and part.template.lone is None:
            read = reading(part.template, asked, attributes)
            fixed = {slot.placeholder.path for slot in read.slots}
            fields = [one for one in read.ordered if one not in fixed]
            yield from (Ordering(one, part.is_descending) for one in fields)
            if len(read.slots) + len(fields) < len(part.template.placeholders):
                return
            continue
        if not is_ordered(part.cell):
            return
        lone = part.template.lone if part.template else None
        yield Ordering(lone.path if lone else part.cell.field, part.is_descending)


def _merging(
    wanted: list[Ordering], parts: dict[str, Part], attributes: tuple[Attribute, ...]
) -> tuple[Sorted, ...] | str:
    """The columns by which streams are merged."""
    nullable = {one.name for one in attributes if one.is_nullable}
    found: list[Sorted] = []
    for one in wanted:
        part = parts.get(one.field)
        if part is None or not is_ordered(part.cell):
            return f'several partitions cannot be merged by "{one.field}", which is not ordered as in Python'
        if one.field in nullable:
            return f'several partitions cannot be merged by "{one.field}", which may be None'
        found.append(Sorted(part.name, one.is_descending))
    return tuple(found)


def _walked(found: Keyed, first: Ordering) -> int | None:
    """The part of the partition key whose buckets, one after the other, keep the order."""
    for at, term in enumerate(found.partition):
        several = [slot for slot in term.filled.slots if slot.kind not in ("value", "draw")]
        if (
            len(several) == 1
            and several[0].kind in ("buckets", "recent")
            and several[0].placeholder.path == first.field
        ):
            return at
    return None


def _is_alone(found: Keyed, walked: int) -> bool:
    """Whether each bucket is one partition."""
    return all(term.filled.is_single for at, term in enumerate(found.terms) if at != walked)


def _listed(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def is_bucket(slot: Slot) -> bool:
    """Whether a placeholder cuts time."""
    return any(one.name in BUCKET_SECONDS for one in slot.placeholder.filters)
