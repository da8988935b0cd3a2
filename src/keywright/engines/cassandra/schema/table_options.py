"""Options of tables in one normal form, whether declared or reported by a server.

Compaction, compression, caching and gc_grace are always there and in full, since a server changes each as a whole; of
all others, what equals the server's own value is left out.
"""

import re
from collections.abc import Mapping
from datetime import timedelta

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
from .options import CqlTable
from .storage import Caching, Compaction, Leveled, SizeTiered, TimeWindow, Unified
from .target import Options, OptionValue, Pairs

IN_FULL = ("caching", "compaction", "compression", "gc_grace_seconds")
"""Options that are always there, even with the server's own values."""

_SIZE = re.compile(r"(\d+)\s*(KiB|MiB|GiB)\Z")
_MEBIBYTES = {"MiB": 1, "GiB": 1024}
_RETRY = re.compile(r"(\d+(?:\.\d+)?)(?:p|percentile)\Z", re.IGNORECASE)
_UNITS = ((timedelta(days=1), "DAYS"), (timedelta(hours=1), "HOURS"), (timedelta(minutes=1), "MINUTES"))


def declared(table: CqlTable) -> Options:
    """The options of a declaration; without compaction where it says none."""
    given: dict[str, object] = {
        "caching": _caching(table.caching or Caching()),
        "compression": {"enabled": "false"} if table.compression == "none" else _compressor(table.compression),
        "gc_grace_seconds": int(table.gc_grace.total_seconds()),
        "default_time_to_live": int(table.ttl.total_seconds()) if table.ttl else 0,
    }
    if table.compaction is not None:
        given["compaction"] = strategy(table.compaction)
    return normal(given | dict(table.settings))


def strategy(compaction: Compaction) -> dict[str, str]:
    """A declared strategy as the server's map."""
    match compaction:
        case TimeWindow():
            unit, name = next(one for one in _UNITS if not compaction.window % one[0])
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
    """The strategy of a table whose rows all expire after so long: about thirty windows, in whole units."""
    least = timedelta(seconds=ttl_seconds) / TTL_WINDOWS
    unit = next((unit for unit, _ in _UNITS if least >= unit), timedelta(minutes=1))
    return TimeWindow(window=unit * max(1, round(least / unit)))


def normal(options: Mapping[str, object]) -> Options:
    """Options by their CQL names, declared or reported, in normal form."""
    found: dict[str, OptionValue] = {}
    for name, value in options.items():
        if name in _MAPS:
            found[name] = _MAPS[name](_texts(value))
        elif (value := _scalar(name, value)) is not None:
            found[name] = value
    if found.get("bloom_filter_fp_chance") == _usual_bloom_filter(found.get("compaction")):
        del found["bloom_filter_fp_chance"]
    return tuple(sorted(found.items()))


def bloom_filter(options: Options) -> OptionValue:
    """The bloom_filter_fp_chance that options in normal form mean: where none is named, that of the compaction."""
    known = dict(options)
    return known.get("bloom_filter_fp_chance", _usual_bloom_filter(known.get("compaction")))


def _usual_bloom_filter(compaction: OptionValue | None) -> float:
    is_leveled = dict(options_map(compaction)).get("class") == "LeveledCompactionStrategy"
    usual = LEVELED_BLOOM_FILTER if is_leveled else TABLE_OPTIONS["bloom_filter_fp_chance"].default
    assert isinstance(usual, float)
    return usual


def options_map(value: OptionValue | None) -> Pairs:
    """The value of an option that is a map; empty if there is none."""
    return value if isinstance(value, tuple) else ()


def short_class(name: str) -> str:
    """A class without its package."""
    return name.rpartition(".")[2]


def compaction(given: Mapping[str, str]) -> Pairs:
    """A strategy with all that is always written, and nothing else that has the server's own value."""
    name = short_class(given.get("class", ""))
    own, written = STRATEGIES.get(name, {}), WRITTEN_OPTIONS.get(name, ())
    known = {**COMPACTION_OPTIONS, **own}
    sized = {key: _size(value) if key == "target_sstable_size" else value for key, value in given.items()}
    kept = {key: value for key, value in sized.items() if key in written or known.get(key) != value}
    return tuple(sorted(({key: own[key] for key in written} | kept | {"class": name}).items()))


def _scalar(name: str, value: object) -> OptionValue | None:
    """A value as the server reports it; None where that is its own."""
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
    # What has two values of the server's own is compared by `normal`.
    return value if name == "bloom_filter_fp_chance" or value != option.default else None


def _texts(value: object) -> dict[str, str]:
    assert isinstance(value, Mapping)
    return {str(key): str(one).lower() if isinstance(one, bool) else str(one) for key, one in value.items()}


def _caching(caching: Caching) -> dict[str, str]:
    rows = "ALL" if caching.rows == "all" else str(caching.rows) if caching.rows else "NONE"
    return {"keys": "ALL" if caching.keys else "NONE", "rows_per_partition": rows}


def _compressor(word: str) -> dict[str, str]:
    return {"class": f"{word}Compressor"}


def _normal_caching(given: Mapping[str, str]) -> Pairs:
    """A part that is left out counts as NONE, whatever the server's own value of the whole."""
    return tuple(
        sorted((dict.fromkeys(CACHING, "NONE") | {key: value.upper() for key, value in given.items()}).items())
    )


def _normal_compression(given: Mapping[str, str]) -> Pairs:
    if given.get("enabled") == "false" or not given:
        return (("enabled", "false"),)
    kept = {key: value for key, value in given.items() if (key, value) != ("enabled", "true")}
    length = {"chunk_length_in_kb": COMPRESSION["chunk_length_in_kb"]}
    return tuple(sorted((length | kept | {"class": short_class(given.get("class", ""))}).items()))


def _size(text: str) -> str:
    """A size in mebibytes, which the server takes in any unit and reports as it was given."""
    match = _SIZE.match(text)
    return f"{int(match[1]) * _MEBIBYTES[match[2]]}MiB" if match and match[2] in _MEBIBYTES else text


def _retry(text: str) -> str:
    """A percentile as the server writes it; `NONE` is its old word for `NEVER`."""
    if match := _RETRY.match(text):
        return f"{float(match[1]):g}p"
    return {"NONE": "NEVER"}.get(text.upper(), text.upper() if text.isalpha() else text)


_MAPS = {"caching": _normal_caching, "compaction": compaction, "compression": _normal_compression}

DEFAULTS: Options = normal({"caching": CACHING, "compression": COMPRESSION, "gc_grace_seconds": GC_GRACE_SECONDS})
"""The normal form of a table whose declaration says nothing."""
