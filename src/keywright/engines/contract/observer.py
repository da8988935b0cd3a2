"""Reads of a live store without changes: its observer, with bounded reads, and a recorded client."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from keywright.ir.json import Json
from keywright.record import Record, field

from .pages import Work

ClientEvent: TypeAlias = Mapping[str, Json]
"""One request of a recorded client with the server's report about it: evidence. Its keys differ by engine."""

Figure: TypeAlias = float | str
"""One figure that a server reports."""

Works: TypeAlias = Mapping[str, Work]
"""The passes over the entities of one place, with their discriminators, by name of binding."""


class Copied(Record):
    """A field that copies a field of another entity."""

    path: str
    """Its Python path."""
    stored: str
    """Its stored path."""
    reference: str
    """Stored path of the reference to the source item, in the same item."""
    object: str
    """The table or collection of the source item."""
    source: str
    """Stored path of the value in the source item."""


class SampledItem(Record, kw_only=True):
    """One stored item; in Redis, one key."""

    entity: str
    """Name of its binding; empty for an item of no entity."""
    item: Any = None
    """The item in the form of `runtime`; None if its values were not read, and for unknown keys in Redis."""
    bytes: int = 0
    """Its size."""
    version: int | None = None
    """Its schema version; None if it was not read."""
    expiry: str = ""
    """The kind of value in its expiry attribute, see `EXPIRIES`; empty if nothing expires."""
    elements: tuple[tuple[int | None, Any], ...] = ()
    """In Redis: (schema version, item in the form of `runtime`) of some items in the key."""
    key: str = ""
    """In Redis: the key."""
    wrong: tuple[str, ...] = ()
    """Stored names of values with another native type than the declared type."""
    is_misplaced: bool = False
    """Whether its discriminator names the entity, but its key does not match the entity's templates."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """In Redis: its `type`, `length`, and `pending` entries by group; or the number of `dead` letters in it."""


class LiveIndex(Record, kw_only=True):
    """An index on a live server."""

    table: str
    """Its table or collection, by the physical name."""
    name: str
    """Its name."""
    uses: int | None = None
    """Number of uses since the server began to count; None if it does not count."""
    days: float = 0
    """Days for which the server has counted."""
    items: int | None = None
    """Number of entries; None if the server does not report it."""
    is_needed: bool = False
    """Whether it has another purpose than reads, such as uniqueness or expiry."""


class CommandCalls(Record):
    """The calls of commands that a server has counted."""

    calls: Mapping[str, int]
    """Number of calls by command, in capitals."""
    days: float | None = None
    """Days for which the server has counted; None if it does not know."""
    is_partial: bool = False
    """Whether other servers answer requests for the same data, and count them."""


class Remembered(Record):
    """The requests of applications to one table or collection that a server remembers."""

    requests: Sequence[Any] = ()
    """Requests in the form in which the server keeps them, perhaps with values."""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """Figures about all requests: `reads`, `writes`, `days` for which the server has counted, and others by engine."""


class SurveyPage(Record):
    """A step of a survey."""

    cost: int
    """Number of items whose reading would take the server as long."""
    items: tuple[Any, ...] = ()
    """Items of a sample, in the form of `Adoption`."""


class Observed(Record, kw_only=True):
    """A client that records each request together with the server's report about it."""

    client: Any
    """The client, of the type that `runtime.open` accepts."""
    events: Callable[[], tuple[ClientEvent, ...]]
    """The requests since the last call, in order; may ask the server to explain them."""


class Observer(Record, kw_only=True):
    """The observer of one server; every function raises StatementFailed."""

    sample: Callable[[str, Works, int], Iterator[tuple[SampledItem, ...]]]
    """(table, collection or server as for `load`, its entities, approximate number): a sample of items, page by page,
    from as many places as a few requests can read."""
    count: Callable[[str], int | None]
    """The approximate number of items in a table, collection or server; None if unknown."""
    table: Callable[[str], Mapping[str, Figure]] = lambda name: {}
    """The server's figures about a table or collection."""
    indexes: Callable[[str], tuple[LiveIndex, ...]] = lambda name: ()
    """The indexes of a table or collection."""
    commands: Callable[[], CommandCalls | None] = lambda: None
    """The calls of commands; None if the server does not count them, or the user may not read the number."""
    remembered: Callable[[str], Remembered] = lambda name: Remembered()
    """(table or collection): requests that the server remembers anyway; nothing is switched on for them."""
    figures: Callable[[], Mapping[str, Figure]] = dict
    """The server's figures about itself."""
    plain: Callable[[Any, Work], Any] = lambda item, work: item
    """A sampled item as dictionaries and lists by stored names, with values in any form."""
    absent: Callable[[str, Sequence[Any]], int] | None = None
    """(collection, keys): the number of missing keys; None if references are not checked."""
    values: Callable[[str, Sequence[Any], str], Mapping[Any, Any]] | None = None
    """(collection, keys, stored path): the values by key; None if copies are not compared."""
    survey: Callable[[str, int, Callable[[], bool]], Iterator[SurveyPage]] | None = None
    """(server, most items of each kind, whether the time is over): a sample of a store whose tables are only in its
    keys, for `keywright adopt`; None if `sample` gives it."""
    watch: Callable[[], Observed] | None = None
    """A recorded client whose requests time out on the server after some seconds; None for a server without a choice
    of plans."""
