"""Tables with their settings, entities in them, and uses of entities by patterns, for rules about a whole project."""

import re
from collections.abc import Iterator

from keywright.access.path import AccessPath, NotServed
from keywright.access.search import Planned
from keywright.engines.findings.context import RuleContext, TargetInEnvironment
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern, Traffic
from keywright.ir.template import TIME_WIDTHS, Placeholder
from keywright.record import Record

from ..access.calls import Call, DeleteItem, PutItems, QueryItems, ScanItems, UpdateItem
from ..access.layout import FilledKeyPart, Layout, Route, entity_of
from ..declare.settings import DynamoEnvironment, TableSettings
from ..schema.target import TableTarget

_DAYS = ("2026-11-23", "2026-11", "2026-W48", "2026-11-23T10", "2026-11-23-10")
"""Days, months, weeks and hours as texts."""
_OTHERS = ("9999-99-99x", "7", "0123456789", "a-b")
"""Texts that a pattern of numbers in general matches."""


class Use(Record, eq=False):
    """A pattern, or a write of a transaction, on its entity."""

    planned: Planned[TableTarget]
    """Its access path."""
    entity: Layout
    """The entity in its table."""
    load: Traffic
    """Declared traffic; for a write in a transaction, that of the transaction."""
    name: str
    """Name of the declaration: for a write in a transaction, the transaction's name."""
    times: int = 1
    """Times that the table is charged for it."""

    @property
    def pattern(self) -> Pattern:
        """The pattern."""
        return self.planned.pattern

    @property
    def call(self) -> Call | None:
        """Its call; None if it is unserved."""
        path = self.planned.path
        return path.call if isinstance(path, AccessPath) else None  # type: ignore[return-value]  # of this engine

    @property
    def write(self) -> PutItems | UpdateItem | DeleteItem | None:
        """Its call if it changes an item; None for reads and unserved patterns."""
        return self.call if isinstance(self.call, (PutItems, UpdateItem, DeleteItem)) else None

    @property
    def route(self) -> Route | None:
        """The key that serves it; None if it is unserved or scans."""
        if isinstance(self.call, ScanItems):
            return None
        index = self.call.index if isinstance(self.call, QueryItems) else ""
        return next((route for route in self.entity.routes if route.index == index), None) if self.call else None

    @property
    def per_second(self) -> float | None:
        """Highest declared calls a second."""
        return self.load.peak_per_second or self.load.per_second


def entities(context: RuleContext) -> Iterator[Layout]:
    """Entities in tables of the environment."""
    tables = {target.declared.name: target.placed for target in context.of("dynamodb")}
    for binding in context.bindings("dynamodb"):
        table = tables.get(binding.spec.table.name)
        entity = entity_of(table, binding) if table else None
        if entity is not None:
            yield entity


def settings_of(context: RuleContext) -> Iterator[tuple[TargetInEnvironment, TableSettings]]:
    """(table, its settings) of the service, in environments that only approved migrations change."""
    for target in context.of("dynamodb") if not context.follows_models else ():
        environment = target.environment
        if isinstance(environment, DynamoEnvironment) and environment.flavour != "dynamodb-local":
            yield target, environment.of_table(target.declared.name)


def uses(context: RuleContext) -> Iterator[Use]:
    """Patterns on tables; writes of a transaction separately."""
    for plan in context.plans:
        for part in plan.parts or (plan,):
            if part.binding.engine != "dynamodb":
                continue
            entity = entity_of(part.target, part.binding)
            if entity is not None:
                yield Use(
                    part,
                    entity,
                    plan.pattern.load,
                    plan.pattern.name,
                    times=1 if plan.pattern.kind == "read_together" or not plan.parts else 2,
                )


def unserved(context: RuleContext) -> Iterator[tuple[Use, NotServed]]:
    """Unserved patterns outside of transactions that are not declared with `unserved=`."""
    for use in uses(context):
        path = use.planned.path
        if isinstance(path, NotServed) and use.pattern.unserved is None and use.name == use.pattern.name:
            yield use, path


def scalar(entity: Layout, path: str) -> Scalar | None:
    """Type of a field with a single value; None for others."""
    attributes = resolve(entity.attributes, path) if path else None
    return attributes[-1].type if attributes and isinstance(attributes[-1].type, Scalar) else None


def is_time(entity: Layout, placeholder: Placeholder) -> bool:
    """Whether a placeholder writes a time or a day, unsharded."""
    kind = scalar(entity, placeholder.path)
    if placeholder.shards or kind is None:
        return False
    is_timed = any(filter.name in TIME_WIDTHS for filter in placeholder.filters)
    return kind.kind in ("datetime", "date") or is_timed or is_day_text(kind)


def is_day_text(kind: Scalar) -> bool:
    """Whether a text is a day or an hour by its pattern, which no other text of that length matches."""
    if kind.kind != "string" or kind.pattern is None:
        return False
    pattern = re.compile(kind.pattern)
    return any(pattern.search(day) and not pattern.search(re.sub(r"\d", "x", day)) for day in _DAYS) and not any(
        pattern.search(text) for text in _OTHERS
    )


def attribute(entity: Layout, path: str) -> Attribute | None:
    """Top-level field of a path."""
    attributes = resolve(entity.attributes, path.partition(".")[0])
    return attributes[0] if attributes else None


def hash_text(route: Route) -> str:
    """Partition key as declared."""
    return " and ".join(map(text_of, route.hashes))


def text_of(part: FilledKeyPart) -> str:
    """Template of a key attribute as declared, or the name of the field."""
    lone = part.written.lone
    return part.attribute if lone is not None and lone.path == part.attribute else part.written.text
