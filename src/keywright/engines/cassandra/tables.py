"""Tables as rules are told of them: with their options by name and whose they are, or with the entity in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from keywright.engines.flaws.context import Stored, Whole
from keywright.ir.binding import Binding

from .access.layout import Layout, layout
from .place import GENERATION
from .tableoptions import options_map
from .target import TableTarget

TIME_WINDOW = "TimeWindowCompactionStrategy"
"""The strategy for rows that expire."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """One table."""

    table: TableTarget
    """The table."""
    subject: str
    """The entity in it; the table's own name where nobody says that."""
    options: dict[str, Any]
    """Its options."""
    compaction: dict[str, str]
    """Its strategy and what that is told; empty where a service sees to it."""

    @property
    def ttl(self) -> int:
        """Seconds after which its rows expire; 0 for never, and where each row says it."""
        found = self.options.get("default_time_to_live")
        return found if isinstance(found, int) else 0

    @property
    def is_series(self) -> bool:
        """Whether its rows are kept in the order of time."""
        return bool(self.table.clustering) and self.table.clustering[0].type in ("timestamp", "timeuuid")


def tables(one: Stored) -> Iterator[StoredTable]:
    """The tables of a placed keyspace."""
    owners = {dict(shape.keys).get("table", ""): shape.name for shape in one.placed.shape}
    for table in one.placed.tables:
        options = dict(table.options)
        subject = owners.get(GENERATION.sub("", table.name), table.name)
        yield StoredTable(table, subject, options, dict(options_map(options.get("compaction"))))


def entities(whole: Whole) -> Iterator[tuple[Stored, Binding, Layout]]:
    """Every entity in a keyspace, with the keyspace and where it is there."""
    for one in whole.of("cassandra"):
        for binding in whole.bindings("cassandra"):
            if (known := layout(one.placed, binding)) is not None:
                yield one, binding, known
