"""Stores of Redis and Valkey: one class per structure; a model is one hash, one value, one member or one entry."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

from keywright.declare.declared import subject
from keywright.declare.store import Bound, Store
from keywright.declare.stream import ConsumerGroup
from keywright.ir.text import exact

from .search import SearchIndex, fields_of, places_of
from .server import RedisServer

if TYPE_CHECKING:
    from pydantic import BaseModel


class _Keyed(Store):
    """The common options of all structures: a server and a key."""

    server: RedisServer = subject(kw_only=False)
    """The server."""
    key: str
    """Template of the key; `:tag` puts a field in the braces that keep keys on one cluster node."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("key", self.key)
        for option in ("ttl", "per", "keep"):
            time = getattr(self, option, None)
            if isinstance(time, timedelta) and time.microseconds:
                problem = f"{option}={exact(time.total_seconds())} s is not a whole number of seconds"
                self.wrong("E0509", problem, "a time to live is in whole seconds: round it up")

    def is_ordered(self, argument: str) -> bool:
        """See `Store.is_ordered`: keys are found by equality, members are compared."""
        return argument != "key"


class _Expiring(_Keyed):
    """A structure whose key may expire."""

    ttl: timedelta | None = None
    """How long after it was written the key is kept; every write sets it again."""


class RedisString(_Expiring):
    """One value under one key: the whole model as JSON, or one field of it."""

    value: str | None = None
    """The field that is the value; by default all that are not in the key, as JSON."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield from [("value", self.value)] if self.value else []


class RedisCounter(_Expiring):
    """A number that is incremented in place."""

    value: str
    """The integer field."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield "value", self.value


class RedisCache(_Keyed):
    """A copy as JSON, filled on a miss; losing it costs time only."""

    ttl: timedelta
    """How old a copy may get."""
    source_of_truth: type["BaseModel"] | Bound["BaseModel"]
    """The entity that is copied."""


class RedisHash(_Expiring):
    """One object whose fields are read and written one by one."""

    indexes: list[SearchIndex] = []
    """Indexes of Search over the hashes."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield from fields_of(self.indexes)

    def places_named(self) -> Iterable[str]:
        """See `Store.places_named`."""
        return places_of(self.indexes)


class RedisJson(_Expiring):
    """One object as a JSON document, whose fields and their parts are read and written by path; a type of a module."""

    indexes: list[SearchIndex] = []
    """Indexes of Search over the documents."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield from fields_of(self.indexes)

    def places_named(self) -> Iterable[str]:
        """See `Store.places_named`."""
        return places_of(self.indexes)


class RedisList(_Expiring):
    """A list of elements, pushed on the left: recent things, or a simple queue; the model is one element."""

    is_collection = True

    max_length: int | None = None
    """Elements kept; each push trims the rest."""


class RedisSet(_Expiring):
    """Distinct members without order; the model is one member."""

    member: str
    """Template of a member."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("member", self.member)


class RedisSortedSet(_Expiring):
    """Members ordered by a score; the model is one member with its score."""

    member: str
    """Template of a member."""
    score: str
    """The numeric or datetime field that orders them."""
    then: str | None = None
    """The whole number that orders equal scores, ascending as the score; a minus puts higher ones lower."""
    max_length: int | None = None
    """Members kept, the highest scores; each add trims the rest."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("member", self.member)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield "score", self.score
        yield from [("then", self.then.removeprefix("-"))] if self.then else []


class RedisBitmap(_Expiring):
    """A row of bits under one key; the model is one bit that is set."""

    bit: str
    """The integer field that says which bit, from 0 on: number things densely, the row is as long as its last bit."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield "bit", self.bit


class RedisHyperLogLog(_Expiring):
    """A count of distinct members in 12 KB, true to about 0.8 %; members cannot be read back."""

    is_estimate = True

    member: str
    """Template of what is counted."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("member", self.member)


class RedisGeo(_Expiring):
    """Members with places on the globe, found by distance; places are kept true to about half a metre."""

    member: str
    """Template of a member."""
    place: str
    """The field with the place: an embedded model with the floats `longitude` and `latitude`."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("member", self.member)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield "place", self.place


class RedisStream(_Keyed):
    """A log of entries; the model is one entry."""

    is_collection = True

    keep: int | timedelta | None
    """About how many entries, or how long, the log reaches back, each append trimming the rest; None lets it grow."""
    groups: list[ConsumerGroup] = []
    """Who reads it."""
    due: str | None = None
    """The time field until which an entry waits before it is appended; None, or a past time, appends it at once."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        if self.due is not None and not self.groups:
            self.wrong("E0503", "due= has no group, whose kw.Take appends the entries", "add groups=")
        elif self.due is not None and "{" in self.key:
            problem = f'due= does not accept the key "{self.key}", because groups take entries of a constant key only'
            self.wrong("E0503", problem, "write a key without placeholders, and the value into a field")

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield from [("due", self.due)] if self.due else []


class RedisRateLimit(_Keyed):
    """So many calls per period for each key, in one atomic step; the model is the key's fields."""

    is_collection = True

    limit: int
    """Calls allowed in a period; in a bucket, tokens that flow in during one."""
    per: timedelta
    """The period."""
    window: Literal["sliding", "fixed", "bucket"]
    """Sliding: exact, one sorted-set member per call. Fixed: one counter, up to twice the limit across two periods.
    Bucket: one number, a steady flow of tokens and bursts up to `burst`."""
    burst: int | None = None
    """Tokens that a bucket holds, the most calls at once; by default the limit."""
    member: str | None = None
    """Template of a sliding window's member; by default the time and a unique suffix, since equal members collapse."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("member", self.member)
        if self.member and self.window != "sliding":
            problem = f'a limit with window="{self.window}" has no members: it only counts calls'
            self.wrong("E0503", problem, "remove member=")
        if self.burst is not None and self.window != "bucket":
            self.wrong("E0503", f'burst={self.burst} has no effect on window="{self.window}"', 'set window="bucket"')


Structure: TypeAlias = (
    RedisString | RedisCounter | RedisCache | RedisHash | RedisList | RedisSet | RedisSortedSet | RedisStream
    | RedisJson | RedisRateLimit | RedisBitmap | RedisHyperLogLog | RedisGeo
)  # fmt: skip
"""The declaration of an entity."""
