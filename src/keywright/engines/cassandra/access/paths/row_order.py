"""The order of the rows that a key match reads, and the combination of several partitions."""

from collections.abc import Iterator
from typing import Literal

from keywright.access.key_range import reading
from keywright.access.query import Ordering, Query
from keywright.ir.attribute import Attribute
from keywright.record import Record

from ..calls import MergeOrder, PartitionWalk
from ..order import is_ordered, is_timed
from ..relation import RelationColumn
from .key_match import KeyMatch


class Arranged(Record):
    """The plan for the requested order."""

    walk: PartitionWalk = "chain"
    """Combination of partitions."""
    walked: int | None = None
    """Position in the partition key of the buckets that are read in order."""
    orders: bool = False
    """Whether the statement has ORDER BY."""
    is_reversed: bool = False
    """Whether it reverses the order of the table."""
    is_backward: bool = False
    """Whether buckets are read from the newest."""
    sorted: tuple[MergeOrder, ...] = ()
    """The requested order, for a merge."""
    kind: Literal["index", "merge", "memory", "none"] = "none"
    """See `AccessPath.order`."""


def arranged(
    match: KeyMatch,
    query: Query,
    parts: dict[str, RelationColumn],
    attributes: tuple[Attribute, ...],
    *,
    is_fixed: bool = False,
) -> Arranged | str:
    """The plan for the requested order of the rows of a key match, or the reason why there is none.

    is_fixed: whether statements cannot have ORDER BY, so that rows are returned in the order of the table.
    """
    orderings = [ordering for ordering in query.order if query.fixed(ordering.field) is None]
    is_backward = bool(orderings) and orderings[0].is_descending
    if not orderings:
        return Arranged(is_backward=_is_descending(match))
    is_single = match.is_single
    inside = orderings if is_single else _inside(orderings, match)
    direction = _direction(inside, match, query, attributes) if match.open else "forward"
    if isinstance(direction, _Unordered):
        return direction.reason
    if direction == "backward" and is_fixed:
        return f'an index has the order of the table, and "{inside[0].field}" is required in reverse order'
    is_reversed, orders = direction == "backward", bool(inside) and bool(match.open) and not is_fixed
    if is_single:
        return Arranged(orders=orders, is_reversed=is_reversed, is_backward=is_backward, kind="index")
    merge_orders = _merge_orders(orderings, parts, attributes)
    position = _walked_position(match, orderings[0])
    if isinstance(merge_orders, str) and not (position is not None and _is_one_partition(match, position)):
        return merge_orders
    merge = () if isinstance(merge_orders, str) else merge_orders
    if position is None:
        return Arranged(
            "merge", None, orders, is_reversed, is_backward, merge, kind="merge" if match.open else "memory"
        )
    order_kind: Literal["index", "merge"] = "index" if _is_one_partition(match, position) else "merge"
    return Arranged("buckets", position, orders, is_reversed, is_backward, merge, order_kind)


def _inside(orderings: list[Ordering], match: KeyMatch) -> list[Ordering]:
    """The order inside each of several statements, without fields that have one value in each."""
    each = {slot.placeholder.path for term in match.terms for slot in term.filled.slots if slot.decides is not None}
    return [ordering for ordering in orderings if ordering.field not in each]


def _is_descending(match: KeyMatch) -> bool:
    """Whether the table's order is descending; buckets are read in it if no order is requested."""
    return bool(match.open) and match.open[0].is_descending


class _Unordered(Record):
    reason: str


def _direction(
    inside: list[Ordering], match: KeyMatch, query: Query, attributes: tuple[Attribute, ...]
) -> str | _Unordered:
    """`forward` if rows are stored in an order, `backward` if in its reverse, or the reason why in neither."""
    orderings = list(_table_order(match, query, attributes))
    if not inside:
        return "forward"
    if [ordering.field for ordering in inside] != [ordering.field for ordering in orderings[: len(inside)]]:
        first = inside[0].field
        if orderings and first not in [ordering.field for ordering in orderings]:
            return _Unordered(
                f'rows are ordered by "{orderings[0].field}", not by "{first}": use a table clustered by it'
            )
        if not orderings:
            return _Unordered(
                f'the server orders "{match.open[0].cell.field}" differently from Python: declare a text type in types='
            )
        return _Unordered(
            f"rows are ordered by {_listed([ordering.field for ordering in orderings])}, and an order must "
            "start with the first"
        )
    reversals = {
        ordering.is_descending != other.is_descending for ordering, other in zip(inside, orderings, strict=False)
    }
    if len(reversals) > 1:
        columns = _listed(
            [("-" if ordering.is_descending else "") + ordering.field for ordering in orderings[: len(inside)]]
        )
        return _Unordered(f"rows are ordered by {columns}, and can be read only in this order or its exact reverse")
    return "backward" if reversals == {True} else "forward"


def _table_order(match: KeyMatch, query: Query, attributes: tuple[Attribute, ...]) -> Iterator[Ordering]:
    """The fields by which the table orders the rows of a statement."""
    for part in match.open:
        if part.template is not None and part.template.lone is None:
            text_reading = reading(part.template, query, attributes)
            fixed = {slot.placeholder.path for slot in text_reading.slots}
            fields = [field for field in text_reading.ordered if field not in fixed]
            yield from (Ordering(field, part.is_descending) for field in fields)
            if len(text_reading.slots) + len(fields) < len(part.template.placeholders):
                return
            continue
        if not (is_ordered(part.cell) or is_timed(part.cell)):
            return
        lone = part.template.lone if part.template else None
        yield Ordering(lone.path if lone else part.cell.field, part.is_descending)


def _merge_orders(
    orderings: list[Ordering], parts: dict[str, RelationColumn], attributes: tuple[Attribute, ...]
) -> tuple[MergeOrder, ...] | str:
    """The columns by which streams are merged, or the reason why they cannot be merged."""
    nullable = {attribute.name for attribute in attributes if attribute.is_nullable}
    orders: list[MergeOrder] = []
    for ordering in orderings:
        part = parts.get(ordering.field)
        if part is None or not (is_ordered(part.cell) or is_timed(part.cell)):
            return f'several partitions cannot be merged by "{ordering.field}", which is not ordered as in Python'
        if ordering.field in nullable:
            return f'several partitions cannot be merged by "{ordering.field}", which may be None'
        orders.append(MergeOrder(part.name, ordering.is_descending, is_timed(part.cell)))
    return tuple(orders)


def _walked_position(match: KeyMatch, first: Ordering) -> int | None:
    """Position in the partition key of the buckets that are in the requested order; None if there are none."""
    for position, term in enumerate(match.partition):
        slots = [slot for slot in term.filled.slots if slot.kind not in ("value", "draw")]
        if len(slots) == 1 and slots[0].kind in ("buckets", "recent") and slots[0].placeholder.path == first.field:
            return position
    return None


def _is_one_partition(match: KeyMatch, walked: int) -> bool:
    """Whether each bucket is a single partition."""
    return all(term.filled.is_single for position, term in enumerate(match.terms) if position != walked)


def _listed(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
