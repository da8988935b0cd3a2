"""Options that every engine's declaration of an entity shares, and `bind` for classes without a store."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from keywright.ir.pattern import ConstantCondition
from keywright.ir.template import Template, TemplateError, parse
from keywright.record import replace

from .change import CutOver, Rebuild, Upgrade
from .declared import Declared, subject
from .names import EntityKind
from .suppression import Ignore

if TYPE_CHECKING:
    from pydantic import BaseModel

VERSION = "_kw_v"
"""Stored attribute of the schema version; absent means 1, so that it costs nothing before there are two versions."""

M = TypeVar("M", bound="BaseModel")
M_co = TypeVar("M_co", bound="BaseModel", covariant=True)


class Physical(Declared):
    """A named object that several entities share: a table, a database, a keyspace, a server."""

    engine = ""
    """Name of the engine; not an option."""
    has_collations = False
    """Whether patterns can compare texts by the rules of a language; not an option."""
    has_write_options = False
    """Whether a write has a time to live and a time of its own; not an option."""
    has_filters = False
    """Whether reads can filter by `Contains`, `StartsWith`, `Length` and alternatives; not an option."""
    can_scan = False
    """Whether a pattern can read all items of a table, page by page; not an option."""

    name: str = subject(kw_only=False)
    """The physical name, without the environment's prefix; renaming the Python variable does not change it."""
    owner: str | None = None
    """The team whose review a change needs."""
    renamed_from: str | None = None
    """The former name."""
    ignores: list[Ignore] = []
    """Ignored findings."""


class Store(Declared):
    """The storage of one entity; the options that are the same in every engine."""

    is_collection = False
    """Whether its key identifies a collection: instances are its elements, and can be equal; no option."""
    is_estimate = False
    """Whether its count is an estimate; no option."""

    kind: EntityKind = "record"
    """The business role of the entity."""
    expected: int | None = None
    """Number of live items at the design size; by default the cardinality of the key."""
    active: float = 1.0
    """Share of the items that is read or written on a normal day."""
    keep_forever: str | None = None
    """The reason why it never expires, although entities of its kind usually do."""
    computed: Mapping[str, str] = {}
    """Stored attributes that are not model fields, each a key template; keys and indexes can use them."""
    schema_version: int = 1
    """Version of the stored form, written with every item from 2 on."""
    upgrades: Mapping[int, Upgrade] = {}
    """The conversion of each older stored version to the next one."""
    cut_over: CutOver | None = None
    """The move from another database, until it is finished."""
    owner: str | None = None
    """The team whose review a change needs."""
    renamed_from: str | None = None
    """The former class name, collection or table."""
    ignores: list[Ignore] = []
    """Ignored findings."""

    @property
    def physical(self) -> Physical:
        """The physical object of this entity: the first positional argument of the declaration."""
        physical: Physical = getattr(self, self.__options__.subjects[0])
        return physical

    @property
    def source(self) -> str:
        """The physical name of the store whose items this one shows; empty for a store with items of its own."""
        return ""

    @property
    def shown(self) -> tuple[ConstantCondition, ...]:
        """The conditions of the items of `source` that it shows, by field of their entity."""
        return ()

    @property
    def templates(self) -> dict[str, Template]:
        """Every key template of this declaration, parsed, by argument."""
        parsed: dict[str, Template] = self.__dict__.setdefault("__templates__", {})
        return parsed

    @property
    def unknown_fields(self) -> set[str]:
        """Fields in the declaration that the model does not have, as found by `check_model`."""
        unknown: set[str] = self.__dict__.setdefault("__unknown__", set())
        return unknown

    def check(self) -> None:
        """See `Declared.check`."""
        for name, text in self.computed.items():
            self.template(f'computed["{name}"]', text)
        for name in self.computed:
            if self._depends_on(name, name, set()):
                problem = f'computed["{name}"] depends on itself: {self.computed[name]!r}'
                self.wrong("E0316", problem, "compute it from fields of the model")
        for version in self.upgrades:
            if version < 1:
                self.wrong("E0507", f"upgrades[{version}] is not a version", "versions start at 1")
            elif version >= self.schema_version:
                self.wrong(
                    "E0507",
                    f"upgrades[{version}] leads to a version above schema_version={self.schema_version}",
                    f"raise schema_version to {version + 1}, or correct the version in upgrades",
                )

    def _depends_on(self, attribute: str, target: str, visited: set[str]) -> bool:
        """Whether a computed attribute depends on another one, directly or through others."""
        template = self.templates.get(f'computed["{attribute}"]')
        paths = {placeholder.path for placeholder in template.placeholders} if template else set[str]()
        dependencies = paths & self.computed.keys()
        visited.add(attribute)
        return target in dependencies or any(self._depends_on(name, target, visited) for name in dependencies - visited)

    def template(self, argument: str, text: str | None) -> None:
        """Parse a key template and store it under its argument."""
        if text is None:
            return
        try:
            template = self.templates[argument] = parse(text)
        except TemplateError as error:
            self.wrong(error.code, f"{argument}: {error}", error.help)
            return
        for path, filter in template.precise_filters:
            problem = f'{argument}: filter ":{filter}" in "{text}" has a precision, which belongs to the field'
            fact = f'kw.Precision("{filter.precision}")'
            help = f"write {{{path}:{replace(filter, precision=None)}}}, and type the field Annotated[datetime, {fact}]"
            self.wrong("E0315", problem, help)

    def is_ordered(self, argument: str) -> bool:
        """Whether texts of this argument's template are compared by order, not only by equality."""
        return True

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """(argument, field name) of every field in the declaration outside templates."""
        yield from ()

    def places_named(self) -> Iterable[str]:
        """Names of the computed attributes that contain the degrees of a place, and are no part of a key."""
        return ()

    def conditions_named(self) -> Iterator[tuple[str, Iterable[ConstantCondition]]]:
        """(argument, conditions) of every sparse or partial index."""
        yield from ()

    def implicit_keys(self) -> Iterator[tuple[str, str]]:
        """(argument, attribute) of every key attribute without a template, which must be a field."""
        yield from ()

    def implicit_index_keys(self) -> Iterator[tuple[str, str, str]]:
        """(index, argument, attribute) of every key attribute of an index without a template, which must be a field."""
        yield from ()

    def templated_attributes(self) -> Iterator[tuple[str, str]]:
        """(argument, attribute) of every stored attribute with a template; no field may have its name."""
        yield from ((f'computed["{name}"]', name) for name in self.computed)


class Rebuildable(Declared):
    """A table or collection whose keys cannot be altered in place."""

    generation: int = 1
    """A counter of key changes; the physical name gets a suffix, and the old data stays until the copy."""
    rebuild: Rebuild | None = None
    """The source of a new generation's data."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        if self.generation > 1 and self.rebuild is None:
            self.wrong(
                "E0506",
                f"generation={self.generation} has no source for its data",
                f"add rebuild=kw.Rebuild(from_generation={self.generation - 1})",
            )
        if self.rebuild and self.rebuild.from_generation >= self.generation:
            source = self.rebuild.from_generation
            self.wrong(
                "E0512",
                f"rebuild.from_generation={source} is not before generation={self.generation}",
                f"set generation={source + 1}, or rebuild from an older generation",
            )


class Bound(Declared, Generic[M_co]):
    """A model in a store other than its own; patterns accept it in place of the model. Created by `bind`."""

    model: type[M_co] = subject(kw_only=False)
    """The model class."""
    store: Store = subject(kw_only=False)
    """Its storage here."""


def bind(model: type[M], store: Store) -> Bound[M]:
    """Store a class that is not yours, or that already has another store."""
    return Bound(model, store)
