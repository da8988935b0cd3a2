"""Facts about an engine for migrations and reports, without the rest of the engine, because they import faster."""

from keywright.record import Record

from .classes import Rows
from .parts import Part


class Nouns(Record):
    """Nouns for the objects of an engine."""

    target: str
    """A whole target: `table`, `database`, `keyspace`, `server`."""
    table: str = "table"
    """A table in a target: `table`, `collection`."""
    item: str = ""
    """An item of an unknown entity; empty if all items of a table have the same kind."""

    @property
    def is_table(self) -> bool:
        """Whether a target is a table; then all targets are in the store `<engine>`."""
        return self.target == self.table

    @property
    def is_server(self) -> bool:
        """Whether a target is a whole server, so that each declared target has a separate server."""
        return self.target == "server"


class EngineFacts(Record, kw_only=True):
    """Facts about one engine for migration rules."""

    parts: Part
    """See `Engine.parts`."""
    classes: Rows
    """See `Engine.classes`."""
    nouns: Nouns
    """See `Engine.nouns`."""
    suffixes: tuple[str, ...] = (".json",)
    """Suffixes of the files that a build writes for it."""
    drops_values: bool = False
    """Whether removing a field also removes its stored values."""
    index_depth: int = 1
    """Path keys below `indexes` that lead to an index: 1 for its name, 2 for its table and its name."""
