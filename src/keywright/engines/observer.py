"""What a driver lets be seen of a live store: reads alone, each of a bounded size."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from .flaws.observation import Figure, Way
from .pages import Work

if TYPE_CHECKING:
    from .interface import Observed

Works: TypeAlias = Mapping[str, Work]
"""How the entities in one place are told apart, by name of their bindings."""

UNREACHABLE = "could not reach it"
"""What drivers say first of a server that is not there; all else is a refusal."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A field that follows another entity's."""

    path: str
    """Its Python path."""
    stored: str
    """Its stored path."""
    reference: str
    """Stored path of what refers to the other item, beside it."""
    object: str
    """What holds the other item."""
    source: str
    """Stored path of the value there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One stored item, or in Redis one key."""

    entity: str
    """Name of the binding whose it is; empty where it is none's."""
    item: Any = None
    """The item as `runtime` takes it; None where its values were not read, and of keys of others in Redis."""
    bytes: int = 0
    """Its size."""
    version: int | None = None
    """Its schema version; None where it was not read."""
    expiry: str = ""
    """What stands where its time of expiry is; empty where nothing expires."""
    wrong: tuple[str, ...] = ()
    """Stored names of values of another native type than is declared."""
    is_misplaced: bool = False
    """Whether its key is none that the entity writes, though it says that it is one."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """In Redis: its `type`, `length`, and `pending` entries by group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """The eyes on one server; every function raises StatementFailed."""

    sample: Callable[[str, Works, int], Iterator[tuple[Taken, ...]]]
    """(table, collection or server as `load` takes it, its entities, about how many items): some items, page by page,
    from as many places as that takes few requests."""
    count: Callable[[str], int | None]
    """About how many items there are in it; None where nobody says."""
    table: Callable[[str], Mapping[str, Figure]] = lambda name: {}
    """What the server says of it."""
    ways: Callable[[str], tuple[Way, ...]] = lambda name: ()
    """Its indexes."""
    figures: Callable[[], Mapping[str, Figure]] = dict
    """What the server says of itself."""
    absent: Callable[[str, Sequence[Any]], int] | None = None
    """(collection, keys): how many of them are not there; None where references are not looked up."""
    values: Callable[[str, Sequence[Any], str], Mapping[Any, Any]] | None = None
    """(collection, keys, stored path): the values there by key; None where copies are not compared."""
    watch: "Callable[[], Observed] | None" = None
    """A recorded client whose requests the server ends after some seconds; None where the server has no choice of how
    it serves a pattern."""
