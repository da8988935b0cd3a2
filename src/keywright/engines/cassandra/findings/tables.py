"""Tables for rules: with options by name and their entities."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import RuleContext, TargetInEnvironment
from keywright.ir.binding import Binding
from keywright.record import Record

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
    """Every entity in a keyspace, with the keyspace and its layout."""
    bindings: dict[str, list[Binding[CqlTable]]] = {}
    for binding in context.bindings("cassandra"):
        bindings.setdefault(binding.physical.name, []).append(binding)
    for target in context.of("cassandra"):
        for binding in bindings.get(target.declared.name, ()):
            if (entity_layout := layout(target.placed, binding)) is not None:
                yield target, binding, entity_layout
