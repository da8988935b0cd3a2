"""`Engine` and `Driver`: frozen records of functions, the same for every engine."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from keywright.access.cost import Cost
from keywright.access.path import Candidate, PatternFix
from keywright.access.search import Planned
from keywright.errors import NOWHERE, Place
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.ir.pattern import Pattern
from keywright.record import Record

from .contract.change import Change, Path
from .contract.classes import Rows
from .contract.counting import BlockingCount, Counted, MisfitPage, StoreSize, Units
from .contract.facts import EngineFacts, Nouns
from .contract.ledger import Ledger
from .contract.named_parts import Listed, PartOwner, by_names
from .contract.observer import ClientEvent as ClientEvent
from .contract.observer import Copied, Observer
from .contract.observer import Observed as Observed
from .contract.pages import Pages, Work
from .contract.parts import Description as Description
from .contract.parts import Part
from .contract.plan import Statement
from .contract.resource import StackResource
from .contract.storage_facts import StorageFacts, Traits
from .environment import EngineEnvironment
from .monitoring.alerts import EngineAlerts


class Target(Protocol):
    """The common part of the targets of all engines: one table, database, keyspace or server."""

    @property
    def name(self) -> str:
        """Declared name; the physical name of a placed target."""

    @property
    def generation(self) -> int:
        """Number of the generation, which rises when keys change."""


TargetT = TypeVar("TargetT", bound=Target)
EnvironmentT = TypeVar("EnvironmentT", bound=EngineEnvironment)


class Rejection(Record):
    """A declaration that cannot be compiled."""

    code: str
    """Code of its page."""
    problem: str
    """One sentence with the actual and the allowed value."""
    help: str
    """What to do."""
    subject: str = ""
    """Declared name of the binding or physical store."""
    part: str = ""
    """Declared name of the index, view or group in it."""
    field: str = ""
    """Name of the field, in Python."""
    at: Place = NOWHERE
    """Place of the declaration, if the check knows it; otherwise it is found by subject, part and field."""
    setting: tuple[str, ...] = ()
    """Keys of the wrong setting in the engine's part of a stack file, outermost first."""


class Artefact(Record):
    """A file for stock tools."""

    path: str
    """Path below `build/<environment>/`, with declared names."""
    text: str
    """Its contents."""


class Engine(Record, Generic[TargetT, EnvironmentT], kw_only=True):
    """One engine; docs/engines.md documents the contract of each function."""

    name: str
    """Its name in paths, stores and settings."""
    title: str
    """Its name in messages."""
    environment: type[EnvironmentT]
    """Its part of an environment."""
    check: Callable[[Design[Any, Any]], Iterator[Rejection]]
    """Rejections of declarations that no flavour can store; the design contains this engine's part only."""
    listed: Callable[[PartOwner], Iterator[Listed]] = by_names
    """The parts in a declaration of this engine, under the names that its targets use."""
    lower: Callable[[Design[Any, Any]], tuple[TargetT, ...]]
    """The targets of a design, independent of any environment, one for each physical store."""
    place: Callable[[TargetT, EnvironmentT], TargetT]
    """A target with the settings of the environment: names, capacity, protection."""
    unplace: Callable[[TargetT, EnvironmentT], TargetT]
    """The inverse of `place`; removes the environment's settings from a live target too."""
    refuse: Callable[[TargetT, EnvironmentT], Iterator[Rejection]]
    """Rejections of features that this environment's flavour and version lack, under declared names."""
    describe: Callable[[TargetT], Description]
    """A target as JSON."""
    parse: Callable[[Description], TargetT]
    """The inverse of `describe`; reads live descriptions too."""
    managed: Callable[[TargetT, TargetT], TargetT]
    """(live, expected): the part of a live target that the expected target names; the rest is unmanaged."""
    around: Callable[[TargetT, TargetT], TargetT]
    """(live, expected): the tables of a live target that the expected target names, with unmanaged objects in them."""
    with_live_names: Callable[[TargetT, TargetT], TargetT] = lambda expected, live: expected
    """(expected, live): the expected target, whose indexes take the names of live indexes with the same definition.
    Applications do not name an index, so that its live name can stay."""
    with_live_settings: Callable[[TargetT, TargetT, EnvironmentT], TargetT] | None = None
    """(placed, live, environment): an adopted target. Settings that the environment declares for all targets, and not
    for this target, have their live values. None if an environment owns only the settings that it declares."""
    implied: Callable[[Design[Any, Any], TargetT], Iterable[tuple[Path, ...]]] = lambda design, target: ()
    """(design, declared target): groups of paths in its native half that follow from defaults, not from a declaration;
    in an adopted store, these parts keep their live state."""
    deliberate: Callable[[Description, TargetT], Description] = lambda live, expected: live
    """(live, expected): the deliberate settings of a live target, without server defaults and without options that
    parts inherit from an object that the expected target does not contain."""
    create: Callable[[TargetT], tuple[Statement, ...]]
    """The statements that create a placed target, in order."""
    facts: EngineFacts
    """The parts of a description, the classes of changes, and nouns."""
    clash: Callable[[Json, Json], bool] = lambda first, second: False
    """Whether two described indexes of one table cannot exist side by side, whatever their names are."""
    script: Callable[[TargetT | None, TargetT | None], tuple[Artefact, ...]]
    """The change from one declared target to another as files for stock tools, independent of any environment."""
    rejects_stored: Callable[[Change], bool] = lambda change: False
    """Whether a change makes the server reject items that it accepted before: stored items are counted first."""
    blocking_counts: Callable[[TargetT, Change], Iterable[BlockingCount]] = lambda target, change: ()
    """(placed target with the change, change): the counts of stored data that a plan needs."""
    omits_items: bool = False
    """Whether a new index silently omits stored items with unsuitable values, so that items are checked first."""
    units: Callable[[TargetT, str, StoreSize, tuple[str, ...] | None], Units] | None = None
    """(placed target, op of a step, size of the table, stored paths that it writes or None for any): estimated
    billed capacity of the step, from the average item; None for an engine without billed capacity."""
    home: Callable[[EnvironmentT, str], str]
    """(environment, store): the table, database or keyspace that contains the history of a store."""
    is_untouched: Callable[[TargetT, Description | None], bool]
    """(placed target, live description or None): whether the live store contains nothing of the target."""
    work: Callable[[TargetT, str], Work]
    """(placed target, entity): place and discriminator of its items, for a pass over all of them."""
    keep: Callable[[Design[Any, Any], dict[str, Any], dict[str, Any]], dict[str, Any]]
    """(design, before, after): descriptions of a store's targets by key, with the former generations that a declared
    rebuild reads and that are not dropped yet."""
    generations_apart: bool
    """Whether each generation is a separate target; otherwise generations are parts of one target, or only data."""
    migrate: Callable[[TargetT | None, TargetT | None], tuple[Statement, ...]]
    """The statements from one placed target to another, in order; None for a target that does not exist."""
    render: Callable[[TargetT, TargetT, EnvironmentT], tuple[Artefact, ...]]
    """(declared, placed, environment): the files for stock tools."""
    to_resources: Callable[[str, TargetT], tuple[StackResource, ...]]
    """(declared name, placed target): the target as Pulumi resources, containers first."""
    from_resources: Callable[[Sequence[StackResource]], TargetT]
    """The native half of a target, or of a part of it, from resources of one target."""
    parameter_groups: Callable[[Sequence[TargetT], EnvironmentT], Mapping[str, StackResource]] = (
        lambda targets, environment: {}
    )
    """(placed targets, environment): the parameter groups of its service by purpose. They are never read back and
    contain no data."""
    watch: Callable[[Mapping[str, TargetT], EnvironmentT, Sequence[Planned[TargetT]]], EngineAlerts | None] = (
        lambda targets, environment, planned: None
    )
    """(placed targets by name in the stack, environment, served patterns): the Prometheus alerts; None for a flavour
    without an exporter."""
    alarms: Callable[[Mapping[str, TargetT], EnvironmentT, Sequence[Planned[TargetT]]], Iterable[StackResource]] = (
        lambda targets, environment, planned: ()
    )
    """The same arguments: the CloudWatch alarms, each within the resource of its table, if it has one."""
    store: Callable[[TargetT], str]
    """The store of a target, such as `mongodb/content`."""
    object_of: Callable[[TargetT, Binding[Any]], str]
    """The physical table, collection or server in a placed target that contains a binding's items."""
    localise: Callable[[EnvironmentT | None, str], EnvironmentT]
    """(environment, version that the server reports): the environment in a form that one local server can serve."""
    local_product: Callable[[TargetT], str] = lambda target: ""
    """The product that a local server of a target must be; empty if the usual one has all that the target needs."""
    needs_first_part: Callable[[TargetT], bool] = lambda target: False
    """Whether a scratch store of a target must be the first part of a server, such as its first database."""
    key_fields: Callable[[TargetT, Binding[Any]], tuple[str, ...]]
    """The fields that identify an item of an entity in a placed target, in the order of its key."""
    paths: Callable[[TargetT, Binding[Any], Pattern], Iterator[Candidate]]
    """Every key, index and structure of a placed target, as a way to serve a pattern or with the reason against it."""
    together: Callable[[TargetT, tuple[Planned[TargetT], ...]], Candidate]
    """The planned writes of a transaction as one access path."""
    read_together: Callable[[TargetT, Pattern, tuple[Planned[TargetT], ...]], Iterator[Candidate]] | None = None
    """(target, pattern, planned reads): every way in which one request serves reads of several entities; None for an
    engine without such requests."""
    storage_facts: Callable[[TargetT, Binding[Any]], StorageFacts | None]
    """The storage facts of an entity in a placed target; None if the target does not contain the entity."""
    traits: Traits
    """The use cases that it is designed for."""
    schemes: tuple[str, ...]
    """Allowed schemes of its servers' addresses."""
    service: str = ""
    """Prefix of the address of a service that clients find without an address, such as `aws:`; empty if
    there is none."""
    has_parts_by_path: bool = False
    """Whether the path of an address names a separate part of the server, such as a database."""
    has_own_history: bool = True
    """Whether a gated environment can keep the history of a store in the store itself, so that `history:` is
    optional."""
    key_arguments: tuple[str, ...] = ()
    """Key templates that show, with the discriminator, whether a stored item already has its new key."""
    apart: Callable[[EnvironmentT, str], EnvironmentT]
    """(environment, prefix): the environment for scratch stores: prefixed names, without protection, and without
    capacity that is paid in advance."""
    query: Callable[[Planned[TargetT]], Json]
    """The native request of a served pattern; `:name` is an argument of the caller, `{field}` a part of a key."""
    cost: Callable[[Planned[TargetT]], Cost]
    """The cost of one call of a served pattern."""
    unanswered: Callable[[Planned[TargetT], str], str] = lambda planned, version: ""
    """(served pattern, version that a local server reports): why that server cannot execute it; empty if it can."""
    references: Callable[[TargetT, Design[Any, Any], Binding[Any]], Iterable[tuple[str, str, str]]] = (
        lambda target, design, binding: ()
    )
    """(placed target, design, entity): Python path, stored path and referenced object of every reference that a
    lookup by key can check."""
    copied: Callable[[TargetT, Design[Any, Any], Binding[Any]], Iterable[Copied]] = lambda target, design, binding: ()
    """The same arguments: the copied fields that can be compared with their source."""
    fixes: Callable[[TargetT, Binding[Any], Pattern], Iterator[PatternFix[TargetT]]]
    """Declarations within the engine's limits that could serve a pattern."""
    verify_evidence: Callable[[Planned[TargetT], tuple[ClientEvent, ...], int], Iterator[str]]
    """(planned, recorded events of one call, number of returned items): the contradictions between the server's
    evidence and the path."""

    @property
    def parts(self) -> Part:
        """The parts of a description, which determine the possible changes."""
        return self.facts.parts

    @property
    def classes(self) -> Rows:
        """The effect of each change on a running system; the first matching row applies."""
        return self.facts.classes

    @property
    def nouns(self) -> Nouns:
        """Nouns for its objects."""
        return self.facts.nouns


class StatementFailed(Exception):
    """The server rejected a statement or could not be reached; drivers raise it with the server's message."""

    def __init__(self, words: str, help: str = "") -> None:
        """help: the help line for a rejection whose code the driver knows; empty for others."""
        super().__init__(words)
        self.help = help


class ServerUnreachable(StatementFailed):
    """The server could not be reached, or did not answer: a statement may have taken effect."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"could not reach it: {reason}")


class TooSoon(StatementFailed):
    """The server rejected a statement for which it enforces a pause after the previous one."""


class Driver(Record, kw_only=True):
    """A connection to one live store."""

    introspect: Callable[[Iterable[str]], dict[str, Description | None]]
    """Descriptions of targets by physical name, builds in progress included; None for a missing target."""
    names: Callable[[], tuple[str, ...]]
    """Physical names of all existing targets."""
    run: Callable[[Statement], None]
    """Runs a statement; returns when the server has accepted it, raises StatementFailed otherwise."""
    load: Callable[[str, Iterable[Any]], int]
    """(object, items in the native form of `runtime`): writes the items; returns their number."""
    stored: Callable[[str, Any], Any]
    """(object, item in the native form of `runtime`): the stored item with that item's key, in the same form; None if
    there is none."""
    observe: Callable[[], Observed]
    """A recorded client of the same store; `close` ends it too."""
    ledger: Callable[[str, str], Ledger]
    """(home, store): the history of a store; home is a table, database, keyspace or key prefix."""
    pages: Callable[[Work], Pages]
    """The items of a pass, page by page; raises UsageError for items that cannot be written in place."""
    drop: Callable[[Iterable[str]], None]
    """Drops targets by physical name with all their data: for scratch stores only."""
    close: Callable[[], None]
    """Closes the connection."""
    uses: Callable[[str, tuple[str, ...]], Json] | None = None
    """(target, path of an index in its description): the server's usage statistics, which differ after each use;
    returns None for a missing index. The function is None if the server has no usage statistics."""
    observer: Callable[[], Observer] | None = None
    """The observer of a live check, which only reads."""
    size: Callable[[str], StoreSize | None] = lambda name: None
    """(table or collection, as for `load`): its size from the server's statistics, without a scan; None if unknown."""
    counted: Callable[[BlockingCount], Counted | None] | None = None
    """The result of a `BlockingCount`, within some seconds and by reads alone; returns None on timeout or for a missing
    object. The function is None for an engine whose changes need no count."""
    dead_letters: Callable[[], Mapping[str, int]] | None = None
    """Numbers of entries in dead-letter streams, by the stream's key; None for an engine without streams."""
    misfits: Callable[[str, Json, Json, int], MisfitPage] | None = None
    """(table, described index, cursor, limit): the next items, and those that a new index would omit; a cursor of
    None starts. The function is None if the server itself rejects such an index."""
