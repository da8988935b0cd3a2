"""What rules ask of a whole project: entities as their tables hold them, and how patterns use them."""

from collections.abc import Iterator
from dataclasses import dataclass

from keywright.access.path import AccessPath, NotServed
from keywright.access.search import Planned
from keywright.engines.flaws.context import Whole
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.ir.pattern import Load, Pattern
from keywright.ir.template import TIME_WIDTHS, Placeholder

from .access.calls import Call, Delete, Put, Query, Update
from .access.layout import Entity, Part, Route, entity_of
from .keys import table_of
from .target import TableTarget


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A pattern, or a write of a transaction, on the entity that it is about."""

    planned: Planned[TableTarget]
    """What serves it."""
    entity: Entity
    """The entity in its table."""
    load: Load
    """How often; of a write in a transaction, how often that is done."""
    name: str
    """What the declaration is called: of a write in a transaction, the transaction."""
    times: int = 1
    """How often the table is charged for it."""

    @property
    def pattern(self) -> Pattern:
        """The pattern."""
        return self.planned.pattern

    @property
    def call(self) -> Call | None:
        """What is sent; None where nothing serves it."""
        path = self.planned.path
        return path.call if isinstance(path, AccessPath) else None  # type: ignore[return-value]  # of this engine

    @property
    def write(self) -> Put | Update | Delete | None:
        """What changes an item; None for reads, and where nothing serves it."""
        return self.call if isinstance(self.call, (Put, Update, Delete)) else None

    @property
    def route(self) -> Route | None:
        """The key by which it is served; None where nothing serves it."""
        index = self.call.index if isinstance(self.call, Query) else ""
        return next((one for one in self.entity.routes if one.index == index), None) if self.call else None

    @property
    def per_second(self) -> float | None:
        """Calls a second at the most, as far as somebody says."""
        return self.load.peak_per_second or self.load.per_second


def entities(whole: Whole) -> Iterator[Entity]:
    """Every entity in a table, as the environment has it."""
    tables = {one.declared.name: one.placed for one in whole.of("dynamodb")}
    for binding in whole.bindings("dynamodb"):
        table = tables.get(table_of(binding).name)
        entity = entity_of(table, binding) if table else None
        if entity is not None:
            yield entity


def uses(whole: Whole) -> Iterator[Use]:
    """Every pattern on a table, and every write of a transaction by itself."""
    for plan in whole.plans:
        for part in plan.parts or (plan,):
            if part.binding.engine != "dynamodb":
                continue
            entity = entity_of(part.target, part.binding)
            if entity is not None:
                yield Use(part, entity, plan.pattern.load, plan.pattern.name, times=2 if plan.parts else 1)


def unserved(whole: Whole) -> Iterator[tuple[Use, NotServed]]:
    """Every pattern outside of transactions that nothing serves, and nobody said why that is right."""
    for use in uses(whole):
        path = use.planned.path
        if isinstance(path, NotServed) and use.pattern.unserved is None and use.name == use.pattern.name:
            yield use, path


def scalar(entity: Entity, path: str) -> Scalar | None:
    """The type of a field, if it holds a single value."""
    found = resolve(entity.attributes, path) if path else None
    return found[-1].type if found and isinstance(found[-1].type, Scalar) else None


def is_time(entity: Entity, placeholder: Placeholder) -> bool:
    """Whether a placeholder writes a moment or a day, and no shard of one."""
    kind = scalar(entity, placeholder.path)
    if placeholder.shards or kind is None:
        return False
    return kind.kind in ("datetime", "date") or any(one.name in TIME_WIDTHS for one in placeholder.filters)


def attribute(entity: Entity, path: str) -> Attribute | None:
    """The field that holds a path."""
    found = resolve(entity.attributes, path.partition(".")[0])
    return found[0] if found else None


def hash_text(route: Route) -> str:
    """The partition half of a key as its declaration has it."""
    return " and ".join(map(text_of, route.hashes))


def text_of(part: Part) -> str:
    """What fills a key attribute as its declaration has it: a template, or the name of a field that it is."""
    lone = part.written.lone
    return part.attribute if lone is not None and lone.path == part.attribute else part.written.text
