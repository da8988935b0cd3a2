"""What was seen of a live store, as plain data: sampled items, indexes, patterns, and the server's figures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from keywright.access.search import Planned
from keywright.ir.binding import Binding

from .context import Stored, Whole

Figure: TypeAlias = float | str
"""What a server says of itself under some name."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How much was looked at."""

    read: int
    """Items that were read."""
    about: int | None = None
    """About how many there are; None where nobody says."""
    noun: str = "item"
    """What one is called."""

    def __str__(self) -> str:
        """As messages say it: `of 1,000 documents sampled (of about 52,000)`."""
        nouns = self.noun if self.read == 1 else f"{self.noun}s"
        if self.about is not None and self.about <= self.read:
            return f"of all {self.read:,} {nouns}"
        return f"of {self.read:,} {nouns} sampled" + (f" (of about {self.about:,})" if self.about else "")

    def of(self, count: int) -> str:
        """So many of them: `3 of 1,000 documents sampled (of about 52,000)`."""
        return f"{count:,} {self}"


NOTHING = Sample(0)
"""Where nothing was looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """What was seen of the items of one entity; in Redis, of its keys."""

    sample: Sample = NOTHING
    """How many."""
    bytes: tuple[int, ...] = ()
    """The size of each."""
    lists: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """How long its lists are, by Python path; one number for each list."""
    misfits: Mapping[str, int] = field(default_factory=dict)
    """What the model does not take, and of how many."""
    versions: Mapping[int, int] = field(default_factory=dict)
    """How many there are by schema version."""
    expiries: Mapping[str, int] = field(default_factory=dict)
    """How many by what stands where the time of expiry is: see `EXPIRIES`; empty where nothing expires."""
    wrong: Mapping[str, int] = field(default_factory=dict)
    """How many have a value of another native type than is declared, by stored name."""
    misplaced: int = 0
    """How many say that they are of the entity, and have a key that it does not write."""
    orphans: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """(references to what is not there, references that were looked up) by Python path."""
    stale: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """(copies that are not what they are copied from, copies that were compared) by Python path."""
    types: Mapping[str, int] = field(default_factory=dict)
    """How many by the server's type; in Redis."""
    lengths: tuple[int, ...] = ()
    """Elements, members, fields, entries or bytes of text of each; in Redis."""
    pending: tuple[int, ...] = ()
    """Entries that a consumer group was given and has not acknowledged, for each group; in Redis."""


EXPIRIES = ("time", "seconds", "milliseconds", "past", "number", "text", "other", "missing")
"""What may stand where a time of expiry is: a time of the server's own type; seconds since 1970; what looks like
milliseconds; seconds so long ago that the server leaves the item alone; a number that is no time to the server; text;
anything else; nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """An index on a live server."""

    table: str
    """Its table or collection, by the physical name."""
    name: str
    """Its name."""
    uses: int | None = None
    """How often it was asked since the server began to count; None where it does not."""
    days: float = 0
    """For how many days the server has counted."""
    items: int | None = None
    """Items in it, where the server says so."""
    is_needed: bool = False
    """Whether it does something beside serving reads: what is unique or expires is seen to by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One pattern that was asked as an application asks it, with values of stored items."""

    calls: int
    """How often."""
    stages: tuple[str, ...] = ()
    """What the server says it did, each once."""
    indexes: tuple[str, ...] = ()
    """What it says it used."""
    problems: tuple[str, ...] = ()
    """What of that disagrees with the path that was planned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What was seen of one table, database, keyspace or server."""

    items: Mapping[str, Items] = field(default_factory=dict)
    """By name of the entity's binding."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of the bindings whose items are in a table, collection or server, by its physical name."""
    strays: Mapping[str, tuple[int, Sample]] = field(default_factory=dict)
    """Items of no entity, and of how many, by the physical name of the table or collection; in Redis, keys."""
    ways: tuple[Way, ...] = ()
    """Indexes."""
    asked: Mapping[str, Asked] = field(default_factory=dict)
    """Patterns by name."""
    tables: Mapping[str, Mapping[str, Figure]] = field(default_factory=dict)
    """What the server says of each table or collection, by physical name."""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """What the server says of itself."""
    unseen: tuple[str, ...] = ()
    """What could not be looked at, and why."""

    def figure(self, name: str) -> float | None:
        """A number of the server; None where it was not told."""
        value = self.figures.get(name)
        return None if value is None or isinstance(value, str) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a `live` finder is told: one target, as it is wanted and as it was found."""

    whole: Whole
    """The project, as this environment's servers hold it."""
    target: Stored
    """The target as it is wanted."""
    found: Observation
    """What was seen of it."""
    live: Stored | None = None
    """The target as the server describes it; None where it could not be asked."""

    @property
    def name(self) -> str:
        """What models call the target."""
        return str(self.target.declared.name)

    def items(self) -> tuple[tuple[Binding, Items], ...]:
        """(entity, what was seen of it), for every one of which something was."""
        bindings = {one.name: one for one in self.whole.bindings(self.target.engine)}
        return tuple((bindings[name], one) for name, one in self.found.items.items() if one.sample.read)

    def subject(self, place: str) -> str:
        """Whom a flaw of a table, collection or server is about: the one entity in it, or else the target."""
        names = self.found.places.get(place, ())
        return names[0] if len(names) == 1 else self.name

    def plans(self) -> Iterator[Planned[Any]]:
        """Every pattern that is served from this target, writes in transactions too."""
        for plan in self.whole.plans:
            yield from (one for one in plan.parts or (plan,) if one.target is self.target.placed and one.is_served)
