"""What is sent for writes, decided beforehand."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.request import Asked
from keywright.ir.template import Template

from ..target import StructureTarget
from .keys import Keys


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition that the server judges before it writes."""

    asked: Asked
    """The condition."""
    source: Literal["hash", "string", "sorted set"]
    """Where the value stands."""
    field: str
    """The stored name of the field; empty where the value stands alone."""
    kind: Literal["integer", "number", "text"]
    """How two values are compared."""


@dataclass(frozen=True, slots=True)
class Put:
    """Whole items."""

    structure: StructureTarget
    """What they become."""
    key: str
    """The template of their key."""
    member: str = ""
    """The template of their member, if they have one."""
    if_absent: Literal["", "command", "script"] = ""
    """What refuses an item that is there: nothing, the command that writes it, or a script."""
    is_cluster: bool = False
    """Whether items in several slots are written one by one."""
    tag: str = ""
    """The field in the braces of the key, if there is one."""


@dataclass(frozen=True, slots=True)
class Change:
    """New values of some fields of one item that is there."""

    structure: StructureTarget
    """What the item is."""
    keys: Keys
    """Its key."""
    member: Filled | None
    """Its member, if it has one."""
    sets: tuple[str, ...]
    """Python names of the fields that get a value."""
    unset: tuple[str, ...] = ()
    """Python names of the fields that are removed."""
    computed: tuple[tuple[str, Template], ...] = ()
    """Computed attributes that follow, and what makes them."""
    guards: tuple[Guard, ...] = ()
    """What must be true of the item."""
    may_empty: bool = False
    """Whether no field could be left, so that the version must stand in."""

    @property
    def keeps_moment(self) -> bool:
        """Whether the key goes at a moment that the item states, and that does not change."""
        field = self.structure.expires_at
        return field is not None and field not in (*self.sets, *self.unset)


@dataclass(frozen=True, slots=True)
class Increase:
    """A step added to a number."""

    structure: StructureTarget
    """What the item is."""
    keys: Keys
    """Its key."""
    member: Filled | None
    """Its member, if it has one."""
    field: str
    """The stored name of the number, of a hash."""
    command: Literal["INCRBY", "HINCRBY", "HINCRBYFLOAT", "ZINCRBY"]
    """What adds."""
    is_whole: bool
    """Whether the number is whole."""
    guards: tuple[Guard, ...] = ()
    """What must be true of the item."""

    @property
    def is_read_back(self) -> bool:
        """Whether a command of its own reads the new number: a script has it as a double, which rounds above 2^53."""
        return bool(self.guards or self.must_exist) and self.command in ("INCRBY", "HINCRBY")

    @property
    def must_exist(self) -> bool:
        """Whether an item that is not there is refused: a hash would be made with one field alone."""
        return self.structure.kind == "hash"


@dataclass(frozen=True, slots=True)
class Remove:
    """One item, or all under a key."""

    structure: StructureTarget
    """What the items are."""
    keys: Keys
    """The keys."""
    member: Filled | None = None
    """The member."""
    bit: Asked | None = None
    """The number of a bit."""
    element: tuple[str, ...] = ()
    """Fields of an element of a list, which is found by its whole text."""
    guards: tuple[Guard, ...] = ()
    """What must be true of the item."""
    is_strict: bool = False
    """Whether a guard that does not hold is an error."""


Write: TypeAlias = Put | Change | Increase | Remove
"""What may be part of a transaction."""
