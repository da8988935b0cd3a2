"""Options of tables in a normal form, the same for declared options and those that a server reports.

Compaction, compression, caching and gc_grace are always present and complete, because a server changes each as a whole.
Other options are left out if they equal the server's default.
"""

import re
from collections.abc import Mapping
from datetime import timedelta

from keywright.ir.text import exact

from ..declare.options import CqlTable
from ..declare.storage import Caching, Compaction, Leveled, SizeTiered, TimeWindow, Unified
from .capabilities import (
    CACHING,
    COMPACTION_OPTIONS,
    COMPRESSION,
    GC_GRACE_SECONDS,
    LEVELED_BLOOM_FILTER,
    STRATEGIES,
    TABLE_OPTIONS,
    TTL_WINDOWS,
    WRITTEN_OPTIONS,
)
from .target import OptionValue, Pairs, TableOptions

IN_FULL = tuple(name for name, option in TABLE_OPTIONS.items() if option.default is None)
"""Options that are always present, even with the server's defaults."""

_SIZE = re.compile(r"(\d+)\s*(KiB|MiB|GiB)\Z")
_MEBIBYTES = {"MiB": 1, "GiB": 1024}
_RETRY = re.compile(r"(\d+(?:\.\d+)?)(?:p|percentile)\Z", re.IGNORECASE)
_UNITS = ((timedelta(days=1), "DAYS"), (timedelta(hours=1), "HOURS"), (timedelta(minutes=1), "MINUTES"))


def declared(table: CqlTable) -> TableOptions:
    """The options of a declaration, without compaction if it declares none."""
    options: dict[str, object] = {
        name: _native(getattr(table, option.word)) for name, option in TABLE_OPTIONS.items() if option.word
    }
    options["caching"] = _caching(table.caching or Caching())
    options["compression"] = {"enabled": "false"} if table.compression == "none" else _compressor(table.compression)
    if table.compaction is not None:
        options["compaction"] = strategy(table.compaction)
    return normal(options | dict(table.settings))


def _native(value: object) -> object:
    """An argument as the server stores it."""
    return int(value.total_seconds()) if isinstance(value, timedelta) else value


def strategy(compaction: Compaction) -> dict[str, str]:
    """A declared strategy as a map of the server."""
    match compaction:
        case TimeWindow():
            unit, name = next(candidate for candidate in _UNITS if not compaction.window % candidate[0])
            size = str(compaction.window // unit)
            options = {"compaction_window_unit": name, "compaction_window_size": size}
        case Leveled():
            options = {"sstable_size_in_mb": str(compaction.sstable_size_mb), "fanout_size": str(compaction.fanout)}
        case SizeTiered():
            options = {"min_threshold": str(compaction.min_threshold), "max_threshold": str(compaction.max_threshold)}
        case Unified():
            size = f"{compaction.sstable_size_mb}MiB"
            options = {"scaling_parameters": compaction.scaling, "target_sstable_size": size}
    return {"class": f"{type(compaction).__name__}CompactionStrategy"} | options


def windows_of(ttl_seconds: int) -> TimeWindow:
    """The strategy of a table whose rows all expire after this time: about thirty windows, in whole units."""
    window = timedelta(seconds=ttl_seconds) / TTL_WINDOWS
    unit = next((unit for unit, _ in _UNITS if window >= unit), timedelta(minutes=1))
    return TimeWindow(window=unit * max(1, round(window / unit)))


def normal(options: Mapping[str, object]) -> TableOptions:
    """Options by CQL name, declared or reported, in normal form."""
    result: dict[str, OptionValue] = {}
    for name, value in options.items():
        if name in _MAPS:
            result[name] = _MAPS[name](_texts(value))
        elif (value := _scalar(name, value)) is not None:
            result[name] = value
    if result.get("bloom_filter_fp_chance") == _default_bloom_filter(result.get("compaction")):
        del result["bloom_filter_fp_chance"]
    return tuple(sorted(result.items()))


def bloom_filter(options: TableOptions) -> OptionValue:
    """The bloom_filter_fp_chance of options in normal form. The default depends on the compaction."""
    by_name = dict(options)
    return by_name.get("bloom_filter_fp_chance", _default_bloom_filter(by_name.get("compaction")))


def _default_bloom_filter(compaction: OptionValue | None) -> float:
    is_leveled = dict(options_map(compaction)).get("class") == "LeveledCompactionStrategy"
    default = LEVELED_BLOOM_FILTER if is_leveled else TABLE_OPTIONS["bloom_filter_fp_chance"].default
    assert isinstance(default, float)
    return default


def options_map(value: OptionValue | None) -> Pairs:
    """The value of an option that is a map; empty if the option is missing."""
    return value if isinstance(value, tuple) else ()


def short_class(name: str) -> str:
    """A class name without its package."""
    return name.rpartition(".")[2]


def compaction(options: Mapping[str, str]) -> Pairs:
    """A strategy with the options that are always written, and with others that differ from the server's default."""
    name = short_class(options.get("class", ""))
    strategy_defaults, always_written = STRATEGIES.get(name, {}), WRITTEN_OPTIONS.get(name, ())
    defaults = {**COMPACTION_OPTIONS, **strategy_defaults}
    normalised = {key: _size(value) if key == "target_sstable_size" else value for key, value in options.items()}
    changed = {key: value for key, value in normalised.items() if key in always_written or defaults.get(key) != value}
    return tuple(sorted(({key: strategy_defaults[key] for key in always_written} | changed | {"class": name}).items()))


def _scalar(name: str, value: object) -> OptionValue | None:
    """A value as the server reports it; None for the server's default."""
    option = TABLE_OPTIONS.get(name)
    if option is None or value is None:
        return None
    if option.kind == "float" and isinstance(value, (int, float, str)):
        value = float(value)
    elif name in ("speculative_retry", "additional_write_policy"):
        value = _retry(str(value))
    elif name == "read_repair":
        value = str(value).upper()
    assert isinstance(value, (str, int, float, bool))
    # bloom_filter_fp_chance has two defaults, so `normal` compares it.
    return value if name == "bloom_filter_fp_chance" or value != option.default else None


def _texts(value: object) -> dict[str, str]:
    assert isinstance(value, Mapping)
    return {str(key): str(item).lower() if isinstance(item, bool) else str(item) for key, item in value.items()}


def _caching(caching: Caching) -> dict[str, str]:
    rows = "ALL" if caching.rows == "all" else str(caching.rows) if caching.rows else "NONE"
    return {"keys": "ALL" if caching.keys else "NONE", "rows_per_partition": rows}


def _compressor(word: str) -> dict[str, str]:
    return {"class": f"{word}Compressor"}


def _normal_caching(options: Mapping[str, str]) -> Pairs:
    """A part that is left out is NONE, although the default of the whole option may differ."""
    return tuple(
        sorted((dict.fromkeys(CACHING, "NONE") | {key: value.upper() for key, value in options.items()}).items())
    )


def _normal_compression(options: Mapping[str, str]) -> Pairs:
    if options.get("enabled") == "false" or not options:
        return (("enabled", "false"),)
    others = {key: value for key, value in options.items() if (key, value) != ("enabled", "true")}
    length = {"chunk_length_in_kb": COMPRESSION["chunk_length_in_kb"]}
    return tuple(sorted((length | others | {"class": short_class(options.get("class", ""))}).items()))


def _size(text: str) -> str:
    """A size in mebibytes. The server accepts any unit and reports the one that was written."""
    match = _SIZE.match(text)
    return f"{int(match[1]) * _MEBIBYTES[match[2]]}MiB" if match and match[2] in _MEBIBYTES else text


def _retry(text: str) -> str:
    """A percentile as the server writes it. `NONE` is an old word for `NEVER`."""
    if match := _RETRY.match(text):
        return f"{exact(float(match[1]))}p"
    return {"NONE": "NEVER"}.get(text.upper(), text.upper() if text.isalpha() else text)


_MAPS = {"caching": _normal_caching, "compaction": compaction, "compression": _normal_compression}

DEFAULTS: TableOptions = normal({"caching": CACHING, "compression": COMPRESSION, "gc_grace_seconds": GC_GRACE_SECONDS})
"""The normal form of the options of a table that declares none."""
