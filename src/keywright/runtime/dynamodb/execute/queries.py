"""Queries of the table and of indexes: pages, first items and counts."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from keywright.declare.answers import Page
from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.declare import options
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.validate.arguments import Arguments

from ..client_types import DynamoClient
from ..part import reading
from . import cursor
from .batches import get_items
from .conditions import RequestExpression, filter_of
from .key_ranges import key_ranges_of
from .spans import Key, KeyRange
from .streams import NativeItem, Send, page


def prepare_query(
    pattern: Pattern, binding: Binding[options.Item], query: QueryItems, codec: Codec[Any]
) -> PatternFunction:
    """Query as a function of a client and the arguments of a call."""
    return prepared(pattern, binding, key_ranges_of(binding, query), Requests(binding, query), codec)


def prepared(
    pattern: Pattern,
    binding: Binding[options.Item],
    ranges: Callable[[Arguments], list[KeyRange]],
    requests: "Requests",
    codec: Codec[Any],
) -> PatternFunction:
    """Requests for the key ranges of a call as a function of a client and its arguments."""
    query, read = requests.query, reading(codec, binding, pattern.fields)

    def items(
        client: DynamoClient, arguments: Arguments, limit: int | None
    ) -> tuple[list[Any], cursor.PagePosition | None]:
        start = cursor.read(pattern, arguments.cursor) if arguments.cursor is not None else None
        fetched, position = page(query, ranges(arguments), requests.sending(client, arguments), limit, start)
        if query.fetches:
            fetched = _fetched(client, query, fetched)
        return [read(item) for item in fetched], position

    def get(client: DynamoClient, arguments: Arguments) -> Any:
        instances, _ = items(client, arguments, 1)
        return instances[0] if instances else None

    def paged(client: DynamoClient, arguments: Arguments) -> Any:
        instances, position = items(client, arguments, arguments.limit)
        return Page(tuple(instances), None if position is None else cursor.written(pattern, position))

    def counted(client: DynamoClient, arguments: Arguments) -> int:
        return sum(_count(key_range, requests.counting(client, arguments)) for key_range in ranges(arguments))

    return counted if query.counts else get if pattern.kind == "get" else paged


NativeRequest: TypeAlias = dict[str, Any]
"""Parameters of a request by name."""


class Requests:
    """Requests of a query for one key range, prepared except for the values."""

    def __init__(self, binding: Binding[options.Item], query: QueryItems) -> None:
        self.query = query
        self.filters = [filter_of(binding, condition) for condition in query.filters]
        self.fixed: dict[str, Any] = {"TableName": query.table}
        if query.index:
            self.fixed["IndexName"] = query.index
        if query.is_backward:
            self.fixed["ScanIndexForward"] = False
        if query.is_strong:
            self.fixed["ConsistentRead"] = True
        # Only attributes that are returned, or needed for a fetch, are requested; the next page starts from the keys.
        self.attributes = query.keys if query.fetches else (*query.keys, *query.attributes) if query.attributes else ()

    def sending(self, client: DynamoClient, arguments: Arguments) -> Send:
        """Function that reads a page of a key range."""

        def send(key_range: KeyRange, start: Key | None, size: int | None) -> tuple[list[NativeItem], Key | None]:
            request = self._request(key_range, arguments, self.attributes)
            if start is not None:
                request["ExclusiveStartKey"] = start
            if size is not None:
                request["Limit"] = size
            answer = self.sent(client, key_range, request)
            return answer["Items"], answer.get("LastEvaluatedKey")

        return send

    def counting(
        self, client: DynamoClient, arguments: Arguments
    ) -> Callable[[KeyRange, Key | None], tuple[int, Key | None]]:
        """Function that counts the items of a key range."""

        def send(key_range: KeyRange, start: Key | None) -> tuple[int, Key | None]:
            request = self._request(key_range, arguments, (key_range.attribute,) if key_range.excluded else ())
            if not key_range.excluded:
                request["Select"] = "COUNT"
            if start is not None:
                request["ExclusiveStartKey"] = start
            answer = self.sent(client, key_range, request)
            count = answer["Count"]
            if key_range.excluded:
                count = sum(item[key_range.attribute] not in key_range.excluded for item in answer["Items"])
            return count, answer.get("LastEvaluatedKey")

        return send

    def sent(self, client: DynamoClient, key_range: KeyRange, request: NativeRequest) -> dict[str, Any]:
        """The answer to one request."""
        return client.query(**request)

    def _request(self, key_range: KeyRange, arguments: Arguments, attributes: Iterable[str]) -> dict[str, Any]:
        expression = RequestExpression()
        tests = [f"{expression.name(name)} = {expression.value(native)}" for name, native in key_range.key.items()]
        if key_range.test:
            tests.append(_test(expression, key_range))
        request = {**self.fixed}
        if tests:
            request["KeyConditionExpression"] = " AND ".join(tests)
        filters = [write_filter(expression, arguments) for write_filter in self.filters]
        if (discriminator := self.query.discriminator) is not None:
            name = expression.name(discriminator.attribute)
            values = [expression.value({"S": value}) for value in discriminator.values]
            filters.append(f"{name} IN ({', '.join(values)})" if discriminator.former else f"{name} = {values[0]}")
        if self.query.head is not None:
            attribute, value = self.query.head
            filters.append(f"begins_with({expression.name(attribute)}, {expression.value({'S': value})})")
        if filters:
            request["FilterExpression"] = " AND ".join(filters)
        if attributes:
            request["ProjectionExpression"] = ", ".join(expression.name(name) for name in dict.fromkeys(attributes))
        return {**request, **expression.parts()}


def _test(expression: RequestExpression, key_range: KeyRange) -> str:
    """Condition on the sort key attribute of a key range."""
    name, ends = expression.name(key_range.attribute), [expression.value(end) for end in key_range.ends]
    if key_range.test == "begins_with":
        return f"begins_with({name}, {ends[0]})"
    return f"{name} {key_range.test} {' AND '.join(ends)}"


def _count(key_range: KeyRange, send: Callable[[KeyRange, Key | None], tuple[int, Key | None]]) -> int:
    if key_range.is_empty:
        return 0
    count, start = send(key_range, None)
    while start is not None:
        page_count, start = send(key_range, start)
        count += page_count
    return count


def _fetched(client: DynamoClient, query: QueryItems, entries: list[NativeItem]) -> list[NativeItem]:
    """Items of index entries, in their order, without items that were deleted meanwhile."""
    keys = [{name: entry[name] for name in query.table_key} for entry in entries]
    items = get_items(client, query.table, keys, attributes=query.attributes)
    return [item for item in items if item is not None]
