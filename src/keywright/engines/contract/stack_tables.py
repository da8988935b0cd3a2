"""Tables of an engine that a cloud's own Pulumi provider creates, and the permissions that callers of patterns need."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from keywright.access.search import Planned
from keywright.ir.json import Json
from keywright.record import Record

from .resource import StackResource


class Grant(Record):
    """One action on one table or index."""

    table: str
    """Physical name of the table."""
    index: str | None
    """The index that is read; None for the table itself."""
    action: str
    """Such as `dynamodb:Query`."""
    leading: str | None = None
    """Pattern of the partition keys, with `*` for the rest; None for any key."""


class StackTables(Record, kw_only=True):
    """The tables of one engine as resources of a cloud's provider: a record of functions."""

    engine: str
    """Name of the engine."""
    type: str
    """Type of the resource of a table."""
    component: tuple[str, str]
    """(type, name) of the component that contains the tables in a stack."""
    inputs: Callable[[Any, Sequence[str]], dict[str, Json]]
    """(placed target, names of its indexes in the order of the stack): the inputs of its resource."""
    options: Callable[[Any], dict[str, Json]]
    """(placed target): the options of its resource."""
    companions: Callable[[str, Any], tuple[StackResource, ...]]
    """(name in the stack, placed target): its companion resources, each after the resource that it is within."""
    has_stream: Callable[[Any], bool]
    """(placed target): whether the models declare a stream."""
    indexes: Callable[[Mapping[str, Any]], Mapping[str, object]]
    """(inputs of a resource): its indexes by name; raises KeyError or a similar error if inputs are unknown."""
    grants: Callable[[Planned[Any]], Iterable[Grant]]
    """(served pattern): the permissions that its callers need."""
