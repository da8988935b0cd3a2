"""Calls: the commands of a pattern as data for the runtime and for `query`, planned beforehand without a client."""

from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.query import Condition, Ordering
from keywright.record import Record, field

from ..schema.target import StructureTarget
from .calls_write import Guard, Increase, PutItems, Remove, SetFields, Write
from .keys import CallKeys
from .search_calls import Search

__all__ = [
    "Call",
    "CallKeys",
    "ClaimEntries",
    "CountElements",
    "Fetch",
    "Guard",
    "Increase",
    "MemberRank",
    "Merge",
    "Near",
    "Neighbours",
    "Permit",
    "Pop",
    "Probe",
    "PutItems",
    "Range",
    "Remove",
    "Search",
    "SetFields",
    "Transaction",
    "Write",
]  # fmt: skip

Merge: TypeAlias = Literal["one", "walk", "merge"]
"""Ways in which keys form one page: a single key; one key after the other; all keys at once, merged in order."""


class Fetch(Record):
    """Items that each have their own key."""

    structure: StructureTarget
    """Structure of the items."""
    keys: CallKeys
    """Keys of the items."""
    fields: tuple[str, ...] = ()
    """Names of the fields of a hash, or paths in a JSON document, that are read; empty for all."""
    names: tuple[str, ...] = ()
    """Stored names of these fields."""
    order: tuple[Ordering, ...] = ()
    """Order in which items are sorted after reading."""


class Probe(Record):
    """Members that the call names."""

    structure: StructureTarget
    """Structure that contains them."""
    keys: CallKeys
    """The keys of the structures."""
    members: Filled | None = None
    """The members; None for bits."""
    bit: Condition | None = None
    """The numbers of bits."""
    order: tuple[Ordering, ...] = ()
    """Order in which items are sorted after reading."""


class Range(Record):
    """Elements, members or entries, a page at a time."""

    structure: StructureTarget
    """Structure that contains them."""
    keys: CallKeys
    """The keys of the structures."""
    bounds: tuple[Condition, ...] = ()
    """Conditions on the score."""
    is_backward: bool = False
    """Whether the highest scores or the latest entries come first."""
    merge: Merge = "one"
    """Way in which several keys form one page."""


class Near(Record):
    """Members by their distance from a point."""

    structure: StructureTarget
    """Structure that contains them."""
    keys: CallKeys
    """The single key."""
    condition: Condition
    """The condition with the point."""


class CountElements(Record):
    """A number that the server counts."""

    structure: StructureTarget
    """Structure whose elements are counted."""
    keys: CallKeys
    """The keys of the structures."""
    command: str
    """The command."""
    bounds: tuple[Condition, ...] = ()
    """Conditions on the score or the bit."""


class MemberRank(Record):
    """The rank of a member."""

    structure: StructureTarget
    """Structure that contains the member."""
    keys: CallKeys
    """The single key."""
    member: Filled
    """The member."""
    is_backward: bool
    """Whether the highest score has rank 0."""


class Neighbours(Record):
    """The members around a member, with its rank."""

    structure: StructureTarget
    """Structure that contains them."""
    keys: CallKeys
    """The single key."""
    member: Filled
    """The member."""
    is_backward: bool
    """Whether the highest score has rank 0."""
    shares_ranks: bool
    """Whether members with equal scores have the same rank."""
    is_rank: bool
    """Whether the answer is only the rank."""


class Pop(Record):
    """The oldest elements of a list."""

    structure: StructureTarget
    """The list."""
    keys: CallKeys
    """Key of the list."""


class ClaimEntries(Record):
    """Entries of a stream for one group: unacknowledged entries of other consumers, then new ones.

    The caller acknowledges them.
    """

    structure: StructureTarget
    """The stream."""
    keys: CallKeys
    """Key of the stream."""
    group: str
    """The group."""
    idle_milliseconds: int
    """Idle time after which another consumer claims an unacknowledged entry."""
    max_deliveries: int
    """Deliveries after which an unacknowledged entry is moved to the dead letters."""


class Permit(Record):
    """Calls that a rate limit allows."""

    structure: StructureTarget
    """The rate limit."""
    keys: CallKeys
    """Key of the rate limit; a number is appended for a fixed window or a bucket."""
    member: Filled | None = None
    """Member that counts a call; None for the time with a unique suffix."""


class Transaction(Record):
    """Several writes that are executed atomically."""

    parts: tuple[Write, ...]
    """The writes, in order."""
    is_script: bool
    """Whether the writes are one script, because some have conditions; otherwise MULTI and EXEC."""
    is_cluster: bool = field(default=False)
    """Whether all keys of a call must be in one slot."""


Call: TypeAlias = (
    Fetch
    | Probe
    | Range
    | Near
    | Search
    | CountElements
    | MemberRank
    | Neighbours
    | Write
    | Pop
    | ClaimEntries
    | Permit
    | Transaction
)
"""All kinds of calls."""
