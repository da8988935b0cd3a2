"""Reads by whole keys: one item, or several."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from keywright.access.request import Ordering
from keywright.declare.answers import Page
from keywright.engines.dynamodb.access.calls import BatchGetItem, GetItem
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.runtime import text as forms
from keywright.runtime.codec import Call, Codec
from keywright.runtime.cursor import strange
from keywright.runtime.given import Given

from ..part import reading
from . import cursor
from .batches import get_items
from .conditions import stored
from .natives import ordered
from .spans import Key
from .spots import copy_of, keys_of

_STEP = 100
"""Keys that are asked at once where a page is shorter than the list of keys."""


def prepare_get(pattern: Pattern, binding: Binding, get: GetItem, codec: Codec[Any]) -> Call:
    """One item by its key."""
    keys = keys_of(binding, get.place)
    read = reading(codec, binding, pattern.fields)
    signs = {f"#n{at}": name for at, name in enumerate(get.attributes)}
    fixed: dict[str, Any] = {"TableName": get.place.table}
    if signs:
        fixed |= {"ProjectionExpression": ", ".join(signs), "ExpressionAttributeNames": signs}
    if get.is_strong:
        fixed["ConsistentRead"] = True

    def one(client: Any, given: Given) -> Any:
        (key,) = keys(given)
        item = client.get_item(**fixed, Key=copy_of(get.place, key)).get("Item")
        return None if item is None else read(item)

    def paged(client: Any, given: Given) -> Any:
        if given.cursor is not None:
            cursor.read(pattern, given.cursor)
            raise strange()
        found = one(client, given)
        return Page(() if found is None else (found,))

    def counted(client: Any, given: Given) -> int:
        return int(one(client, given) is not None)

    return {"get": one, "read": paged, "count": counted}[pattern.kind]


def prepare_batch(pattern: Pattern, binding: Binding, batch: BatchGetItem, codec: Codec[Any]) -> Call:
    """Several items by their keys, in the order of the keys unless another is wanted."""
    keys = keys_of(binding, batch.place)
    read = reading(codec, binding, pattern.fields)

    def items(client: Any, some: list[Key]) -> list[Any]:
        drawn = [copy_of(batch.place, key) for key in some]
        wanted = (*batch.attributes, *_order_names(binding, batch.order)) if batch.attributes else ()
        return get_items(client, batch.place.table, drawn, attributes=wanted, is_strong=batch.is_strong)

    def get(client: Any, given: Given) -> Any:
        found = next((item for item in items(client, keys(given)) if item is not None), None)
        return None if found is None else read(found)

    def counted(client: Any, given: Given) -> int:
        return sum(item is not None for item in items(client, keys(given)))

    def in_key_order(client: Any, given: Given) -> Any:
        begin = cursor.read(pattern, given.cursor).offset if given.cursor is not None else 0
        some, found = keys(given), list[Any]()
        step = len(some) if given.limit is None else max(given.limit, _STEP)
        while begin < len(some) and (given.limit is None or len(found) < given.limit):
            for item in items(client, some[begin : begin + step]):
                if given.limit is not None and len(found) == given.limit:
                    break
                begin += 1
                if item is not None:
                    found.append(read(item))
        more = begin < len(some)
        return Page(tuple(found), cursor.written(pattern, cursor.Position(offset=begin)) if more else None)

    def sorted_page(client: Any, given: Given) -> Any:
        begin = cursor.read(pattern, given.cursor).offset if given.cursor is not None else 0
        found = [item for item in items(client, keys(given)) if item is not None]
        pairs = [(item, read(item)) for item in found]
        for one in reversed(batch.order):
            pairs.sort(key=_by(binding, one), reverse=one.is_descending)
        instances = [instance for _, instance in pairs]
        ends = len(instances) if given.limit is None else begin + given.limit
        more = ends < len(instances)
        return Page(
            tuple(instances[begin:ends]),
            cursor.written(pattern, cursor.Position(offset=ends)) if more else None,
        )

    if pattern.kind == "read":
        return sorted_page if batch.order else in_key_order
    return get if pattern.kind == "get" else counted


def _order_names(binding: Binding, order: tuple[Ordering, ...]) -> list[str]:
    """Attributes that hold the fields of an order."""
    return [stored(binding, one.field)[0] for one in order]


def _by(binding: Binding, order: Ordering) -> Callable[[tuple[Any, Any]], Any]:
    """What items with their instances are sorted by; what is None comes first, as the smallest."""
    names = order.field.split(".")
    if order.field in binding.computed:
        return lambda pair: ordered(pair[0][order.field])

    def key(pair: tuple[Any, Any]) -> tuple[bool, Any]:
        value = pair[1]
        for name in names:
            value = getattr(value, name, None)
        value = forms.plain(value)
        return (False, Decimal(0)) if value is None else (True, value)

    return key
