"""Cassandra's compaction strategies, each with its own options, and the further ways into a table."""

from datetime import timedelta
from typing import Literal, TypeAlias

from keywright.declare.declared import Declared, subject
from keywright.declare.judgement import Ignore
from keywright.declare.names import Names, Ordered


class TimeWindow(Declared):
    """TimeWindowCompactionStrategy: a file per window, dropped when all in it has expired; for series with ttl."""

    window: timedelta
    """Length of a window; about a thirtieth of the ttl, so that there are fewer than fifty."""

    def check(self) -> None:
        """See `Declared.check`."""
        if self.window % timedelta(minutes=1) or self.window <= timedelta(0):
            problem = f"window={self.window} is not a number of minutes, hours or days"
            self.wrong("E0503", problem, "say a whole number of minutes, such as timedelta(days=30)")


class Leveled(Declared):
    """LeveledCompactionStrategy: few files per read, more rewriting; for read-heavy tables."""

    sstable_size_mb: int = 160
    """Size of one file."""


class SizeTiered(Declared):
    """SizeTieredCompactionStrategy: little rewriting, more files per read; for write-heavy tables."""

    min_threshold: int = 4
    """Files of one size that are merged at the least."""
    max_threshold: int = 32
    """Files that are merged at the most."""


class Unified(Declared):
    """UnifiedCompactionStrategy: adapts between the two; advised for new tables from 5.0."""

    scaling: str = "T4"
    """Scaling parameters: T4 leans to writes, L10 to reads, N between."""


Compaction: TypeAlias = TimeWindow | Leveled | SizeTiered | Unified
"""Any strategy."""


class CqlIndex(Declared):
    """A secondary index on one column."""

    on: str = subject(kw_only=False)
    """The indexed field."""
    using: Literal["sai", "legacy"] = "sai"
    """Storage-attached (5.0 and later) or the old local kind."""
    of: Literal["value", "keys", "entries", "full"] = "value"
    """Which part of a collection is indexed."""
    name: str | None = None
    """The physical name; by default `<table>_<field>_idx`."""
    renamed_from: str | None = None
    """The former name."""
    ignores: list[Ignore] = []
    """Findings accepted here."""


class View(Declared):
    """A materialized view: the same rows under another key, with one more key column than the table at most."""

    name: str = subject(kw_only=False)
    """The physical name."""
    partition: Names
    """The partition key of the view."""
    clustering: Ordered
    """The order inside its partitions."""
    ignores: list[Ignore] = []
    """Findings accepted here."""
