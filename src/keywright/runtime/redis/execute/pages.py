"""Pages of a structure's elements: from one key, from several keys in turn, or from several keys merged in order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from keywright.declare.answers import Page
from keywright.engines.redis.access.calls import Near, Range
from keywright.engines.redis.declare.options import Structure
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.runtime.cursor import foreign
from keywright.runtime.residual_filter import Judge
from keywright.runtime.validate.arguments import Arguments

from ..client_types import RedisClient
from . import cursor
from .scores import score_ends
from .sending import keys_of, send
from .sources import Chunk, ElementSource, ListSource, NearSource, ScoreSource, SetSource, StreamSource

CHUNK = 100
"""The least number of elements to request if there is a residual filter."""

WORLD_METRES = 20_037_509.0
"""Half the circumference of the globe, which is the largest distance."""

Make = Callable[[Any], Any]


def pages(
    call: Range | Near,
    pattern: Pattern,
    binding: Binding[Structure],
    make: Make,
    test: Callable[[Arguments], Judge] | None,
) -> Callable[[RedisClient, Arguments], Page[Any]]:
    """A function from a client and a call to a page.

    make: a function from a key and the client's answer to an instance. test: the residual filter.
    """
    keys, source = keys_of(call.keys), _source(call, binding)
    merge = call.merge if isinstance(call, Range) else "one"
    is_backward = isinstance(call, Range) and call.is_backward
    is_moving = any(slot.kind == "recent" for slot in call.keys.filled.slots)

    def page(client: RedisClient, arguments: Arguments) -> Page[Any]:
        if arguments.limit is not None and arguments.limit < 1:
            raise UsageError(f"a page has at least one item, not {arguments.limit}", "omit limit=, or raise it")
        place = None if arguments.cursor is None else cursor.read(pattern, arguments.cursor)
        reading = _Reading(
            client, source(arguments), arguments.limit, is_filtered=test is not None, is_moving=is_moving
        )
        keep = test(arguments) if test else None
        walk = _merged(reading, keys(arguments), place, is_backward) if merge == "merge" else _walked(
            reading, keys(arguments), place
        )  # fmt: skip
        items: list[Any] = []
        for key, answer, behind in walk:
            item = make((key, answer))
            if keep is None or keep(item):
                items.append(item)
                if len(items) == arguments.limit:
                    return Page(tuple(items), None if behind is None else cursor.written(pattern, behind))
        return Page(tuple(items))

    return page


_SIMPLE: dict[str, ElementSource] = {"list": ListSource(), "set": SetSource(), "stream": StreamSource()}


def _source(call: Range | Near, binding: Binding[Structure]) -> Callable[[Arguments], ElementSource]:
    if isinstance(call, Near):
        return lambda arguments: _near(call, arguments)
    simple = _SIMPLE.get(call.structure.kind)
    if simple is not None:
        return lambda arguments: simple
    ends = score_ends(call.bounds, binding)
    return lambda arguments: ScoreSource(ends(arguments), call.is_backward)


def _near(call: Near, arguments: Arguments) -> NearSource:
    (point,) = arguments.of(call.condition)
    if not isinstance(point, (tuple, list)) or len(point) not in (2, 3):
        name = call.condition.field
        raise UsageError(f'"{name}" is a point', f"write {name}=(longitude, latitude), or with metres after them")
    longitude, latitude, *metres = map(float, point)
    return NearSource(longitude, latitude, metres[0] if metres else WORLD_METRES)


@dataclass(slots=True)
class _Reading:
    """The progress of one call through the elements."""

    client: RedisClient
    source: ElementSource
    limit: int | None
    is_filtered: bool
    is_moving: bool
    returned: int = field(default=0)

    def count(self) -> int | None:
        """The number of elements to request next."""
        if self.limit is None:
            return None
        return max(self.limit, CHUNK) if self.is_filtered else self.limit - self.returned

    def chunks(self, positions: list[tuple[str, Any]], count: int | None) -> list[Chunk]:
        """The elements after some places, in one round trip."""
        replies = send(self.client, [self.source.ask(key, place, count) for key, place in positions])
        return [
            self.source.read(reply, place, count) for (_, place), reply in zip(positions, replies, strict=True)
        ]  # fmt: skip


def _walked(reading: _Reading, keys: list[str], place: Any) -> Iterator[tuple[str, Any, Any]]:
    """(key, answer, the cursor's state after it) of one key after the other; a state is [key, place]."""
    index, inner_place = 0, None
    if place is not None:
        key, inner_place = place
        if key not in keys:
            if reading.is_moving:  # this bucket is no longer among the newest ones
                return
            raise foreign()
        index = keys.index(key)
    if reading.limit is None and len(keys) > 1:
        chunks = reading.chunks([(key, None) for key in keys[index:]], None)
        for key, chunk in zip(keys[index:], chunks, strict=True):
            yield from ((key, answer, None) for answer, _ in chunk.elements)
        return
    while index < len(keys):
        (chunk,) = reading.chunks([(keys[index], inner_place)], reading.count())
        following = [keys[index + 1], None] if index + 1 < len(keys) else None
        for number, (answer, behind) in enumerate(chunk.elements, 1):
            is_last = number == len(chunk.elements) and chunk.behind is None
            reading.returned += 1
            yield keys[index], answer, following if is_last else [keys[index], behind]
        inner_place = chunk.behind
        index += inner_place is None


@dataclass(slots=True)
class _Stream:
    """The elements of one key that wait to be merged."""

    key: str
    place: Any = None
    """Place after the last returned element."""
    waiting: list[tuple[Any, Any]] = field(default_factory=list)
    """Elements that have been read and not returned, the next element last."""
    behind: Any = None
    is_over: bool = False
    """Whether all elements of the key have been read."""


def _merged(
    reading: _Reading, keys: list[str], place: Any, is_backward: bool
) -> Iterator[tuple[str, Any, Any]]:  # fmt: skip
    """(key, answer, the cursor's state after it), in order over all keys; a state is the place of each key."""
    places = place or {}
    if not places.keys() <= set(keys) and not reading.is_moving:
        raise foreign()
    streams = [_Stream(key, places.get(key), behind=places.get(key)) for key in keys]
    for stream in streams:
        stream.is_over = key_is_over(places.get(stream.key))
    choose = max if is_backward else min
    while True:
        empty = [stream for stream in streams if not stream.waiting and not stream.is_over]
        while empty:
            _fill(reading, empty)
            empty = [stream for stream in empty if not stream.waiting and not stream.is_over]
        heads = [stream for stream in streams if stream.waiting]
        if not heads:
            return
        best = choose(heads, key=lambda stream: reading.source.rank(*stream.waiting[-1]))
        answer, best.place = best.waiting.pop()
        reading.returned += 1
        if best.is_over and not best.waiting:
            best.place = OVER
        is_end = all(stream.is_over and not stream.waiting for stream in streams)
        state = {stream.key: stream.place for stream in streams if stream.place is not None}
        yield best.key, answer, None if is_end else state


OVER = False
"""The place after the last element of a key that is merged with others."""


def key_is_over(place: Any) -> bool:
    """Whether a key has no more elements after a place."""
    return place is OVER


def _fill(reading: _Reading, streams: list[_Stream]) -> None:
    count = reading.count()
    chunks = reading.chunks([(stream.key, stream.behind) for stream in streams], count)
    for stream, chunk in zip(streams, chunks, strict=True):
        stream.waiting, stream.behind = chunk.elements[::-1], chunk.behind
        stream.is_over = chunk.behind is None
        if stream.is_over and not stream.waiting:
            stream.place = OVER
