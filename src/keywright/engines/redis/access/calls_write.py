"""Calls that write, planned beforehand."""

from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.partial_write import Versions
from keywright.access.query import Condition
from keywright.ir.template import Template
from keywright.record import Record

from ..schema.target import StructureTarget
from .keys import CallKeys


class Guard(Record):
    """A condition that the server checks before it writes."""

    condition: Condition
    """The condition."""
    source: Literal["hash", "string", "sorted set", "json"]
    """Structure that contains the value."""
    field: str
    """Stored name of the field, or its path in a JSON document; empty if the value has no field name."""
    kind: Literal["integer", "number", "text"]
    """Kind of comparison."""


class PutItems(Record):
    """Whole items."""

    structure: StructureTarget
    """Structure that stores the items."""
    key: str
    """Template of the key."""
    member: str = ""
    """Template of the member; empty for structures without members."""
    if_absent: Literal["", "command", "script"] = ""
    """Check that rejects an existing item: none, the command that writes it, or a script."""
    is_cluster: bool = False
    """Whether items in several slots are written one by one."""
    tag: str = ""
    """Field in the braces of the key; empty if the key has no braces."""


class SetFields(Record):
    """New values for some fields of one existing item."""

    structure: StructureTarget
    """Structure of the item."""
    keys: CallKeys
    """Key of the item."""
    member: Filled | None
    """Member of the item; None for structures without members."""
    sets: tuple[str, ...]
    """Python names of the fields that get a value."""
    unset: tuple[str, ...] = ()
    """Python names of the fields that are removed."""
    computed: tuple[tuple[str, Template], ...] = ()
    """Computed attributes that change too, with their templates."""
    guards: tuple[Guard, ...] = ()
    """Conditions on the item."""
    may_empty: bool = False
    """Whether the hash could lose its last field; the version is then written as a placeholder."""
    versions: Versions | None = None
    """The schema versions that the item may have, of a hash; None for any."""

    paths: tuple[str, ...] = ()
    """Paths in a JSON document: of the fields that get a value, of the removed ones, and of the list of `pushes`."""
    pushes: str | None = None
    """Python name of the list of a JSON document that gets one more element."""
    nulls: tuple[str, ...] = ()
    """The paths of removed fields for which a JSON document contains null, as a put writes it."""
    most: int | None = None
    """The most elements of that list; None without a limit."""

    @property
    def keeps_moment(self) -> bool:
        """Whether the key expires at a time in a field of the item that this write does not change."""
        field = self.structure.expires_at
        return field is not None and field not in (*self.sets, *self.unset)


class Increase(Record):
    """An increment of a number."""

    structure: StructureTarget
    """Structure of the item."""
    keys: CallKeys
    """Key of the item."""
    member: Filled | None
    """Member of the item; None for structures without members."""
    field: str
    """Stored name of the number in a hash, or its path in a JSON document; not used otherwise."""
    name: str
    """Dotted Python name of the number."""
    command: Literal["INCRBY", "HINCRBY", "HINCRBYFLOAT", "ZINCRBY", "JSON.NUMINCRBY"]
    """Command that adds."""
    is_whole: bool
    """Whether the number is an integer."""
    guards: tuple[Guard, ...] = ()
    """Conditions on the item."""
    versions: Versions | None = None
    """As in `SetFields`."""

    @property
    def is_read_back(self) -> bool:
        """Whether a separate command reads the new number: Lua converts it to a double, which rounds above 2^53."""
        return bool(self.guards or self.must_exist) and self.command in ("INCRBY", "HINCRBY")

    @property
    def stays_exact(self) -> bool:
        """Whether results beyond the exact integers of a score are rejected: a score is a double."""
        return self.is_whole and self.command == "ZINCRBY"

    @property
    def must_exist(self) -> bool:
        """Whether a missing item is rejected: the command would create a hash with this field alone."""
        return self.structure.kind in ("hash", "json")


class Remove(Record):
    """Removal of one item, or of all items under a key."""

    structure: StructureTarget
    """Structure of the items."""
    keys: CallKeys
    """The keys."""
    member: Filled | None = None
    """The member."""
    bit: Condition | None = None
    """The number of a bit."""
    element: tuple[str, ...] = ()
    """Fields of a list element; the server finds an element by its whole text."""
    guards: tuple[Guard, ...] = ()
    """Conditions on the item."""
    is_strict: bool = False
    """Whether guards also fail for a missing item; if not, deleting a missing item succeeds."""


Write: TypeAlias = PutItems | SetFields | Increase | Remove
"""Calls that a transaction may contain."""
