"""Key ranges as streams of items, in sequence or merged, from the end of an earlier page."""

from collections import deque
from collections.abc import Callable
from itertools import groupby
from typing import Any

from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.access.cost.read import chunk, items_examined
from keywright.engines.dynamodb.schema.capabilities import PAGE_BYTES
from keywright.record import replace
from keywright.runtime.cursor import foreign

from .cursor import PagePosition
from .natives import ordered
from .spans import Key, KeyRange

NativeItem = dict[str, Any]
Send = Callable[[KeyRange, "Key | None", "int | None"], tuple[list[NativeItem], "Key | None"]]
"""(key range, start key, items to examine): items read, and the start key of the next request; None at the end."""


class ItemStream:
    """Items of one key range, requested on demand."""

    def __init__(self, key_range: KeyRange, query: QueryItems, send: Send, last: Key | None) -> None:
        self.key_range, self._query, self._send = key_range, query, send
        self.last = last
        self.is_done = key_range.is_empty
        self._next = last
        self._items: deque[NativeItem] = deque()
        self._times = 1

    def peek(self, size: int | None) -> NativeItem | None:
        """The next item; None at the end. size: items to request at once."""
        while not self._items and not self.is_done:
            items, self._next = self._send(
                self.key_range, self._next, size and min(size * self._times, PAGE_BYTES.value)
            )
            # If fewer items pass than declared, few requests still suffice; a scan drops items of other entities too.
            if self._query.share is not None or self._query.scans:
                self._times *= 2
            self.is_done = self._next is None
            if self.key_range.excluded:
                attribute, excluded = self.key_range.attribute, self.key_range.excluded
                items = [item for item in items if item[attribute] not in excluded]
            self._items.extend(items)
        return self._items[0] if self._items else None

    def take(self) -> NativeItem:
        """The item of the last `peek`."""
        item = self._items.popleft()
        self.last = {name: item[name] for name in self._query.keys}
        return item

    @property
    def is_over(self) -> bool:
        """Whether no items remain."""
        return self.is_done and not self._items

    def place(self, item: NativeItem) -> tuple[Any, ...]:
        """Sort key of an item among the items of other streams."""
        values: list[Any] = []
        for name in self._query.sorts:
            if name != self.key_range.attribute:
                values.append(ordered(item[name]))
            elif self.key_range.test != "=":  # a value common to the whole stream is not compared
                values.append(
                    ordered(item[name])[self.key_range.skip :] if self.key_range.skip else ordered(item[name])
                )
        return tuple(values)


def page(
    query: QueryItems, ranges: list[KeyRange], send: Send, limit: int | None, start: PagePosition | None
) -> tuple[list[NativeItem], PagePosition | None]:
    """Items of one page, and the position of the next; None if there is certainly no further item."""
    groups = _groups(query, ranges)
    first_group = _first_group(query, groups, start)
    items: list[NativeItem] = []
    for number in range(first_group, len(groups)):
        name, members = groups[number]
        keys = start.keys if start is not None and number == first_group else {}
        if keys.keys() - {key_range.id for key_range in members}:
            raise foreign()
        streams = [_stream(key_range, query, send, keys) for key_range in members]
        _fill(items, streams, query, limit)
        if limit is not None and len(items) >= limit:
            return items, _next_position(name, streams, is_last=number == len(groups) - 1)
    return items, None


def _groups(query: QueryItems, ranges: list[KeyRange]) -> list[tuple[str, list[KeyRange]]]:
    """Groups of key ranges that are merged, in reading order."""
    if not query.merges:
        return [(key_range.id, [key_range]) for key_range in ranges]
    if not query.walked:
        return [("", ranges)] if ranges else []
    # Times of one bucket need not be adjacent, if shards precede them in the key.
    buckets = list(dict.fromkeys(key_range.group for key_range in ranges))
    in_order = sorted(ranges, key=lambda key_range: buckets.index(key_range.group))
    return [(bucket, list(members)) for bucket, members in groupby(in_order, key=lambda key_range: key_range.group)]


def _first_group(query: QueryItems, groups: list[tuple[str, list[KeyRange]]], start: PagePosition | None) -> int:
    """Index of the group with which a page begins."""
    if start is None:
        return 0
    names = [name for name, _ in groups]
    if start.group in names:
        return names.index(start.group)
    raise foreign()


def _stream(key_range: KeyRange, query: QueryItems, send: Send, last_keys: dict[str, Key | None]) -> ItemStream:
    last = last_keys.get(key_range.id)
    if last is not None and query.copies > 1:
        # The same read copy as before, whose number is in the key.
        partition_attribute = query.key[0].attribute
        key_range = replace(key_range, key={**key_range.key, partition_attribute: last[partition_attribute]})
    stream = ItemStream(key_range, query, send, last)
    if key_range.id in last_keys and last_keys[key_range.id] is None:
        stream.is_done = True
    return stream


def _fill(items: list[NativeItem], streams: list[ItemStream], query: QueryItems, limit: int | None) -> None:
    """Take the first item of all streams until the page is full or they are exhausted."""
    size = None
    if limit is not None:
        remaining = limit - len(items)
        size = chunk(remaining, len(streams))
        if query.filters or query.discriminator or query.head:
            size = items_examined(size, query.share)
    choose = max if query.is_backward else min
    if len(streams) == 1:
        (stream,) = streams
        while (limit is None or len(items) < limit) and stream.peek(size) is not None:
            items.append(stream.take())
        return
    while limit is None or len(items) < limit:
        next_items = [(stream, item) for stream in streams if (item := stream.peek(size)) is not None]
        if not next_items:
            return
        first, _ = choose(next_items, key=lambda next_item: next_item[0].place(next_item[1]))
        items.append(first.take())


def _next_position(name: str, streams: list[ItemStream], *, is_last: bool) -> PagePosition | None:
    """Position of the next page, after the items taken from a group."""
    if is_last and all(stream.is_over for stream in streams):
        return None
    keys: dict[str, Key | None] = {}
    for stream in streams:
        if stream.is_over:
            keys[stream.key_range.id] = None
        elif stream.last is not None:
            keys[stream.key_range.id] = stream.last
    return PagePosition(name, keys)
