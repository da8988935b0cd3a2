"""Reads by complete keys: one item, or several."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from keywright.access.query import Ordering
from keywright.declare.answers import Page
from keywright.engines.dynamodb.access.calls import BatchGetItem, GetItem
from keywright.engines.dynamodb.declare.options import Item
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.runtime.cursor import foreign
from keywright.runtime.items import text as forms
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.validate.arguments import Arguments

from ..client_types import DynamoClient
from ..part import reading
from . import cursor
from .batches import get_items
from .conditions import stored
from .key_ranges import copy_of, keys_of
from .natives import ordered
from .spans import Key

_LEAST_KEYS = 100
"""Fewest keys of one request if a page is shorter than the list of keys."""


def prepare_get(pattern: Pattern, binding: Binding[Item], get: GetItem, codec: Codec[Any]) -> PatternFunction:
    """Read of one item by its key."""
    keys = keys_of(binding, get.place)
    read = reading(codec, binding, pattern.fields)
    placeholders = {f"#n{position}": name for position, name in enumerate(get.attributes)}
    fixed: dict[str, Any] = {"TableName": get.place.table}
    if placeholders:
        fixed |= {"ProjectionExpression": ", ".join(placeholders), "ExpressionAttributeNames": placeholders}
    if get.is_strong:
        fixed["ConsistentRead"] = True

    def get_instance(client: DynamoClient, arguments: Arguments) -> Any:
        (key,) = keys(arguments)
        item = client.get_item(**fixed, Key=copy_of(get.place, key)).get("Item")
        return None if item is None else read(item)

    def paged(client: DynamoClient, arguments: Arguments) -> Any:
        if arguments.cursor is not None:
            cursor.read(pattern, arguments.cursor)
            raise foreign()
        instance = get_instance(client, arguments)
        return Page(() if instance is None else (instance,))

    def counted(client: DynamoClient, arguments: Arguments) -> int:
        return int(get_instance(client, arguments) is not None)

    return {"get": get_instance, "read": paged, "count": counted}[pattern.kind]


def prepare_batch(pattern: Pattern, binding: Binding[Item], batch: BatchGetItem, codec: Codec[Any]) -> PatternFunction:
    """Read of several items by their keys, in the order of the keys unless the pattern has an order."""
    keys = keys_of(binding, batch.place)
    read = reading(codec, binding, pattern.fields)

    def items(client: DynamoClient, some_keys: list[Key]) -> list[Any]:
        copy_keys = [copy_of(batch.place, key) for key in some_keys]
        attributes = (*batch.attributes, *_order_names(binding, batch.order)) if batch.attributes else ()
        return get_items(client, batch.place.table, copy_keys, attributes=attributes, is_strong=batch.is_strong)

    def get(client: DynamoClient, arguments: Arguments) -> Any:
        item = next((item for item in items(client, keys(arguments)) if item is not None), None)
        return None if item is None else read(item)

    def counted(client: DynamoClient, arguments: Arguments) -> int:
        return sum(item is not None for item in items(client, keys(arguments)))

    def in_key_order(client: DynamoClient, arguments: Arguments) -> Any:
        start = cursor.read(pattern, arguments.cursor).offset if arguments.cursor is not None else 0
        all_keys, instances = keys(arguments), list[Any]()
        step = len(all_keys) if arguments.limit is None else max(arguments.limit, _LEAST_KEYS)
        while start < len(all_keys) and (arguments.limit is None or len(instances) < arguments.limit):
            for item in items(client, all_keys[start : start + step]):
                if arguments.limit is not None and len(instances) == arguments.limit:
                    break
                start += 1
                if item is not None:
                    instances.append(read(item))
        has_more = start < len(all_keys)
        return Page(tuple(instances), cursor.written(pattern, cursor.PagePosition(offset=start)) if has_more else None)

    def sorted_page(client: DynamoClient, arguments: Arguments) -> Any:
        start = cursor.read(pattern, arguments.cursor).offset if arguments.cursor is not None else 0
        stored_items = [item for item in items(client, keys(arguments)) if item is not None]
        pairs = [(item, read(item)) for item in stored_items]
        for ordering in reversed(batch.order):
            pairs.sort(key=_sort_key_of(binding, ordering), reverse=ordering.is_descending)
        instances = [instance for _, instance in pairs]
        end = len(instances) if arguments.limit is None else start + arguments.limit
        has_more = end < len(instances)
        return Page(
            tuple(instances[start:end]),
            cursor.written(pattern, cursor.PagePosition(offset=end)) if has_more else None,
        )

    if pattern.kind == "read":
        return sorted_page if batch.order else in_key_order
    return get if pattern.kind == "get" else counted


def _order_names(binding: Binding[Item], order: tuple[Ordering, ...]) -> list[str]:
    """Attributes of the fields of an order."""
    return [stored(binding, ordering.field)[0] for ordering in order]


def _sort_key_of(binding: Binding[Item], order: Ordering) -> Callable[[tuple[Any, Any]], Any]:
    """Sort key for items with their instances; None is first, as the smallest value."""
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
