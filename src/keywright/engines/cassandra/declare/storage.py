"""Cassandra's compaction strategies with their options, caching, indexes and materialized views."""

from datetime import timedelta
from typing import Literal, TypeAlias

from keywright.declare.declared import Declared, subject
from keywright.declare.names import Names, Ordered
from keywright.declare.suppression import Ignore


class TimeWindow(Declared):
    """TimeWindowCompactionStrategy: a file per window, dropped when all in it has expired; for series with ttl."""

    window: timedelta
    """Length of a window; about a thirtieth of the ttl, so that there are fewer than fifty."""

    def check(self) -> None:
        """See `Declared.check`."""
        if self.window % timedelta(minutes=1) or self.window <= timedelta(0):
            problem = f"window={self.window} is not a number of minutes, hours or days"
            self.wrong("E0503", problem, "use a whole number of minutes, such as timedelta(days=30)")


class Leveled(Declared):
    """LeveledCompactionStrategy: few files per read, more rewriting; for read-heavy tables."""

    sstable_size_mb: int = 160
    """Size of one file."""
    fanout: int = 10
    """How many times larger each level is than the one before."""

    def check(self) -> None:
        """See `Declared.check`."""
        if self.sstable_size_mb < 1 or self.fanout < 1:
            problem = f"sstable_size_mb={self.sstable_size_mb} and fanout={self.fanout} must be at least 1"
            self.wrong("E0503", problem, "remove them for the defaults, 160 and 10")


class SizeTiered(Declared):
    """SizeTieredCompactionStrategy: little rewriting, more files per read; for write-heavy tables."""

    min_threshold: int = 4
    """Files of one size that are merged at the least."""
    max_threshold: int = 32
    """Files that are merged at the most."""

    def check(self) -> None:
        """See `Declared.check`."""
        if not 2 <= self.min_threshold <= self.max_threshold:
            problem = f"min_threshold={self.min_threshold} and max_threshold={self.max_threshold} do not fit"
            self.wrong("E0503", problem, "two files or more, and no more than max_threshold, such as 4 and 32")


class Unified(Declared):
    """UnifiedCompactionStrategy: adapts between the two; advised for new tables from 5.0."""

    scaling: str = "T4"
    """Scaling parameters, one for each level: T4 leans to writes, L10 to reads, N between."""
    sstable_size_mb: int = 1024
    """Size of a file that is aimed at."""

    def check(self) -> None:
        """See `Declared.check`."""
        words = [word.strip() for word in self.scaling.split(",")]
        if not all(word == "N" or (word[:1] in ("T", "L") and word[1:].isdigit()) for word in words):
            problem = f'scaling="{self.scaling}" is not a combination of N, T and L with a number'
            self.wrong("E0503", problem, 'write "T4", "L10", "N", or several: "T8, T4, N"')
        if self.sstable_size_mb < 1:
            self.wrong(
                "E0503", f"sstable_size_mb={self.sstable_size_mb} must be at least 1", "remove it for the default, 1024"
            )


Compaction: TypeAlias = TimeWindow | Leveled | SizeTiered | Unified
"""Any strategy."""


class Caching(Declared):
    """What a node keeps in memory of a table's files."""

    keys: bool = True
    """Whether the places of partitions are kept; small, and saves a seek per read."""
    rows: int | Literal["all"] = 0
    """Rows of each partition, from its beginning, that are kept; for small, hot, rarely written partitions."""


class CqlIndex(Declared):
    """A secondary index on one column."""

    on: str = subject(kw_only=False)
    """The indexed field."""
    using: Literal["sai", "legacy"] = "sai"
    """Storage-attached (5.0 and later) or the old local kind."""
    of: Literal["value", "keys", "entries", "full"] = "value"
    """Which part of a collection is indexed; "full" is a frozen one as a whole."""
    case_sensitive: bool = True
    """Whether large and small letters differ; only of text, and only in a storage-attached index."""
    normalize: bool = False
    """Whether Unicode forms of one letter are the same; likewise."""
    ascii: bool = False
    """Whether letters with accents are found by their plain forms; likewise."""
    similarity_function: Literal["cosine", "dot_product", "euclidean"] = "cosine"
    """The similarity by which a vector is found; only of `Vector`, in a storage-attached index."""
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
