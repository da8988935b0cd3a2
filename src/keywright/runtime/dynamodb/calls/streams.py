"""Partitions as streams of items, one after the other or merged, from where an earlier page ended."""

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import Any

from keywright.engines.dynamodb.access.calls import Query
from keywright.engines.dynamodb.access.cost_read import chunk
from keywright.runtime.cursor import strange

from .cursor import Position
from .natives import ordered
from .spans import Key, Spot

Item = dict[str, Any]
Send = Callable[[Spot, "Key | None", "int | None"], tuple[list[Item], "Key | None"]]
"""(spot, where to begin, items to look at): what was read, and where the next request begins; None at the end."""

LOOKED_AT = 100
"""Items that a request looks at, where a filter lets few of them through."""


class Stream:
    """The items of one spot, asked for when they are wanted."""

    def __init__(self, spot: Spot, query: Query, send: Send, last: Key | None) -> None:
        self.spot, self._query, self._send = spot, query, send
        self.last = last
        self.is_done = spot.is_empty
        self._next = last
        self._items: deque[Item] = deque()

    def peek(self, size: int | None) -> Item | None:
        """The next item; None at the end. size: items to ask for at once."""
        while not self._items and not self.is_done:
            items, self._next = self._send(self.spot, self._next, size)
            self.is_done = self._next is None
            if self.spot.excluded is not None:
                attribute, excluded = self.spot.attribute, self.spot.excluded
                items = [item for item in items if item[attribute] != excluded]
            self._items.extend(items)
        return self._items[0] if self._items else None

    def take(self) -> Item:
        """The item that was seen last."""
        item = self._items.popleft()
        self.last = {name: item[name] for name in self._query.keys}
        return item

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self.is_done and not self._items

    def place(self, item: Item) -> tuple[Any, ...]:
        """What an item is compared by with those of other streams."""
        found: list[Any] = []
        for name in self._query.sorts:
            if name != self.spot.attribute:
                found.append(ordered(item[name]))
            elif self.spot.test != "=":  # what all of the stream have in common is not compared
                found.append(ordered(item[name])[self.spot.skip :] if self.spot.skip else ordered(item[name]))
        return tuple(found)


def page(
    query: Query, spots: list[Spot], send: Send, limit: int | None, begin: Position | None
) -> tuple[list[Item], Position | None]:
    """The items of one page, and where the next begins; None where there is surely no more."""
    groups = _groups(query, spots)
    at = _resumed(query, groups, begin)
    found: list[Item] = []
    for number in range(at, len(groups)):
        name, members = groups[number]
        known = begin.keys if begin is not None and number == at else {}
        if known.keys() - {spot.id for spot in members}:
            raise strange()
        streams = [_stream(spot, query, send, known) for spot in members]
        _fill(found, streams, query, limit)
        if limit is not None and len(found) >= limit:
            return found, _after(name, streams, is_last=number == len(groups) - 1)
    return found, None


def _groups(query: Query, spots: list[Spot]) -> list[tuple[str, list[Spot]]]:
    """The spots that are merged with one another, in the order in which they are read."""
    if not query.merges:
        return [(spot.id, [spot]) for spot in spots]
    if not query.walked:
        return [("", spots)] if spots else []
    # Times with the same bucket need not stand together, where shards stand before them in the key.
    forms = list(dict.fromkeys(spot.group for spot in spots))
    in_order = sorted(spots, key=lambda spot: forms.index(spot.group))
    return [(form, list(members)) for form, members in groupby(in_order, key=lambda spot: spot.group)]


def _resumed(query: Query, groups: list[tuple[str, list[Spot]]], begin: Position | None) -> int:
    """Which group a page begins with."""
    if begin is None:
        return 0
    names = [name for name, _ in groups]
    if begin.group in names:
        return names.index(begin.group)
    raise strange()


def _stream(spot: Spot, query: Query, send: Send, known: dict[str, Key | None]) -> Stream:
    last = known.get(spot.id)
    if last is not None and query.copies > 1:
        # The same read copy as before: its number stands in the key.
        first = query.key[0].attribute
        spot = replace(spot, key={**spot.key, first: last[first]})
    stream = Stream(spot, query, send, last)
    if spot.id in known and known[spot.id] is None:
        stream.is_done = True
    return stream


def _fill(found: list[Item], streams: list[Stream], query: Query, limit: int | None) -> None:
    """Take the first item of all streams until the page is full or they are over."""
    size = None
    if limit is not None:
        wanted = limit - len(found)
        size = chunk(wanted, len(streams))
        if query.filters or query.mark or query.head:
            size = max(size, LOOKED_AT)
    pick = max if query.is_backward else min
    if len(streams) == 1:
        (stream,) = streams
        while (limit is None or len(found) < limit) and stream.peek(size) is not None:
            found.append(stream.take())
        return
    while limit is None or len(found) < limit:
        heads = [(stream, item) for stream in streams if (item := stream.peek(size)) is not None]
        if not heads:
            return
        first, _ = pick(heads, key=lambda head: head[0].place(head[1]))
        found.append(first.take())


def _after(name: str, streams: list[Stream], *, is_last: bool) -> Position | None:
    """Where the next page begins, behind what was taken of a group."""
    if is_last and all(stream.is_over for stream in streams):
        return None
    keys: dict[str, Key | None] = {}
    for stream in streams:
        if stream.is_over:
            keys[stream.spot.id] = None
        elif stream.last is not None:
            keys[stream.spot.id] = stream.last
    return Position(name, keys)
