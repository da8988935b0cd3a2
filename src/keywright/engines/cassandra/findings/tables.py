"""Tables for rules: with options by name and their entities."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import RuleContext, TargetInEnvironment
from keywright.engines.findings.pattern_facts import is_put_for_a_time, single
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.record import Record, replace

from ..access.layout import Layout, layout
from ..declare.options import CqlTable
from ..schema.place import GENERATION
from ..schema.table_options import options_map
from ..schema.target import TableTarget

TIME_WINDOW = "TimeWindowCompactionStrategy"
"""The strategy for rows that expire."""


class StoredTable(Record):
    """A table with its options."""

    table: TableTarget
    """The table."""
    subject: str
    """The entity in it; the name of the table if the entity is unknown."""
    options: dict[str, Any]
    """Its options."""
    compaction: dict[str, str]
    """Its compaction strategy with options; empty if a service manages compaction."""

    @property
    def ttl(self) -> int:
        """Seconds after which its rows expire; 0 for never, or if each row has its own expiry."""
        default_time_to_live = self.options.get("default_time_to_live")
        return default_time_to_live if isinstance(default_time_to_live, int) else 0

    @property
    def is_series(self) -> bool:
        """Whether its rows are ordered by time."""
        return bool(self.table.clustering) and self.table.clustering[0].type in ("timestamp", "timeuuid")


def tables(target: TargetInEnvironment) -> Iterator[StoredTable]:
    """The tables of a placed keyspace."""
    owners = {dict(shape.keys).get("table", ""): shape.name for shape in target.placed.shape}
    for table in target.placed.tables:
        options = dict(table.options)
        subject = owners.get(GENERATION.sub("", table.name), table.name)
        yield StoredTable(table, subject, options, dict(options_map(options.get("compaction"))))


def entities(context: RuleContext) -> Iterator[tuple[TargetInEnvironment, Binding[CqlTable], Layout]]:
    """Every entity in a keyspace, with the keyspace and its layout, which has the times to live of its puts."""
    bindings: dict[str, list[Binding[CqlTable]]] = {}
    for binding in context.bindings("cassandra"):
        bindings.setdefault(binding.physical.name, []).append(binding)
    for target in context.of("cassandra"):
        for binding in bindings.get(target.declared.name, ()):
            if (entity_layout := layout(target.placed, binding)) is not None:
                yield target, binding, _with_lifetimes(context.design, binding, entity_layout)


def _with_lifetimes(design: Design, binding: Binding[CqlTable], entity_layout: Layout) -> Layout:
    """The layout with the times to live of puts, if each put has one, in place of the table's."""
    if not is_put_for_a_time(design, binding):
        return entity_layout
    puts = [pattern for pattern in single(design) if pattern.kind == "put" and pattern.binding == binding.name]
    seconds = [put.ttl_seconds for put in puts if put.ttl_seconds is not None]
    if len(seconds) < len(puts):
        return replace(entity_layout, has_lifetimes=True)
    return replace(entity_layout, options={**entity_layout.options, "default_time_to_live": max(seconds)})
