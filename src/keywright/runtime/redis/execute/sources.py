"""Sources of pages: for each structure, the command for the elements after a place, and the parsing of the answer."""

from typing import Any, Protocol

from keywright.engines.redis.schema.item import RedisCommand
from keywright.record import Record

from .. import values
from .scores import Ends, pairs, words, written


class Chunk(Record):
    """Some elements in order."""

    elements: list[tuple[Any, Any]]
    """(client's answer, place after the element) of each element."""
    behind: Any = None
    """The place after the last element; None if there are no more."""


class ElementSource(Protocol):
    """The elements under one key; a place is JSON, None for the start."""

    def ask(self, key: str, place: Any, count: int | None) -> RedisCommand:
        """The command for `count` elements after a place, or for all."""

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """The elements in an answer."""

    def rank(self, answer: Any, place: Any) -> Any:
        """The sort key of an element when several keys are merged."""


class ListSource(Record):
    """Elements of a list from the left, the latest first; a place is an index."""

    def ask(self, key: str, place: Any, count: int | None) -> RedisCommand:
        """See `ElementSource.ask`."""
        first = place or 0
        return ("LRANGE", key, first, -1 if count is None else first + count - 1)

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `ElementSource.read`."""
        first = place or 0
        elements = [(element, first + index + 1) for index, element in enumerate(reply)]
        return Chunk(elements, None if count is None or len(reply) < count else first + len(reply))

    def rank(self, answer: Any, place: Any) -> Any:
        """See `ElementSource.rank`: lists are read one after the other."""
        return None


class SetSource(Record):
    """Members of a set; a place is a cursor of SSCAN and the number of its members that were returned.

    COUNT is a hint: a small set is returned whole, so a page may end inside an answer, which is then requested again.
    """

    def ask(self, key: str, place: Any, count: int | None) -> RedisCommand:
        """See `ElementSource.ask`."""
        if count is None and place is None:
            return ("SMEMBERS", key)
        return ("SSCAN", key, place[0] if place else "0", "COUNT", count or 1_000)

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `ElementSource.read`."""
        if count is None and place is None:
            return Chunk([(member, None) for member in reply])
        cursor, done = place or ("0", 0)
        next_cursor, members = str(values.to_text(reply[0])), list(reply[1])
        behind = None if next_cursor == "0" else [next_cursor, max(0, done - len(members))]
        elements: list[tuple[Any, Any]] = [
            (member, [cursor, done + index + 1]) for index, member in enumerate(members[done:])
        ]
        if elements:
            elements[-1] = (elements[-1][0], behind)
        return Chunk(elements, behind)

    def rank(self, answer: Any, place: Any) -> Any:
        """See `ElementSource.rank`: sets are read one after the other."""
        return None


class StreamSource(Record):
    """Entries of a stream, the latest first; a place is the id of an entry."""

    def ask(self, key: str, place: Any, count: int | None) -> RedisCommand:
        """See `ElementSource.ask`."""
        last = "+" if place is None else f"({place}"
        return ("XREVRANGE", key, last, "-", *(() if count is None else ("COUNT", count)))

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `ElementSource.read`."""
        entries = [(fields, values.to_text(id)) for id, fields in reply or ()]
        return Chunk(entries, None if count is None or len(entries) < count else entries[-1][1])

    def rank(self, answer: Any, place: Any) -> Any:
        """See `ElementSource.rank`: milliseconds, then the number among those of one millisecond."""
        return tuple(int(part) for part in str(place).split("-"))


class ScoreSource(Record):
    """Members of a sorted set by score; a place is (score, member, number of returned members with that score).

    The next request begins at the last member itself: if it is still in its place, nothing has moved. Otherwise all
    members with its score are read again, and those up to the member are left out; the number in the place is then
    negative and counts the members read so far.
    """

    ends: Ends
    """The range of scores."""
    is_backward: bool
    """Whether the highest come first."""

    def ask(self, key: str, place: Any, count: int | None) -> RedisCommand:
        """See `ElementSource.ask`."""
        low, high = words(self.ends)
        skipped, page_size = 0, -1 if count is None else count
        if place is not None:
            score, _, done = place
            low, high = (low, written(score)) if self.is_backward else (written(score), high)
            skipped, page_size = (done - 1, page_size + 1 if count else -1) if done > 0 else (-done, page_size)
        first, last = (high, low) if self.is_backward else (low, high)
        order = ("REV",) if self.is_backward else ()
        page = () if (skipped, page_size) == (0, -1) else ("LIMIT", skipped, page_size)
        return ("ZRANGE", key, first, last, "BYSCORE", *order, *page, "WITHSCORES")

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `ElementSource.read`."""
        pairs_read = pairs(reply)
        if place is None:
            return self._chunk(pairs_read, 0, None, is_last=count is None or len(pairs_read) < count)
        score, member, done = place
        if done > 0:
            if not pairs_read or pairs_read[0] != (member, score):
                return Chunk([], [score, member, 0])  # something has moved: read the score again
            is_last = count is None or len(pairs_read) < count + 1
            return self._chunk(pairs_read[1:], done, score, is_last=is_last)
        is_last = count is None or len(pairs_read) < count
        first_new = next(
            (index for index, pair in enumerate(pairs_read) if self._is_behind(pair, score, member)), len(pairs_read)
        )
        if first_new == len(pairs_read):
            return Chunk([], None if is_last else [score, member, done - len(pairs_read)])
        return self._chunk(pairs_read[first_new:], first_new - done, score, is_last=is_last)

    def _is_behind(self, pair: tuple[str, float], score: float, member: str) -> bool:
        if pair[1] != score:
            return True
        own_bytes, last_bytes = pair[0].encode(), member.encode()
        return own_bytes < last_bytes if self.is_backward else own_bytes > last_bytes

    def _chunk(self, pairs_read: list[tuple[str, float]], done: int, score: float | None, *, is_last: bool) -> Chunk:
        """A chunk of pairs; done: the number of members with that score before them."""
        elements: list[tuple[Any, Any]] = []
        for member, number in pairs_read:
            done, score = (done + 1 if number == score else 1), number
            elements.append(((member, number), [number, member, done]))
        return Chunk(elements, None if is_last or not elements else elements[-1][1])

    def rank(self, answer: Any, place: Any) -> Any:
        """See `ElementSource.rank`."""
        return answer[1], answer[0].encode()


class NearSource(Record):
    """Members by distance; a place is (number of returned members, last distance, members at that distance)."""

    longitude: float
    """Degrees east."""
    latitude: float
    """Degrees north."""
    metres: float
    """The largest distance in metres."""

    def ask(self, key: str, place: Any, count: int | None) -> RedisCommand:
        """See `ElementSource.ask`: GEOSEARCH has no offset, so that earlier members are requested again."""
        point = ("FROMLONLAT", repr(self.longitude), repr(self.latitude))
        page = () if count is None else ("COUNT", count + (place[0] if place else 0))
        return ("GEOSEARCH", key, *point, "BYRADIUS", repr(self.metres), "m", "ASC", *page, "WITHCOORD", "WITHDIST")

    def read(self, reply: Any, place: Any, count: int | None) -> Chunk:
        """See `ElementSource.read`: members at the same distance are in the order of their bytes."""
        done, last, tied = place or (0, -1.0, [])
        hits = sorted(
            ((float(distance), values.to_text(member), position) for member, distance, position in reply),
            key=lambda hit: hit[:2],
        )
        elements: list[tuple[Any, Any]] = []
        for distance, member, position in hits:
            if distance < last or (distance == last and member in tied):
                continue
            done, tied, last = done + 1, ([*tied, member] if distance == last else [member]), distance
            elements.append(((member, position), [done, last, tied]))
        is_last = count is None or len(hits) < count + (place[0] if place else 0)
        return Chunk(elements, None if is_last or not elements else elements[-1][1])

    def rank(self, answer: Any, place: Any) -> Any:
        """See `ElementSource.rank`: only one key is read."""
        return None
