"""Table options as arguments of `CqlTable`: the inverse of `table_options.declared`."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from keywright.errors import gathering

from ..declare.options import CqlTable, Keyspace
from ..declare.settings import CassandraEnvironment
from ..declare.storage import Caching, Compaction, Leveled, SizeTiered, TimeWindow, Unified
from ..schema.capabilities import GC_GRACE_SECONDS
from ..schema.place import advised
from ..schema.table_options import compaction, declared, options_map, strategy
from ..schema.target import OptionValue, TableOptions

_COMPRESSORS = {
    "LZ4Compressor": "LZ4", "ZstdCompressor": "Zstd", "SnappyCompressor": "Snappy", "DeflateCompressor": "Deflate",
}  # fmt: skip
_UNITS = {"MINUTES": "minutes", "HOURS": "hours", "DAYS": "days"}


def arguments_of(options: TableOptions, environment: CassandraEnvironment) -> dict[str, Any]:
    """The arguments of `CqlTable` that give these options; those without a word of their own are in `settings`.

    Compaction is left out if the environment would choose the same.
    """
    by_name = dict(options)
    arguments = dict(_arguments(by_name, environment))
    arguments["settings"] = {
        name: dict(value) if isinstance(value, tuple) else value
        for name, value in options
        if name not in ("compaction", "default_time_to_live", "gc_grace_seconds")
        and dict(declared(_table(arguments))).get(name) != value
    }
    for name in arguments["settings"]:
        arguments.pop(name, None)
    if "compaction" in by_name and "compaction" not in arguments and not _is_chosen(by_name, environment):
        arguments["settings"]["compaction"] = dict(options_map(by_name["compaction"]))
    return {name: value for name, value in arguments.items() if value != {}}


def _arguments(options: Mapping[str, OptionValue], environment: CassandraEnvironment) -> Iterator[tuple[str, Any]]:
    if isinstance(ttl := options.get("default_time_to_live"), int):
        yield "ttl", timedelta(seconds=ttl)
    if (grace := options.get("gc_grace_seconds", GC_GRACE_SECONDS)) != GC_GRACE_SECONDS:
        assert isinstance(grace, int)
        yield "gc_grace", timedelta(seconds=grace)
    compression = dict(options_map(options.get("compression")))
    word = "none" if compression == {"enabled": "false"} else _COMPRESSORS.get(compression.get("class", ""), "LZ4")
    if word != "LZ4":
        yield "compression", word
    caching = dict(options_map(options.get("caching")))
    keys, rows = caching.get("keys") == "ALL", caching.get("rows_per_partition", "NONE")
    if not keys or rows != "NONE":
        yield "caching", Caching(keys=keys, rows="all" if rows == "ALL" else int(rows) if rows.isdigit() else 0)
    declared_strategy = _strategy(dict(options_map(options.get("compaction"))))
    if declared_strategy is not None and not _is_chosen(options, environment):
        yield "compaction", declared_strategy


def _is_chosen(options: Mapping[str, OptionValue], environment: CassandraEnvironment) -> bool:
    """Whether the environment chooses the same compaction."""
    ttl = options.get("default_time_to_live", 0)
    chosen = advised(ttl if isinstance(ttl, int) else 0, environment)
    return options.get("compaction") == compaction(strategy(chosen))


def _strategy(options: Mapping[str, str]) -> Compaction | None:
    """The declaration of a strategy; None if it has options without a word."""
    try:
        candidate = _candidate(options)
    except (KeyError, ValueError):
        return None
    if candidate is None or candidate.is_rejected or compaction(strategy(candidate)) != compaction(options):
        return None
    return candidate


def _candidate(options: Mapping[str, str]) -> Compaction | None:
    with gathering():
        match options.get("class"):
            case "TimeWindowCompactionStrategy":
                unit = _UNITS[options["compaction_window_unit"]]
                return TimeWindow(window=timedelta(**{unit: int(options["compaction_window_size"])}))
            case "LeveledCompactionStrategy":
                return Leveled(sstable_size_mb=int(options["sstable_size_in_mb"]), fanout=int(options["fanout_size"]))
            case "SizeTieredCompactionStrategy":
                return SizeTiered(
                    min_threshold=int(options["min_threshold"]), max_threshold=int(options["max_threshold"])
                )
            case "UnifiedCompactionStrategy":
                size = options["target_sstable_size"].removesuffix("MiB")
                return Unified(scaling=options["scaling_parameters"], sstable_size_mb=int(size))
            case _:
                return None


def _table(arguments: Mapping[str, Any]) -> CqlTable:
    """A table with only these options."""
    return CqlTable(Keyspace("k"), "t", partition="id", **arguments)
