"""The inverse of `lower`: declarations for the objects of a live store or of a schema file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.ir.pattern import ConstantCondition, Pattern
from keywright.record import Record, field

from .observer import CommandCalls, LiveIndex, Remembered
from .requests import SeenRequest

PAGE_ITEMS = 20
"""Items on a page of a proposed read; no store knows the number."""

IDLE_DAYS = 7
"""Days without a use after which an index or a command proposes nothing."""


class Sample(Record):
    """Some items of one table, collection or server."""

    items: Sequence[Any] = ()
    """Items in the native form of `runtime`; in Redis, the sampled keys of each shape."""
    count: int | None = None
    """Approximate number of all items; None if it is unknown."""
    indexes: tuple[LiveIndex, ...] = ()
    """Its indexes with their uses, if the server counts them."""
    commands: CommandCalls | None = None
    """Calls of commands before the sample was read, if the server counts them."""
    remembered: Remembered = Remembered()
    """Requests that the server remembered before the sample was read."""
    rates: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Measured rates in words by (`read` or `write`, name of an index, or empty for the table)."""
    kinds: Sequence[str] = ()
    """Names that a schema file gives to the kinds of the items, one for each item; empty without such names."""
    comments: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Comments of a schema file, by (table or type, column)."""


NO_SAMPLE = Sample()


class NotExpressed(Record):
    """A part of a store that declarations cannot express."""

    object: str
    """Its path in the description of the target, such as `collections/users/indexes/email_1`."""
    reason: str
    """Why, in one clause; names the feature of the engine."""


class Adopted(Record):
    """Declarations for one target: `lower(design)` is the target without the parts in `not_expressed`."""

    design: Design[Any, Any]
    """The declarations. Places are `NOWHERE`; a binding's spec refers to the spec of its physical object."""
    comments: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Evidence for a field by (entity or embedded model, Python name), such as `in 12 % of 1000 items`; for an access
    pattern by ("", its name)."""
    not_expressed: tuple[NotExpressed, ...] = ()
    """What is missing in the declarations."""
    has_settings: bool = False
    """Whether the physical objects are declared even without entities, because they have settings of their own."""


class KeyOrder(Record):
    """A key or index of an entity, from which reads are proposed."""

    index: str
    """Name of the index or view; empty for the primary key."""
    equal: tuple[str, ...]
    """Fields that a read compares by equality."""
    order: tuple[str, ...] = ()
    """Fields of the order after them; a leading minus is descending."""
    is_unique: bool = False
    """Whether no two items have the same values of all these fields."""
    where: tuple[ConstantCondition, ...] = ()
    """Conditions of the items that it contains."""
    near: str | None = None
    """The vector whose nearest values an index finds; it has no other fields."""


class Proposal(Record):
    """An access pattern that the structure of an entity suggests."""

    pattern: Pattern
    """The pattern."""
    evidence: str
    """Its source, for a comment; empty if the declaration tells."""
    is_of_index: bool = False
    """Whether the evidence is about its index alone; other evidence is written once."""
    may_be_unordered: bool = False
    """Whether it is proposed without its order if nothing keeps that order: fields of some types order no read."""


class Schema(Record):
    """The contents of schema files."""

    targets: tuple[Any, ...]
    """Targets of the engine, without settings of an environment."""
    samples: Mapping[str, Sample] = field(default_factory=dict)
    """Samples by table or collection, if the files contain items."""
    not_expressed: tuple[NotExpressed, ...] = ()
    """Statements that were not understood; the object is `file:line`."""
    documents: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Paths of files with documents, by target and collection; the driver reads those that exist."""
    adopted: Mapping[str, Adopted] = field(default_factory=dict)
    """Declarations of the targets, by name, whose files contain entities; `adopt` finds those of other targets."""
    settings: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    """The engine's settings in the stack file of a new project, by the target whose definition contains them."""


class Measures(Record):
    """Measured rates in exports of a monitoring service."""

    rates: Mapping[str, Mapping[tuple[str, str], str]] = field(default_factory=dict)
    """`Sample.rates` by the physical name of the table."""
    files: tuple[str, ...] = ()
    """Paths of the exports."""
    not_expressed: tuple[NotExpressed, ...] = ()
    """Parts of them that give no rates."""


def _place(binding: Binding[Any]) -> tuple[str, str]:
    """The table or collection of an entity's items."""
    return binding.physical.name, str(getattr(binding.spec, "name", ""))


class Adoption(Record, kw_only=True):
    """An engine's functions for existing stores and schema files; imported only by `keywright adopt`."""

    adopt: Callable[[Any, Mapping[str, Sample], Any], Adopted]
    """(live target without the environment's settings, samples by table or collection, the engine's environment):
    declarations that `lower` turns into the target."""
    sampled: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda live: {}
    """(live description): the tables or collections whose items `adopt` needs because the store does not know the
    types of fields, each with its name for an observer."""
    key_orders: Callable[[Any, Binding[Any]], Iterator[KeyOrder]] = lambda target, binding: iter(())
    """(placed target, adopted entity): its keys and indexes, the primary key first."""
    proposals: Callable[[Binding[Any], Sample], Iterator[Proposal]] = lambda binding, sample: iter(())
    """(adopted entity, sample of its store): patterns that its structure suggests, besides those of `key_orders`."""
    requested: Callable[[Binding[Any], Sample], Iterator[SeenRequest]] = lambda binding, sample: iter(())
    """(adopted entity, sample of its table or collection): requests of applications to its items."""
    remembers: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda live: {}
    """(live description): the tables whose requests are read and whose items are not, each with its name for an
    observer."""
    rates: Callable[[Remembered], Mapping[tuple[str, str], str]] = lambda remembered: {}
    """(what a server remembers of a table): `Sample.rates`."""
    read_schema: Callable[[Mapping[str, str]], Schema | None] = lambda paths: None
    """(contents of files by path, in order): the targets that they describe; None for files of another kind."""
    measured: Callable[[Mapping[str, str]], Measures] = lambda paths: Measures()
    """(contents of files by path): the rates in those that are exports of a monitoring service."""
    suffixes: tuple[str, ...] = ()
    """Suffixes of schema files in a folder; their contents decide what they are."""
    files: tuple[str, ...] = ()
    """Kinds of schema files, for messages."""
    included: Callable[[str], tuple[str, ...]] = lambda text: ()
    """(contents of a file): the patterns of the files that it includes, relative to its folder."""
    name: str = ""
    """Name of a server that has no name of its own; empty if the store knows the names of its targets."""
    history: str = ""
    """Ending of the names of tables or keyspaces with histories of migrations, in every environment; empty for none."""
    doc: str
    """Docstring of the file of a target, without its name, such as `Cassandra keyspace`."""
    has_version_defaults: bool = False
    """Whether `adopt` needs the server's version, on which the defaults of its settings depend."""
    is_same: Callable[[Binding[Any], Binding[Any]], bool] = lambda binding, declared: (
        _place(binding) == _place(declared)
    )
    """(adopted, declared): whether both are the same table or collection, or could have the same keys."""
    within: Callable[[Binding[Any], Any], Binding[Any]] = lambda binding, declared: binding
    """(adopted, declaration of its table, database or server in the project): the binding with the options that have
    other defaults there."""
    settings: Callable[[str, str, Mapping[str, Any]], Mapping[str, Json]]
    """(address, version that the server reports, live description; all empty for files): the engine's settings in the
    stack file of a new project."""
