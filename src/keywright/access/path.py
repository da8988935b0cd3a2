"""Answers of the planner: the path by which a pattern is served, or why nothing serves it."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from .request import Asked

ByKind: TypeAlias = Literal["table", "gsi", "lsi", "index", "view", "partition", "structure"]
"""What serves a pattern."""

TargetT = TypeVar("TargetT")


@dataclass(frozen=True, slots=True)
class By:
    """A key, an index or a structure."""

    kind: ByKind
    """What it is."""
    name: str
    """Its name: the index, else the table, collection or structure."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class AccessPath:
    """One way in which a pattern is served."""

    by: By
    """By what."""
    call: object
    """What is sent: a value of the engine's `access/calls.py`; its runtime carries it out, `Engine.query` shows it."""
    fan_out: int = 1
    """Partitions or keys asked by one call at the most; 1 where one request does."""
    order: Literal["index", "merge", "memory", "none"] = "none"
    """How the wanted order comes about: kept by the key or index, by merging ordered streams, by sorting what was
    read, or not asked for."""
    residual: tuple[Asked, ...] = ()
    """Conditions judged on what was read, so that more is read than is returned."""
    consistency: Literal["eventual", "session", "strong"] = "eventual"
    """How fresh what it returns is; of a write, how durable."""
    notes: tuple[str, ...] = ()
    """What a reader of the matrix should know, such as a second read for what an index lacks."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A key, index or structure that does not serve a pattern."""

    by: By
    """Which."""
    reason: str
    """Why not, in one line."""
    lacks: tuple[str, ...] = ()
    """Fields that an update would have to be given, since keys of indexes are made of them too."""


Candidate: TypeAlias = AccessPath | Rejected
"""What an engine says of one key, index or structure."""


@dataclass(frozen=True, slots=True)
class NotServed:
    """Nothing serves a pattern."""

    reason: str
    """Why not, in one line: of the nearest candidate."""
    rejected: tuple[Rejected, ...] = ()
    """Every candidate and why it does not serve."""


@dataclass(frozen=True, slots=True)
class Fix(Generic[TargetT]):
    """A declaration that would let a pattern be served."""

    text: str
    """The expression to paste, such as `kw.Index("tags")`."""
    subject: str
    """Name of the binding or physical thing, as declared, whose declaration gets it."""
    argument: str
    """The list option that it is added to, such as `indexes`."""
    target: TargetT
    """The target with it: what the planner checks the fix by."""
    write_cost: float = 0
    """Further units that a write of an item costs."""
    stored_bytes: float = 0
    """Further bytes stored for each item."""
