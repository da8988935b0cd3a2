"""What an engine and a driver are: frozen records of functions, the same for every engine."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from keywright.access.cost import Cost
from keywright.access.path import Candidate, Fix
from keywright.access.search import Planned
from keywright.errors import NOWHERE, Place
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.ir.pattern import Pattern

from .alerts import Watch
from .classes import Rows
from .environment import Environment
from .holding import Holding, Traits
from .ledger import Ledger
from .listed import Listed, Owner, by_names
from .misfits import Looked
from .observer import Copied, Observer
from .pages import Pages, Work
from .parts import Part
from .plan import Step
from .resource import Resource
from .sizes import Size, Units

Event: TypeAlias = Mapping[str, Json]
"""One request of a recorded client and what the server said of it: evidence; its keys are the engine's own."""

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
    environment: type[EnvironmentT]
    """Its part of an environment."""
    check: Callable[[Design], Iterator[Refusal]]
    """What no flavour of it can hold; the design is its own part only."""
    listed: Callable[[Owner], Iterator[Listed]] = by_names
    """The parts that a declaration of its lists, with the names that its targets have for them."""
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
    parts: Part
    """Which parts a description has, and so which changes there are."""
    classes: Rows
    """What each change does to a running system; the first row that fits counts."""
    clash: Callable[[Json, Json], bool] = lambda one, other: False
    """Whether two indexes of one table, as described, cannot stand side by side whatever they are called."""
    script: Callable[[TargetT | None, TargetT | None], tuple[Artefact, ...]]
    """The same for stock tools, from one declared target to another, free of any environment; paths are file names."""
    leaves_out: bool = False
    """Whether a new index leaves out stored items whose values do not fit, without a word: they are looked at first."""
    units: Callable[[TargetT, str, Size, tuple[str, ...] | None], Units] | None = None
    """(placed target, op of a stage, what it goes over, stored paths that it writes or None for any): about what
    that takes of a capacity that is billed, by the average item; None where none is."""
    home: Callable[[EnvironmentT, str], str]
    """(environment, store): the table, database or keyspace in which the history of a store is kept."""
    is_untouched: Callable[[TargetT, Description | None], bool]
    """Whether nothing of a placed target is in a live store, of which None is the description if it is not there."""
    work: Callable[[TargetT, str], Work]
    """(placed target, entity): where its items are and how they are told, for a pass over all of them."""
    keep: Callable[[Design, dict[str, Any], dict[str, Any]], dict[str, Any]]
    """(design, before, after): descriptions of a store's targets by key, with those former generations that the models
    rebuild from and do not drop yet."""
    generations_apart: bool
    """Whether each generation is a target of its own; else they are parts of one target, or only data."""
    migrate: Callable[[TargetT | None, TargetT | None], tuple[Step, ...]]
    """The steps from one placed target to another, in order; None where there is none yet, or none any more."""
    render: Callable[[TargetT, TargetT, EnvironmentT], tuple[Artefact, ...]]
    """(declared, placed, environment): the files for stock tools."""
    to_resources: Callable[[str, TargetT], tuple[Resource, ...]]
    """(declared name, placed target): the same as Pulumi resources, those that hold others first."""
    from_resources: Callable[[Sequence[Resource]], TargetT]
    """The native half of a target, or of a part of it, from resources of one target."""
    parameter_groups: Callable[[Sequence[TargetT], EnvironmentT], Mapping[str, Resource]] = (
        lambda targets, environment: {}
    )
    """(placed targets, environment): the parameter groups of its service, by what each is for; nobody reads them back,
    and they hold no data."""
    watch: Callable[[Mapping[str, TargetT], EnvironmentT, Sequence[Planned[TargetT]]], Watch | None] = (
        lambda targets, environment, planned: None
    )
    """(placed targets by what the stack calls them, environment, served patterns): the alerts of Prometheus; None where
    its exporters know nothing of the flavour."""
    alarms: Callable[[Mapping[str, TargetT], EnvironmentT, Sequence[Planned[TargetT]]], Iterable[Resource]] = (
        lambda targets, environment, planned: ()
    )
    """The same arguments: the alarms of CloudWatch, each within the table that it is about, where it is about one."""
    store: Callable[[TargetT], str]
    """The store that a target is in, such as `mongodb/content`."""
    object_of: Callable[[TargetT, Binding], str]
    """The physical table, collection or server in a placed target that a driver loads a binding's items into."""
    localise: Callable[[EnvironmentT | None, str], EnvironmentT]
    """(environment, version that the server reports): the environment as one local server can serve it."""
    key_fields: Callable[[TargetT, Binding], tuple[str, ...]]
    """The fields that identify an item of an entity in a placed target, in the order of its key."""
    paths: Callable[[TargetT, Binding, Pattern], Iterator[Candidate]]
    """Every key, index and structure of a placed target that could serve a pattern, or why it does not."""
    together: Callable[[TargetT, tuple[Planned[TargetT], ...]], Candidate]
    """The writes of a transaction, each planned, as one."""
    holding: Callable[[TargetT, Binding], Holding | None]
    """How an entity is held in a placed target; None where it is not in it."""
    traits: Traits
    """What it is made for."""
    query: Callable[[Planned[TargetT]], Json]
    """The native form of what a served pattern sends; `:name` stands for what the caller gives, `{field}` for a part of
    a key."""
    cost: Callable[[Planned[TargetT]], Cost]
    """What one call of a served pattern costs."""
    references: Callable[[TargetT, Design, Binding], Iterable[tuple[str, str, str]]] = lambda target, design, one: ()
    """(placed target, design, entity): Python path, stored path and the object that holds what it refers to, of every
    reference that can be looked up by its key."""
    copied: Callable[[TargetT, Design, Binding], Iterable[Copied]] = lambda target, design, one: ()
    """The same arguments: fields that follow another entity's, and can be compared with it."""
    fixes: Callable[[TargetT, Binding, Pattern], Iterator[Fix[TargetT]]]
    """Declarations within the engine's limits that could let a pattern be served."""
    judge: Callable[[Planned[TargetT], tuple[Event, ...], int], Iterator[str]]
    """(planned, what a recorded client saw of one call, items returned): what in the server's own evidence disagrees
    with the path; nothing where all agrees."""


class StatementFailed(Exception):
    """The server refused a statement or could not be reached; drivers raise it with the server's own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A client whose every request is recorded together with what the server says of it."""

    client: Any
    """The client, such as an application has: what `runtime.open` takes."""
    events: Callable[[], tuple[Event, ...]]
    """The requests since the last call, in order; may ask the server to explain them."""


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
    stored: Callable[[str, Any], Any]
    """(object, native item as `runtime` makes it): what the store holds under that item's key, in the same form; None
    if it holds nothing."""
    observe: Callable[[], Observed]
    """A recorded client of the same store; it ends with the driver."""
    ledger: Callable[[str, str], Ledger]
    """(home, store): where a store's history is kept; home is a table, database or keyspace, or how keys begin."""
    pages: Callable[[Work], Pages]
    """The items that a pass is about, page by page; UsageError for what cannot be written in place."""
    drop: Callable[[Iterable[str]], None]
    """Removes targets by physical name with all that is in them: scratch stores only."""
    close: Callable[[], None]
    """Ends the connection."""
    uses: Callable[[str, tuple[str, ...]], Json] | None = None
    """(target, path of an index in its description): what the server says of its use, which is another answer after
    each use; None for an index that is not there. None where the server does not tell."""
    observer: Callable[[], Observer] | None = None
    """The eyes on what it holds; it writes nothing."""
    size: Callable[[str], Size | None] = lambda name: None
    """(table or collection as `load` takes it): what it holds, told without going through it; None where it cannot."""
    misfits: Callable[[str, Json, Json, int], Looked] | None = None
    """(table, index as described, cursor, limit): the next items, and which of them an index that is yet to come would
    leave out; a cursor of None begins. None where the server itself refuses to build such an index."""
