"""Pages of a structure's elements: one key, several one after the other, or several merged in order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from keywright.declare.answers import Page
from keywright.engines.redis.access.calls import Near, Range
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.runtime.cursor import strange
from keywright.runtime.given import Given
from keywright.runtime.judge import Judge

from . import cursor
from .scores import ends_of, score_of
from .sending import keys_of, send
from .sources import Chunk, ListSource, NearSource, ScoreSource, SetSource, Source, StreamSource

CHUNK = 100
"""Elements asked for at the least where conditions are judged afterwards."""

WORLD_METRES = 20_037_509.0
"""Half the way around the globe: everything is nearer."""

Make = Callable[[Any], Any]


def pages(
    call: Range | Near, pattern: Pattern, binding: Binding, make: Make, test: Callable[[Given], Judge] | None
) -> Callable[[Any, Given], Page[Any]]:
    """A function from a client and a call to a page.

    make: the instance of a key and what the client answered. test: what is left to judge of it.
    """
    keys, source = keys_of(call.keys), _source(call, binding)
    merge = call.merge if isinstance(call, Range) else "one"
    is_backward = isinstance(call, Range) and call.is_backward
    is_moving = any(slot.kind == "recent" for slot in call.keys.filled.slots)

    def page(client: Any, given: Given) -> Page[Any]:
        if given.limit is not None and given.limit < 1:
            raise UsageError(f"a page has at least one item, not {given.limit}", "leave out limit=, or raise it")
        place = None if given.cursor is None else cursor.read(pattern, given.cursor)
        reading = _Reading(client, source(given), given.limit, is_filtered=test is not None, is_moving=is_moving)
        keep = test(given) if test else None
        walk = _merged(reading, keys(given), place, is_backward) if merge == "merge" else _walked(
            reading, keys(given), place
        )  # fmt: skip
        items: list[Any] = []
        for key, answer, behind in walk:
            item = make((key, answer))
            if keep is None or keep(item):
                items.append(item)
                if len(items) == given.limit:
                    return Page(tuple(items), None if behind is None else cursor.written(pattern, behind))
        return Page(tuple(items))

    return page


_SIMPLE: dict[str, Source] = {"list": ListSource(), "set": SetSource(), "stream": StreamSource()}


def _source(call: Range | Near, binding: Binding) -> Callable[[Given], Source]:
    if isinstance(call, Near):
        return lambda given: _near(call, given)
    simple = _SIMPLE.get(call.structure.kind)
    if simple is not None:
        return lambda given: simple
    field_of = binding.entity.attribute(call.structure.value or "")
    assert field_of is not None
    ends = ends_of(call.bounds, score_of(field_of))
    return lambda given: ScoreSource(ends(given), call.is_backward)


def _near(call: Near, given: Given) -> NearSource:
    (point,) = given.of(call.asked)
    if not isinstance(point, (tuple, list)) or len(point) not in (2, 3):
        name = call.asked.field
        raise UsageError(f'"{name}" is a point', f"write {name}=(longitude, latitude), or with metres behind them")
    longitude, latitude, *metres = map(float, point)
    return NearSource(longitude, latitude, metres[0] if metres else WORLD_METRES)


@dataclass(slots=True)
class _Reading:
    """One call's way through the elements."""

    client: Any
    source: Source
    limit: int | None
    is_filtered: bool
    is_moving: bool
    given: int = field(default=0)

    def count(self) -> int | None:
        """How many elements to ask for next."""
        if self.limit is None:
            return None
        return max(self.limit, CHUNK) if self.is_filtered else self.limit - self.given

    def chunks(self, asked: list[tuple[str, Any]], count: int | None) -> list[Chunk]:
        """What stands behind some places, in one round trip; the source says how an answer is read."""
        replies = send(self.client, [self.source.ask(key, place, count) for key, place in asked])
        return [
            self.source.read(reply, place, count) for (_, place), reply in zip(asked, replies, strict=True)
        ]  # fmt: skip


def _walked(reading: _Reading, keys: list[str], place: Any) -> Iterator[tuple[str, Any, Any]]:
    """(key, answer, the cursor's state behind it) of one key after the other; a state is [key, place]."""
    at, inner = 0, None
    if place is not None:
        key, inner = place
        if key not in keys:
            if reading.is_moving:  # the newest buckets move on, and this one is none of them any more
                return
            raise strange()
        at = keys.index(key)
    if reading.limit is None and len(keys) > 1:
        whole = reading.chunks([(key, None) for key in keys[at:]], None)
        for key, chunk in zip(keys[at:], whole, strict=True):
            yield from ((key, answer, None) for answer, _ in chunk.found)
        return
    while at < len(keys):
        (chunk,) = reading.chunks([(keys[at], inner)], reading.count())
        following = [keys[at + 1], None] if at + 1 < len(keys) else None
        for number, (answer, behind) in enumerate(chunk.found, 1):
            is_last = number == len(chunk.found) and chunk.behind is None
            reading.given += 1
            yield keys[at], answer, following if is_last else [keys[at], behind]
        inner = chunk.behind
        at += inner is None


@dataclass(slots=True)
class _Stream:
    """The elements of one key that wait to be merged."""

    key: str
    place: Any = None
    """Behind what has been given."""
    found: list[tuple[Any, Any]] = field(default_factory=list)
    """What has been read and not given, the next one last."""
    behind: Any = None
    is_over: bool = False
    """Whether nothing is to be read behind what has been."""


def _merged(
    reading: _Reading, keys: list[str], place: Any, is_backward: bool
) -> Iterator[tuple[str, Any, Any]]:  # fmt: skip
    """(key, answer, the cursor's state behind it), in order over all keys; a state is the place of each key."""
    known = place or {}
    if not known.keys() <= set(keys) and not reading.is_moving:
        raise strange()
    streams = [_Stream(key, known.get(key), behind=known.get(key)) for key in keys]
    for stream in streams:
        stream.is_over = key_is_over(known.get(stream.key))
    choose = max if is_backward else min
    while True:
        empty = [one for one in streams if not one.found and not one.is_over]
        while empty:
            _fill(reading, empty)
            empty = [one for one in empty if not one.found and not one.is_over]
        heads = [one for one in streams if one.found]
        if not heads:
            return
        best = choose(heads, key=lambda one: reading.source.rank(*one.found[-1]))
        answer, best.place = best.found.pop()
        reading.given += 1
        if best.is_over and not best.found:
            best.place = OVER
        is_end = all(one.is_over and not one.found for one in streams)
        state = {one.key: one.place for one in streams if one.place is not None}
        yield best.key, answer, None if is_end else state


OVER = False
"""The place behind the last element of a key that is merged with others."""


def key_is_over(place: Any) -> bool:
    """Whether a cursor says that a key has no more."""
    return place is OVER


def _fill(reading: _Reading, streams: list[_Stream]) -> None:
    count = reading.count()
    chunks = reading.chunks([(one.key, one.behind) for one in streams], count)
    for one, chunk in zip(streams, chunks, strict=True):
        one.found, one.behind = chunk.found[::-1], chunk.behind
        one.is_over = chunk.behind is None
        if one.is_over and not one.found:
            one.place = OVER
