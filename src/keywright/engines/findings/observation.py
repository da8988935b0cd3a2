"""Observations of a live store as plain data: sampled items, indexes, patterns, and the server's figures."""

from collections.abc import Iterator, Mapping
from typing import Any

from keywright.access.search import Planned
from keywright.engines.contract.observer import Figure, LiveIndex
from keywright.ir.binding import Binding
from keywright.ir.text import counted
from keywright.record import Record, field

from .context import RuleContext, TargetInEnvironment


class SampleSize(Record):
    """The size of a sample."""

    read: int
    """The number of items that were read."""
    about: int | None = None
    """The approximate number of items in the store; None if unknown."""
    noun: str = "item"
    """The noun for an item."""

    def __str__(self) -> str:
        """The size for messages: `of 1,000 documents sampled (of about 52,000)`."""
        items = counted(self.read, self.noun, spec=",")
        if self.about is not None and self.about <= self.read:
            return f"of all {items}"
        return f"of {items} sampled" + (f" (of about {self.about:,})" if self.about else "")

    def of(self, count: int, singular: str = "", plural: str = "") -> str:
        """A count of items in the sample, with a verb: `3 of 1,000 documents sampled (of about 52,000) have`."""
        return f"{count:,} {self} {singular if count == 1 else plural}".rstrip()


NOTHING = SampleSize(0)
"""The size of an empty sample."""


class Items(Record, kw_only=True):
    """The observation of the items of one entity; in Redis, of its keys."""

    sample: SampleSize = NOTHING
    """The size of the sample."""
    bytes: tuple[int, ...] = ()
    """Bytes of each item."""
    lists: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Lengths of lists, by Python path; one number for each list."""
    misfits: Mapping[str, int] = field(default_factory=dict)
    """Numbers of items that the model rejects, by the mistake."""
    unknown: Mapping[str, int] = field(default_factory=dict)
    """Numbers of items with a field that the model does not declare, by its stored path."""
    examples: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Keys of example items, by the name of a field of this class (`misfits`, `unknown`, `lists`, `wrong`, `types`,
    `misplaced`), then by the key in that field."""
    versions: Mapping[int, int] = field(default_factory=dict)
    """Numbers of items by schema version."""
    expiries: Mapping[str, int] = field(default_factory=dict)
    """Numbers of items by the kind of value in the expiry attribute, see `EXPIRIES`; empty if nothing expires."""
    wrong: Mapping[str, int] = field(default_factory=dict)
    """Numbers of items with another native type than the declared type, by stored name."""
    misplaced: int = 0
    """The number of items with the entity's discriminator whose key does not match its templates."""
    orphans: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """(references to missing items, checked references) by Python path."""
    stale: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """(copies that differ from their source, compared copies) by Python path."""
    types: Mapping[str, int] = field(default_factory=dict)
    """Numbers of keys by the server's type; in Redis."""
    lengths: tuple[int, ...] = ()
    """Elements, members, fields, entries or bytes of text of each key; in Redis."""
    pending: tuple[int, ...] = ()
    """Unacknowledged entries of each consumer group; in Redis."""
    dead: Mapping[str, int] = field(default_factory=dict)
    """Dead letters by the key of their stream; in Redis."""

    def such_as(self, kind: str, key: str = "") -> str:
        """The key of an example item for a message: `, such as 'p-3'`; empty if none is known."""
        example = self.examples.get(kind, {}).get(key)
        return f", such as {example}" if example else ""


EXPIRIES = ("time", "seconds", "milliseconds", "past", "number", "text", "other", "missing")
"""Kinds of value in an expiry attribute: a time of the server's own type; seconds since 1970; a number that is probably
milliseconds; seconds so far in the past that the server ignores them; another number; text; another type; no value."""


class ExplainedPattern(Record, kw_only=True):
    """One access pattern that was called as by an application, with values of stored items."""

    calls: int
    """The number of calls."""
    stages: tuple[str, ...] = ()
    """The distinct stages of the server's execution plans."""
    indexes: tuple[str, ...] = ()
    """The indexes in the server's execution plans."""
    problems: tuple[str, ...] = ()
    """Contradictions between the evidence and the planned path."""


class Observation(Record, kw_only=True):
    """The observation of one table, database, keyspace or server."""

    items: Mapping[str, Items] = field(default_factory=dict)
    """By name of the entity's binding."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of the bindings in each table, collection or server, by its physical name."""
    unknown_items: Mapping[str, tuple[int, SampleSize]] = field(default_factory=dict)
    """(number of items of no entity, sample) by the physical name of the table or collection; in Redis, of keys."""
    unknown_examples: Mapping[str, str] = field(default_factory=dict)
    """The key of one such item, by the same name."""
    indexes: tuple[LiveIndex, ...] = ()
    """Indexes."""
    explained: Mapping[str, ExplainedPattern] = field(default_factory=dict)
    """Patterns by name."""
    tables: Mapping[str, Mapping[str, Figure]] = field(default_factory=dict)
    """The server's figures about each table or collection, by physical name."""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """The server's figures about itself."""
    unseen: tuple[str, ...] = ()
    """Parts that could not be observed, each with the reason."""

    def unknown_example(self, place: str) -> str:
        """The key of an item of no entity for a message: `, such as 'p-3'`; empty if none is known."""
        return f", such as {self.unknown_examples[place]}" if place in self.unknown_examples else ""

    def figure(self, name: str) -> float | None:
        """A numeric figure of the server; None if it was not reported."""
        value = self.figures.get(name)
        return None if value is None or isinstance(value, str) else value


class LiveTarget(Record, kw_only=True):
    """The input of a `live` finder: one target, expected and observed."""

    context: RuleContext
    """The project, as it is applied to this environment's servers."""
    target: TargetInEnvironment
    """The expected target."""
    observation: Observation
    """The observation of it."""
    live: TargetInEnvironment | None = None
    """The target in the server's description; None if the server could not be read."""

    @property
    def name(self) -> str:
        """The declared name of the target."""
        return str(self.target.declared.name)

    def items(self) -> tuple[tuple[Binding[Any], Items], ...]:
        """(binding, observation) of every entity with at least one sampled item."""
        bindings = {binding.name: binding for binding in self.context.bindings(self.target.engine)}
        return tuple((bindings[name], item) for name, item in self.observation.items.items() if item.sample.read)

    def subject(self, place: str) -> str:
        """The subject of a finding about a table, collection or server: its only entity, otherwise the target."""
        names = self.observation.places.get(place, ())
        return names[0] if len(names) == 1 else self.name

    def plans(self) -> Iterator[Planned[Any]]:
        """Every pattern that this target serves, including writes in transactions."""
        for plan in self.context.plans:
            yield from (part for part in plan.parts or (plan,) if part.target is self.target.placed and part.is_served)
