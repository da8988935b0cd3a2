"""Where pages come from: each structure's way to ask for elements behind a place, and to read the answer."""

from dataclasses import dataclass
from typing import Any, Protocol

from keywright.engines.redis.item import Command

from .. import values
from .scores import Ends, pairs, words, written


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some elements in order."""

    found: list[tuple[Any, Any]]
    """(what the client answered for one, the place behind it)."""
    behind: Any = None
    """The place behind all of them; None where there is no more."""


class Source(Protocol):
    """The elements under one key; a place is JSON, None for the beginning."""

    def ask(self, key: str, place: Any, count: int | None) -> Command:
        """The command for `count` elements behind a place, or for all."""

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """What the answer holds."""

    def rank(self, answer: Any, place: Any) -> Any:
        """What an element is ordered by, where several keys are merged."""


@dataclass(frozen=True, slots=True)
class ListSource:
    """Elements of a list from the left, the latest first; a place is an index."""

    def ask(self, key: str, place: Any, count: int | None) -> Command:
        """See `Source.ask`."""
        first = place or 0
        return ("LRANGE", key, first, -1 if count is None else first + count - 1)

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `Source.read`."""
        first = place or 0
        found = [(element, first + at + 1) for at, element in enumerate(reply)]
        return Chunk(found, None if count is None or len(reply) < count else first + len(reply))

    def rank(self, answer: Any, place: Any) -> Any:
        """See `Source.rank`: lists are read one after the other."""
        return None


@dataclass(frozen=True, slots=True)
class SetSource:
    """Members of a set; a place is a cursor of SSCAN and how many of its members are done with.

    COUNT is a hint: a small set is answered whole, so a page may end inside an answer, which is then asked for again.
    """

    def ask(self, key: str, place: Any, count: int | None) -> Command:
        """See `Source.ask`."""
        if count is None and place is None:
            return ("SMEMBERS", key)
        return ("SSCAN", key, place[0] if place else "0", "COUNT", count or 1_000)

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `Source.read`."""
        if count is None and place is None:
            return Chunk([(member, None) for member in reply])
        cursor, done = place or ("0", 0)
        rest, members = str(values.to_text(reply[0])), list(reply[1])
        behind = None if rest == "0" else [rest, max(0, done - len(members))]
        found: list[tuple[Any, Any]] = [(member, [cursor, done + at + 1]) for at, member in enumerate(members[done:])]
        if found:
            found[-1] = (found[-1][0], behind)
        return Chunk(found, behind)

    def rank(self, answer: Any, place: Any) -> Any:
        """See `Source.rank`: sets are read one after the other."""
        return None


@dataclass(frozen=True, slots=True)
class StreamSource:
    """Entries of a stream, the latest first; a place is the id of an entry."""

    def ask(self, key: str, place: Any, count: int | None) -> Command:
        """See `Source.ask`."""
        last = "+" if place is None else f"({place}"
        return ("XREVRANGE", key, last, "-", *(() if count is None else ("COUNT", count)))

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `Source.read`."""
        found = [(fields, values.to_text(id)) for id, fields in reply or ()]
        return Chunk(found, None if count is None or len(found) < count else found[-1][1])

    def rank(self, answer: Any, place: Any) -> Any:
        """See `Source.rank`: milliseconds, then the number among those of one millisecond."""
        return tuple(int(part) for part in str(place).split("-"))


@dataclass(frozen=True, slots=True)
class ScoreSource:
    """Members of a sorted set by score; a place is (score, member, how many with that score are done with).

    Reading on begins at the last member itself: if it is where it was, nothing has moved. If not, its whole score is
    read again and what is not behind the member is left out; the count is then negative: how far that has come.
    """

    ends: Ends
    """The scores that are wanted."""
    is_backward: bool
    """Whether the highest come first."""

    def ask(self, key: str, place: Any, count: int | None) -> Command:
        """See `Source.ask`."""
        low, high = words(self.ends)
        skipped, taken = 0, -1 if count is None else count
        if place is not None:
            score, _, done = place
            low, high = (low, written(score)) if self.is_backward else (written(score), high)
            skipped, taken = (done - 1, taken + 1 if count else -1) if done > 0 else (-done, taken)
        first, last = (high, low) if self.is_backward else (low, high)
        order = ("REV",) if self.is_backward else ()
        page = () if (skipped, taken) == (0, -1) else ("LIMIT", skipped, taken)
        return ("ZRANGE", key, first, last, "BYSCORE", *order, *page, "WITHSCORES")

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `Source.read`."""
        found = pairs(reply)
        if place is None:
            return self._chunk(found, 0, None, is_last=count is None or len(found) < count)
        score, member, done = place
        if done > 0:
            if not found or found[0] != (member, score):
                return Chunk([], [score, member, 0])  # something has moved: read the score again
            is_last = count is None or len(found) < count + 1
            return self._chunk(found[1:], done, score, is_last=is_last)
        is_last = count is None or len(found) < count
        behind = next((at for at, one in enumerate(found) if self._is_behind(one, score, member)), len(found))
        if behind == len(found):
            return Chunk([], None if is_last else [score, member, done - len(found)])
        return self._chunk(found[behind:], behind - done, score, is_last=is_last)

    def _is_behind(self, one: tuple[str, float], score: float, member: str) -> bool:
        if one[1] != score:
            return True
        mine, last = one[0].encode(), member.encode()
        return mine < last if self.is_backward else mine > last

    def _chunk(self, found: list[tuple[str, float]], done: int, score: float | None, *, is_last: bool) -> Chunk:
        """done: how many members with that score came before."""
        placed: list[tuple[Any, Any]] = []
        for member, number in found:
            done, score = (done + 1 if number == score else 1), number
            placed.append(((member, number), [number, member, done]))
        return Chunk(placed, None if is_last or not placed else placed[-1][1])

    def rank(self, answer: Any, place: Any) -> Any:
        """See `Source.rank`."""
        return answer[1], answer[0].encode()


@dataclass(frozen=True, slots=True)
class NearSource:
    """Members by distance; a place is (how many are done with, the last distance, those at that distance)."""

    longitude: float
    """Degrees east."""
    latitude: float
    """Degrees north."""
    metres: float
    """How far away at the most."""

    def ask(self, key: str, place: Any, count: int | None) -> Command:
        """See `Source.ask`: there is no offset, so all before are asked for again."""
        point = ("FROMLONLAT", repr(self.longitude), repr(self.latitude))
        page = () if count is None else ("COUNT", count + (place[0] if place else 0))
        return ("GEOSEARCH", key, *point, "BYRADIUS", repr(self.metres), "m", "ASC", *page, "WITHCOORD", "WITHDIST")

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `Source.read`: members at one distance come in order of their bytes, as the server does not tell."""
        done, last, there = place or (0, -1.0, [])
        found = sorted(((float(far), values.to_text(member), at) for member, far, at in reply), key=lambda one: one[:2])
        placed: list[tuple[Any, Any]] = []
        for far, member, at in found:
            if far < last or (far == last and member in there):
                continue
            done, there, last = done + 1, ([*there, member] if far == last else [member]), far
            placed.append(((member, at), [done, last, there]))
        is_last = count is None or len(found) < count + (place[0] if place else 0)
        return Chunk(placed, None if is_last or not placed else placed[-1][1])

    def rank(self, answer: Any, place: Any) -> Any:
        """See `Source.rank`: one key is asked."""
        return None
