"""In which order the rows under a restricted key come, and how those of several partitions become one answer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from keywright.access.reading import reading
from keywright.access.request import Ordering, Request
from keywright.ir.attribute import Attribute

from .calls import Sorted, Walk
from .keyed import Keyed
from .order import is_ordered, is_timed
from .relation import Part


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
    wanted = [one for one in asked.order if asked.fixed(one.field) is None]
    backward = bool(wanted) and wanted[0].is_descending
    if not wanted:
        return Arranged(is_backward=_is_descending(found))
    is_single = found.is_single
    inside = wanted if is_single else _inside(wanted, found)
    way = _way(inside, found, asked, attributes) if found.open else "forward"
    if isinstance(way, _No):
        return way.reason
    if way == "backward" and is_fixed:
        return f'an index keeps the order of the table, and "{inside[0].field}" is wanted the other way round'
    is_reversed, orders = way == "backward", bool(inside) and bool(found.open) and not is_fixed
    if is_single:
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


def _inside(wanted: list[Ordering], found: Keyed) -> list[Ordering]:
    """The order inside each of several statements, in which some fields have one value."""
    each = {slot.placeholder.path for term in found.terms for slot in term.filled.slots if slot.decides is not None}
    return [one for one in wanted if one.field not in each]


def _is_descending(found: Keyed) -> bool:
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
            return _No(f'the server orders "{found.open[0].cell.field}" otherwise than Python: say types= for a text')
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
        if not (is_ordered(part.cell) or is_timed(part.cell)):
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
        if part is None or not (is_ordered(part.cell) or is_timed(part.cell)):
            return f'several partitions cannot be merged by "{one.field}", which is not ordered as in Python'
        if one.field in nullable:
            return f'several partitions cannot be merged by "{one.field}", which may be None'
        found.append(Sorted(part.name, one.is_descending, is_timed(part.cell)))
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
