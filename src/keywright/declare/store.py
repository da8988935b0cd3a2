"""What every engine's declaration of an entity shares, and `bind` for classes that cannot carry one."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from keywright.ir.template import Template, TemplateError, parse

from .change import CutOver, Rebuild, Upgrade
from .declared import Declared, subject
from .judgement import Ignore
from .names import Kind

if TYPE_CHECKING:
    from pydantic import BaseModel

VERSION = "_kw_v"
"""Stored attribute of the schema version; absent means 1, so that nobody pays for it before there are two."""

M = TypeVar("M", bound="BaseModel")
M_co = TypeVar("M_co", bound="BaseModel", covariant=True)


class Physical(Declared):
    """Something with a name of its own that several entities share: a table, a database, a keyspace, a server."""

    engine = ""
    """Name of the engine; no option."""

    name: str = subject(kw_only=False)
    """The physical name, without the environment's prefix; renaming the Python variable does not change it."""
    owner: str | None = None
    """The team whose review a change needs."""
    renamed_from: str | None = None
    """The former name."""
    ignores: list[Ignore] = []
    """Findings accepted here."""


class Store(Declared):
    """How one entity is stored; the part that is the same in every engine."""

    kind: Kind = "record"
    """What the entity is to the business."""
    expected: int | None = None
    """How many live ones there will be at the design size; by default what the cardinality of its key says."""
    active: float = 1.0
    """The share of them that is read or written on a normal day."""
    keep_forever: str | None = None
    """Why it never expires, where its kind says that it should."""
    computed: Mapping[str, str] = {}
    """Stored attributes that no model field holds, each a key template; keys and indexes may use them."""
    schema_version: int = 1
    """Version of the stored shape, written with every item from 2 on."""
    upgrades: Mapping[int, Upgrade] = {}
    """How each older version still stored becomes the next one."""
    cut_over: CutOver | None = None
    """The move from another database, while it lasts."""
    owner: str | None = None
    """The team whose review a change needs."""
    renamed_from: str | None = None
    """The former class name, collection or table."""
    ignores: list[Ignore] = []
    """Findings accepted here."""

    @property
    def physical(self) -> Physical:
        """The physical thing that this entity shares: the first thing that the declaration is about."""
        found: Physical = getattr(self, self.__options__.subjects[0])
        return found

    @property
    def templates(self) -> dict[str, Template]:
        """Every key template of this declaration, parsed, by the argument that gave it."""
        parsed: dict[str, Template] = self.__dict__.setdefault("__templates__", {})
        return parsed

    def check(self) -> None:
        """See `Declared.check`."""
        for name, text in self.computed.items():
            self.template(f'computed["{name}"]', text)
        for name in self.computed:
            if self._rests_on(name, name, set()):
                problem = f'computed["{name}"] is made from itself: {self.computed[name]!r}'
                self.wrong("E0316", problem, "make it from fields of the model")
        for version in self.upgrades:
            if not 1 <= version < self.schema_version:
                self.wrong(
                    "E0507",
                    f"upgrades[{version}] leads beyond schema_version={self.schema_version}",
                    f"raise schema_version to {version + 1}, or say the version that it upgrades",
                )

    def _rests_on(self, made: str, wanted: str, seen: set[str]) -> bool:
        """Whether a computed attribute needs another one, directly or by way of others."""
        template = self.templates.get(f'computed["{made}"]')
        paths = {one.path for one in template.placeholders} if template else set[str]()
        needed = paths & self.computed.keys()
        seen.add(made)
        return wanted in needed or any(self._rests_on(one, wanted, seen) for one in needed - seen)

    def template(self, argument: str, text: str | None) -> None:
        """Parse a key template and keep it under its argument."""
        if text is None:
            return
        try:
            self.templates[argument] = parse(text)
        except TemplateError as error:
            self.wrong(error.code, f"{argument}: {error}", error.help)

    def is_ordered(self, argument: str) -> bool:
        """Whether texts made by this argument's template are compared by order, not by equality alone."""
        return True

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """(argument, field name) for every field that the declaration names outside templates."""
        yield from ()

    def keys_left_out(self) -> Iterator[tuple[str, str]]:
        """(argument, attribute) for every key attribute that no template fills, so that a field must have its name."""
        yield from ()

    def attributes_made(self) -> Iterator[tuple[str, str]]:
        """(argument, attribute) for every stored attribute that a template fills; no field may have its name."""
        yield from ((f'computed["{name}"]', name) for name in self.computed)


class Rebuildable(Declared):
    """A table-like thing whose keys cannot be altered in place."""

    generation: int = 1
    """Counts up when keys change; the physical name gets a suffix and the old data stays until it is copied."""
    rebuild: Rebuild | None = None
    """Where the data of a new generation comes from."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        if self.generation > 1 and self.rebuild is None:
            self.wrong(
                "E0506",
                f"generation={self.generation} does not say where its data comes from",
                f"add rebuild=kw.Rebuild(from_generation={self.generation - 1})",
            )
        if self.rebuild and self.rebuild.from_generation >= self.generation:
            before = self.rebuild.from_generation
            self.wrong(
                "E0512",
                f"rebuild.from_generation={before} is not before generation={self.generation}",
                f"say generation={before + 1}, or rebuild from an older one",
            )


class Bound(Declared, Generic[M_co]):
    """A model in a store other than the one on its class; patterns take it in place of the model. Made by `bind`."""

    model: type[M_co] = subject(kw_only=False)
    """The model class."""
    store: Store = subject(kw_only=False)
    """How it is stored here."""


def bind(model: type[M], store: Store) -> Bound[M]:
    """Store a class that is not yours, or one that has another store already."""
    return Bound(model, store)
