"""What an engine and a driver are: frozen records of functions, the same for every engine."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from keywright.errors import NOWHERE, Place
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.json import Json

from .environment import Environment
from .plan import State, Step

Description: TypeAlias = dict[str, Json]
"""`{"name", "generation", "native", "shape"}`: a target as JSON; a live store reports no shape."""


class Target(Protocol):
    """What the targets of all engines have in common: one table, database, keyspace or server."""

    @property
    def name(self) -> str:
        """Declared name, or the physical one once placed."""

    @property
    def generation(self) -> int:
        """Counts up when keys change."""


TargetT = TypeVar("TargetT", bound=Target)
EnvironmentT = TypeVar("EnvironmentT", bound=Environment)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that cannot be compiled."""

    code: str
    """Code of its page."""
    problem: str
    """One sentence with the actual and the allowed value."""
    help: str
    """What to do."""
    subject: str = ""
    """Name of the binding or physical thing that it is about, as declared."""
    part: str = ""
    """Name of the index, view or group in it, as declared."""
    field: str = ""
    """Name of the field, in Python."""
    at: Place = NOWHERE
    """Where it was declared, if the one who refuses knows; else it is found by subject, part and field."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file for stock tools."""

    path: str
    """Path below `build/<environment>/`, with declared names."""
    text: str
    """Its contents."""


@dataclass(frozen=True, kw_only=True)
class Engine(Generic[TargetT, EnvironmentT]):
    """One engine; docs/engines.md tells what each function must hold to."""

    name: str
    """Its name in paths, stores and settings."""
    title: str
    """Its name in sentences."""
    physicals: tuple[type, ...]
    """Types of its physical declarations, such as `DynamoTable`."""
    environment: type[EnvironmentT]
    """Its part of an environment."""
    check: Callable[[Design], Iterator[Refusal]]
    """What no flavour of it can hold; the design is its own part only."""
    lower: Callable[[Design], tuple[TargetT, ...]]
    """The targets of a design, free of any environment, one for each physical thing."""
    place: Callable[[TargetT, EnvironmentT], TargetT]
    """A target with what the environment adds: names, capacity, protection."""
    unplace: Callable[[TargetT, EnvironmentT], TargetT]
    """The inverse of `place`; takes the environment's part off a live target too."""
    refuse: Callable[[TargetT, EnvironmentT], Iterator[Refusal]]
    """What this environment's flavour and version lack for a placed target; names are the declared ones."""
    describe: Callable[[TargetT], Description]
    """A target as JSON."""
    parse: Callable[[Description], TargetT]
    """The inverse of `describe`; reads live descriptions too."""
    managed: Callable[[TargetT, TargetT], TargetT]
    """(live, wanted): the part of a live target that the wanted one speaks about."""
    create: Callable[[TargetT], tuple[Step, ...]]
    """The steps that make a placed target from nothing, in order."""
    probe: Callable[[Step, Mapping[str, Json] | None], State]
    """The state of a step's object in a live description."""
    render: Callable[[TargetT, TargetT, EnvironmentT], tuple[Artefact, ...]]
    """(declared, placed, environment): the files for stock tools."""
    store: Callable[[TargetT], str]
    """The store that a target is in, such as `mongodb/content`."""
    object_of: Callable[[TargetT, Binding], str]
    """The physical table, collection or server in a placed target that a driver loads a binding's items into."""
    localise: Callable[[EnvironmentT | None, str], EnvironmentT]
    """(environment, version that the server reports): the environment as one local server can serve it."""


class StatementFailed(Exception):
    """The server refused a statement or could not be reached; drivers raise it with the server's own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """A connection to one live store."""

    introspect: Callable[[Iterable[str]], dict[str, Description | None]]
    """Descriptions of targets by physical name, builds in progress included; None for what does not exist."""
    names: Callable[[], tuple[str, ...]]
    """Physical names of all targets that are there."""
    run: Callable[[Step], None]
    """Runs a step's statement; returns when the server has accepted it, raises StatementFailed when it does not."""
    load: Callable[[str, Iterable[Any]], int]
    """Writes items in native form, as `runtime` makes them, to an object; how many were written."""
    close: Callable[[], None]
    """Ends the connection."""
