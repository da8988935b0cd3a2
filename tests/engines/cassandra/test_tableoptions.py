"""Options of tables in their normal form."""

from datetime import timedelta
from typing import Any, get_args

import pytest
from tests.engines.cassandra.designs import PRODUCTION, a_keyspace, a_table, problems
from tests.properties.cassandra import SETTINGS, arguments

import keywright as kw
from keywright.engines.cassandra.declare.storage import Compaction
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.capabilities import TABLE_OPTIONS, TableOption
from keywright.engines.cassandra.schema.statements import create_table
from keywright.engines.cassandra.schema.table_options import DEFAULTS, declared, normal, strategy, windows_of

REPORTED: dict[str, Any] = {
    "additional_write_policy": "99p", "allow_auto_snapshot": None, "bloom_filter_fp_chance": 0.01,
    "caching": {"keys": "ALL", "rows_per_partition": "NONE"}, "cdc": None, "comment": "",
    "compaction": {
        "class": "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy", "max_threshold": "32",
        "min_threshold": "4",
    },
    "compression": {"chunk_length_in_kb": "16", "class": "org.apache.cassandra.io.compress.LZ4Compressor"},
    "crc_check_chance": 1.0, "dclocal_read_repair_chance": 0.0, "default_time_to_live": 0, "extensions": {},
    "gc_grace_seconds": 864000, "incremental_backups": None, "max_index_interval": 2048, "memtable": None,
    "memtable_flush_period_in_ms": 0, "min_index_interval": 128, "read_repair": "BLOCKING",
    "read_repair_chance": 0.0, "speculative_retry": "99p",
}  # fmt: skip
"""A plain table as Cassandra 5.0.9 reports it."""


def test_a_plain_table_has_only_what_is_always_told() -> None:
    tiers = (("class", "SizeTieredCompactionStrategy"), ("max_threshold", "32"), ("min_threshold", "4"))
    assert normal(REPORTED) == tuple(sorted((*DEFAULTS, ("compaction", tiers))))


def options_of(**options: Any) -> Any:
    spec = a_table(**options).spec
    assert isinstance(spec, kw.CqlTable)
    return declared(spec)


def test_a_declaration_that_says_nothing_is_at_the_defaults() -> None:
    assert options_of() == DEFAULTS


@pytest.mark.parametrize(
    ("compaction", "written"),
    [
        (kw.TimeWindow(window=timedelta(days=30)),
         {"class": "TimeWindowCompactionStrategy", "compaction_window_unit": "DAYS", "compaction_window_size": "30"}),
        (kw.TimeWindow(window=timedelta(hours=36)),
         {"class": "TimeWindowCompactionStrategy", "compaction_window_unit": "HOURS", "compaction_window_size": "36"}),
        (kw.TimeWindow(window=timedelta(minutes=9)),
         {"class": "TimeWindowCompactionStrategy", "compaction_window_unit": "MINUTES", "compaction_window_size": "9"}),
        (kw.Leveled(), {"class": "LeveledCompactionStrategy", "sstable_size_in_mb": "160", "fanout_size": "10"}),
        (kw.SizeTiered(min_threshold=6),
         {"class": "SizeTieredCompactionStrategy", "min_threshold": "6", "max_threshold": "32"}),
        (kw.Unified(scaling="L10"),
         {"class": "UnifiedCompactionStrategy", "scaling_parameters": "L10", "target_sstable_size": "1024MiB"}),
    ],
)  # fmt: skip
def test_a_strategy_is_the_map_of_its_class(compaction: Compaction, written: dict[str, str]) -> None:
    assert strategy(compaction) == written


@pytest.mark.parametrize(
    ("ttl", "window"),
    [
        (timedelta(days=730), timedelta(days=24)),
        (timedelta(days=30), timedelta(days=1)),
        (timedelta(days=7), timedelta(hours=6)),
        (timedelta(hours=1), timedelta(minutes=2)),
        (timedelta(seconds=5), timedelta(minutes=1)),
    ],
)
def test_a_time_to_live_has_about_thirty_windows(ttl: timedelta, window: timedelta) -> None:
    assert windows_of(int(ttl.total_seconds())).window == window


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"speculative_retry": "99.0PERCENTILE"}, ()),
        ({"speculative_retry": "NONE"}, (("speculative_retry", "NEVER"),)),
        ({"speculative_retry": "50ms"}, (("speculative_retry", "50ms"),)),
        ({"read_repair": "none"}, (("read_repair", "NONE"),)),
        ({"bloom_filter_fp_chance": 1}, (("bloom_filter_fp_chance", 1.0),)),
        ({"caching": {"keys": "none"}}, (("caching", (("keys", "NONE"), ("rows_per_partition", "NONE"))),)),
        ({"compression": {"enabled": False}}, (("compression", (("enabled", "false"),)),)),
        ({"compression": {"class": "ZstdCompressor", "enabled": True}},
         (("compression", (("chunk_length_in_kb", "16"), ("class", "ZstdCompressor"))),)),
    ],
)  # fmt: skip
def test_a_value_is_told_as_the_server_reports_it(given: dict[str, Any], found: Any) -> None:
    assert normal(given) == found


def test_leveled_tables_have_a_bloom_filter_of_their_own_by_default() -> None:
    leveled = {"compaction": {"class": "LeveledCompactionStrategy"}}
    assert "bloom_filter_fp_chance" not in dict(normal(leveled | {"bloom_filter_fp_chance": 0.1}))
    assert dict(normal(leveled | {"bloom_filter_fp_chance": 0.01}))["bloom_filter_fp_chance"] == 0.01


def test_a_size_is_told_in_mebibytes() -> None:
    given = {"class": "UnifiedCompactionStrategy", "target_sstable_size": "2GiB"}
    assert dict(normal({"compaction": given}))["compaction"] == (
        ("class", "UnifiedCompactionStrategy"), ("scaling_parameters", "T4"), ("target_sstable_size", "2048MiB"),
    )  # fmt: skip


def test_a_class_that_nobody_knows_is_told_as_it_is() -> None:
    given = {"class": "com.scylladb.IncrementalCompactionStrategy", "sstable_size_in_mb": "500"}
    assert dict(normal({"compaction": given}))["compaction"] == (
        ("class", "IncrementalCompactionStrategy"), ("sstable_size_in_mb", "500"),
    )  # fmt: skip


def test_words_and_settings_become_options_by_their_names_in_cql() -> None:
    options = options_of(
        ttl=timedelta(days=1), gc_grace=timedelta(hours=1), compression="none", caching=kw.Caching(keys=False, rows=5),
        settings={"comment": "it's"},
    )  # fmt: skip
    assert options == (
        ("caching", (("keys", "NONE"), ("rows_per_partition", "5"))),
        ("comment", "it's"),
        ("compression", (("enabled", "false"),)),
        ("default_time_to_live", 86400),
        ("gc_grace_seconds", 3600),
    )


ARGUMENTS = {name: option for name, option in TABLE_OPTIONS.items() if option.word}
"""Options that an argument of `CqlTable` sets, by their names in CQL."""


def a_value(option: TableOption) -> tuple[Any, str]:
    """An accepted value of an argument that is not the server's default, and the value in CQL."""
    match option.kind:
        case "seconds":
            return timedelta(hours=1), "3600"
        case "int":
            number = int(option.least or 0) + 1_000
            return number, str(number)
        case "float":
            return 0.5, "0.5"
        case "bool":
            return not option.default, str(not option.default).lower()
        case _:
            words = get_args(kw.CqlTable.__options__.kinds[option.word]) or ("another",)
            word = next(word for word in words if str(word).upper() != str(option.default).upper())
            return word, f"'{word.upper() if option.pattern else word}'"


@pytest.mark.parametrize("name", ARGUMENTS)
def test_an_argument_that_sets_an_option_reaches_the_cql(name: str) -> None:
    value, cql = a_value(ARGUMENTS[name])
    declared_table = a_table(**{ARGUMENTS[name].word: value})
    assert problems(declared_table) == []
    (table,) = ENGINE.place(a_keyspace(declared_table), PRODUCTION).tables
    assert f"{name} = {cql}" in create_table("metrics", table)


@pytest.mark.parametrize("name", [name for name, option in ARGUMENTS.items() if option.most is not None])
def test_an_argument_has_the_largest_value_of_its_option(name: str) -> None:
    option = ARGUMENTS[name]
    assert option.most is not None
    if option.kind == "seconds":
        assert option.least is not None
        beyond, code = timedelta(seconds=option.most + 1), "CAS107"
    else:
        beyond, code = option.most + 1, "CAS111"
    assert [rejected for rejected, _ in problems(a_table(**{option.word: beyond}))] == [code]


def test_an_argument_that_is_a_number_has_the_range_of_its_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TABLE_OPTIONS, "min_index_interval", TableOption("int", 128, "expected", least=8))  # type: ignore[arg-type]
    problem = 'the table option "expected" is 7, it takes 8 or more'
    assert problems(a_table(expected=7)) == [("CAS111", problem)]


def test_generated_tables_have_every_argument_that_sets_an_option() -> None:
    assert {option.word for option in ARGUMENTS.values()} - arguments().keys() == set()


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: ", ".join(settings) or "none")
def test_generated_settings_are_accepted(settings: dict[str, Any]) -> None:
    assert problems(a_table(settings=settings)) == []
