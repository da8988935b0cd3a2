"""Queries of the table and of indexes: pages, first items and counts."""

from collections.abc import Callable, Iterable
from typing import Any

from keywright.declare.answers import Page
from keywright.engines.dynamodb.access.calls import Query
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.runtime.codec import Call, Codec
from keywright.runtime.given import Given

from ..part import reading
from . import cursor
from .batches import get_items
from .conditions import Expression, judge_of
from .spans import Key, Spot
from .spots import spots_of
from .streams import Item, Send, page


def prepare_query(pattern: Pattern, binding: Binding, query: Query, codec: Codec[Any]) -> Call:
    """A query as a function of a client and of what a call gives."""
    spots, requests = spots_of(binding, query), Requests(binding, query)
    read = reading(codec, binding, pattern.fields)

    def items(client: Any, given: Given, limit: int | None) -> tuple[list[Any], cursor.Position | None]:
        begin = cursor.read(pattern, given.cursor) if given.cursor is not None else None
        found, position = page(query, spots(given), requests.sending(client, given), limit, begin)
        if query.fetches:
            found = _fetched(client, query, found)
        return [read(item) for item in found], position

    def get(client: Any, given: Given) -> Any:
        found, _ = items(client, given, 1)
        return found[0] if found else None

    def paged(client: Any, given: Given) -> Any:
        found, position = items(client, given, given.limit)
        return Page(tuple(found), None if position is None else cursor.written(pattern, position))

    def counted(client: Any, given: Given) -> int:
        return sum(_count(spot, requests.counting(client, given)) for spot in spots(given))

    return counted if query.counts else get if pattern.kind == "get" else paged


class Requests:
    """What a query sends for one spot, of which all but the values is made once."""

    def __init__(self, binding: Binding, query: Query) -> None:
        self.query = query
        self.judges = [judge_of(binding, one) for one in query.filters]
        self.fixed: dict[str, Any] = {"TableName": query.table}
        if query.index:
            self.fixed["IndexName"] = query.index
        if query.is_backward:
            self.fixed["ScanIndexForward"] = False
        if query.is_strong:
            self.fixed["ConsistentRead"] = True
        # Only what is fetched afterwards, or given back, is asked for; keys are needed to go on behind an item.
        self.wanted = query.keys if query.fetches else (*query.keys, *query.attributes) if query.attributes else ()

    def sending(self, client: Any, given: Given) -> Send:
        """How a page of a spot is read."""

        def send(spot: Spot, begin: Key | None, size: int | None) -> tuple[list[Item], Key | None]:
            request = self._request(spot, given, self.wanted)
            if begin is not None:
                request["ExclusiveStartKey"] = begin
            if size is not None:
                request["Limit"] = size
            answer = client.query(**request)
            return answer["Items"], answer.get("LastEvaluatedKey")

        return send

    def counting(self, client: Any, given: Given) -> Callable[[Spot, Key | None], tuple[int, Key | None]]:
        """How the items of a spot are counted."""

        def send(spot: Spot, begin: Key | None) -> tuple[int, Key | None]:
            request = self._request(spot, given, (spot.attribute,) if spot.excluded is not None else ())
            if spot.excluded is None:
                request["Select"] = "COUNT"
            if begin is not None:
                request["ExclusiveStartKey"] = begin
            answer = client.query(**request)
            count = answer["Count"]
            if spot.excluded is not None:
                count = sum(item[spot.attribute] != spot.excluded for item in answer["Items"])
            return count, answer.get("LastEvaluatedKey")

        return send

    def _request(self, spot: Spot, given: Given, wanted: Iterable[str]) -> dict[str, Any]:
        expression = Expression()
        tests = [f"{expression.name(name)} = {expression.value(native)}" for name, native in spot.key.items()]
        if spot.test:
            tests.append(_test(expression, spot))
        request = {**self.fixed, "KeyConditionExpression": " AND ".join(tests)}
        filters = [judge(expression, given) for judge in self.judges]
        if self.query.mark is not None:
            attribute, value = self.query.mark
            filters.append(f"{expression.name(attribute)} = {expression.value({'S': value})}")
        if self.query.head is not None:
            attribute, value = self.query.head
            filters.append(f"begins_with({expression.name(attribute)}, {expression.value({'S': value})})")
        if filters:
            request["FilterExpression"] = " AND ".join(filters)
        if wanted:
            request["ProjectionExpression"] = ", ".join(expression.name(name) for name in dict.fromkeys(wanted))
        return {**request, **expression.parts()}


def _test(expression: Expression, spot: Spot) -> str:
    """The condition on the sort key attribute that is read in part."""
    name, ends = expression.name(spot.attribute), [expression.value(end) for end in spot.ends]
    if spot.test == "begins_with":
        return f"begins_with({name}, {ends[0]})"
    return f"{name} {spot.test} {' AND '.join(ends)}"


def _count(spot: Spot, send: Callable[[Spot, Key | None], tuple[int, Key | None]]) -> int:
    if spot.is_empty:
        return 0
    found, begin = send(spot, None)
    while begin is not None:
        more, begin = send(spot, begin)
        found += more
    return found


def _fetched(client: Any, query: Query, entries: list[Item]) -> list[Item]:
    """The items of some index entries, in their order; one that was removed meanwhile is left out."""
    keys = [{name: entry[name] for name in query.table_key} for entry in entries]
    found = get_items(client, query.table, keys, attributes=query.attributes)
    return [item for item in found if item is not None]
