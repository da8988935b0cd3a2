"""What is sent for a pattern, decided beforehand: data for the runtime and for `query`, free of any client library."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.request import Asked, Ordering

from ..target import StructureTarget
from .calls_write import Change, Guard, Increase, Put, Remove, Write
from .keys import Keys

__all__ = [
    "Call", "Change", "Claim", "Fetch", "Guard", "Increase", "Keys", "Merge", "Near", "Permit", "Pop", "Probe", "Put",
    "Range", "Rank", "Remove", "Size", "Together", "Write",
]  # fmt: skip

Merge: TypeAlias = Literal["one", "walk", "merge"]
"""How several keys make one page: there is one; one after the other; all at once, in order."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """Items of which each has a key of its own."""

    structure: StructureTarget
    """What they are."""
    keys: Keys
    """Their keys."""
    fields: tuple[str, ...] = ()
    """Names of the fields of a hash that are read; empty for all."""
    order: tuple[Ordering, ...] = ()
    """By what they are put in order when they are there."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Members that the call names."""

    structure: StructureTarget
    """What they are in."""
    keys: Keys
    """The keys of the structures."""
    members: Filled | None = None
    """The members; None for bits."""
    bit: Asked | None = None
    """The numbers of bits."""
    order: tuple[Ordering, ...] = ()
    """By what they are put in order when they are there."""


@dataclass(frozen=True, slots=True)
class Range:
    """Elements, members or entries, a page at a time."""

    structure: StructureTarget
    """What they are in."""
    keys: Keys
    """The keys of the structures."""
    bounds: tuple[Asked, ...] = ()
    """Conditions on the score."""
    is_backward: bool = False
    """Whether the highest scores or the latest entries come first."""
    merge: Merge = "one"
    """How several keys make one page."""


@dataclass(frozen=True, slots=True)
class Near:
    """Members by their distance from a point."""

    structure: StructureTarget
    """What they are in."""
    keys: Keys
    """The one key."""
    asked: Asked
    """The condition with the point."""


@dataclass(frozen=True, slots=True)
class Size:
    """A number that the server counts by itself."""

    structure: StructureTarget
    """Of what."""
    keys: Keys
    """The keys of the structures."""
    command: str
    """The command."""
    bounds: tuple[Asked, ...] = ()
    """Conditions on the score or the bit."""


@dataclass(frozen=True, slots=True)
class Rank:
    """The place of a member."""

    structure: StructureTarget
    """In what."""
    keys: Keys
    """The one key."""
    member: Filled
    """The member."""
    is_backward: bool
    """Whether the highest score has place 0."""


@dataclass(frozen=True, slots=True)
class Pop:
    """The oldest elements of a list."""

    structure: StructureTarget
    """The list."""
    keys: Keys
    """Its key."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Entries of a stream for one group: what others left unfinished, then what is new."""

    structure: StructureTarget
    """The stream."""
    keys: Keys
    """Its key."""
    group: str
    """The group."""
    idle_milliseconds: int
    """After so long an unfinished entry goes to another consumer."""


@dataclass(frozen=True, slots=True)
class Permit:
    """Calls that a rate limit allows."""

    structure: StructureTarget
    """The limit."""
    keys: Keys
    """Its key; that of a fixed window has the window's number behind it."""
    member: Filled | None = None
    """What a call is counted as; None for the time and a unique word."""


@dataclass(frozen=True, slots=True)
class Together:
    """Several writes at once."""

    parts: tuple[Write, ...]
    """The writes, in order."""
    is_script: bool
    """Whether they are one script, as some of them have conditions, or MULTI and EXEC."""
    is_cluster: bool = field(default=False)
    """Whether all keys of a call must have one slot."""


Call: TypeAlias = Fetch | Probe | Range | Near | Size | Rank | Write | Pop | Claim | Permit | Together
"""Everything that is sent."""
