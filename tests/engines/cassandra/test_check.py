"""What no Cassandra can hold, and what is legal although it looks wrong."""

from datetime import datetime, timedelta
from typing import Annotated, Any

import pytest
from pydantic import BaseModel
from tests.engines.cassandra.designs import a_table, problems

import keywright as kw
from keywright.errors import DeclarationError, gathering


class Part(BaseModel):
    name: str
    tags: list[str]


class Empty(BaseModel):
    pass


class Loose(BaseModel):
    tags: Annotated[list[str], kw.CqlType("list<text>")]


FIELDS: dict[str, Any] = {
    "at": datetime, "note": str, "tags": list[str], "labels": dict[str, str], "part": Part, "parts": list[Part],
    "lasting": timedelta, "data": bytes, "count": int, "maybe": str | None, "holes": list[str | None],
    "ends": Annotated[datetime, kw.Ttl()],
}  # fmt: skip

REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"settings": {"compaction": {"class": "TWCS"}}}, "CAS007", 'there is no compaction strategy "TWCS"'),
    ({"settings": {"compaction": {"min_threshold": 4}}}, "CAS007", 'settings["compaction"] names no class'),
    ({"settings": {"compaction": {"class": "LeveledCompactionStrategy", "fan": 1}}}, "CAS007",
     'LeveledCompactionStrategy has no option "fan"'),
    ({"settings": {"compaction": {"class": "LeveledCompactionStrategy", "fanout_size": "ten"}}}, "CAS007",
     'fanout_size of LeveledCompactionStrategy is "ten"'),
    ({"settings": {"compaction": {"class": "TimeWindowCompactionStrategy", "compaction_window_unit": "WEEKS"}}},
     "CAS007", 'compaction_window_unit is "WEEKS"'),
    ({"counters": "count", "fields": ["count", "note"]}, "CAS101",
     '"note" is not a counter, in a table with counters'),
    ({"counters": "note", "fields": ["note"]}, "CAS101", 'the counter "note" is not a whole number'),
    ({"counters": "count", "fields": ["count"], "ttl": timedelta(days=1)}, "CAS101",
     "a table with counters cannot have ttl="),
    ({"counters": "count", "fields": ["count", "ends"], "clustering": "ends"}, "CAS101",
     "a table with counters cannot have Ttl()"),
    ({"counters": "count", "fields": ["count"], "indexes": [kw.CqlIndex("count")]}, "CAS101",
     "a table with counters cannot have indexes="),
    ({"clustering": "tags"}, "CAS102", '"tags" is a collection and cannot be part of a key unless it is frozen'),
    ({"clustering": "lasting"}, "CAS102", '"lasting" is a duration, which has no order and cannot be part of a key'),
    ({"clustering": "part", "unfrozen": "part"}, "CAS102",
     '"part" is an unfrozen part and cannot be part of a key'),
    ({"clustering": "part.name"}, "CAS102", '"part.name" is inside an embedded model and cannot be part of a key'),
    ({"clustering": "maybe"}, "E0308", '"maybe" may be None, and a key needs all its parts'),
    ({"unfrozen": "parts"}, "CAS104", '"parts" cannot be unfrozen: parts of a collection are written as a whole'),
    ({"unfrozen": "part.tags"}, "CAS104",
     '"part.tags" cannot be unfrozen: parts of an embedded model are written as a whole'),
    ({"unfrozen": "note"}, "CAS104", '"note" cannot be unfrozen: it is not an embedded model'),
    ({"frozen": "note"}, "E0205", '"note" is not a collection of the table and cannot be frozen'),
    ({"gc_grace": timedelta(0), "views": [kw.View("by_note", partition="note", clustering="sensor")]}, "CAS106",
     "gc_grace is 0 in a table with materialized views, whose pending updates are kept for the same time"),
    ({"ttl": timedelta(days=7301)}, "CAS107", "ttl is 630806400 seconds, Cassandra allows 1 to 630720000"),
    ({"ttl": timedelta(seconds=1.5)}, "CAS107", "ttl=0:00:01.500000 is not a number of whole seconds"),
    ({"ttl": timedelta(milliseconds=5)}, "CAS107", "ttl=0:00:00.005000 is not a number of whole seconds"),
    ({"gc_grace": timedelta(days=-1)}, "CAS107", "gc_grace is -86400 seconds, Cassandra allows 0 to 2147483647"),
    ({"views": [kw.View("by_note", partition="note", clustering=[])]}, "CAS109",
     'view "by_note": its key lacks "sensor" of the table\'s key'),
    ({"views": [kw.View("by_two", partition=["note", "count"], clustering="sensor")]}, "CAS109",
     'view "by_two": its key has 2 columns beyond the table\'s, "note" and "count", and one is allowed'),
    ({"views": [kw.View("twice", partition="note", clustering=["sensor", "note"])]}, "CAS109",
     'view "twice": "note" is twice in its key'),
    ({"clustering": "at", "static": "note", "views": [kw.View("v", partition="note", clustering=["sensor", "at"])]},
     "CAS109", 'view "v": "note" is static and cannot be in a view'),
    ({"views": [kw.View("v", partition=[], clustering="sensor")]}, "CAS109", 'view "v": its partition key is empty'),
    ({"views": [kw.View("v", partition="part.name", clustering="sensor")]}, "CAS109",
     'view "v": "part.name" is inside an embedded model'),
    ({"views": [kw.View("v", partition="tags", clustering="sensor")]}, "CAS109",
     'view "v": "tags" is a collection and cannot be part of a key unless it is frozen'),
    ({"indexes": [kw.CqlIndex("sensor")]}, "CAS110",
     'index "readings_sensor_idx": "sensor" is already the whole partition key'),
    ({"indexes": [kw.CqlIndex("lasting")]}, "CAS110", 'index "readings_lasting_idx": "lasting" is a duration'),
    ({"indexes": [kw.CqlIndex("tags", of="full")]}, "CAS110",
     'index "readings_tags_idx": of="full" needs a frozen collection, "tags" is list<text>'),
    ({"indexes": [kw.CqlIndex("tags", of="keys")]}, "CAS110",
     'index "readings_tags_idx": of="keys" needs a map that is not frozen, "tags" is list<text>'),
    ({"frozen": "tags", "indexes": [kw.CqlIndex("tags")]}, "CAS110",
     'index "readings_tags_idx": "tags" is a frozen collection, which is indexed as a whole'),
    ({"indexes": [kw.CqlIndex("data")]}, "CAS110",
     'index "readings_data_idx": "data" contains bytes, which a storage-attached index does not support'),
    ({"unfrozen": "part", "indexes": [kw.CqlIndex("part")]}, "CAS110",
     'index "readings_part_idx": "part" is an unfrozen embedded model'),
    ({"indexes": [kw.CqlIndex("part.name")]}, "CAS110",
     'index "readings_part_name_idx": "part.name" is inside an embedded model'),
    ({"indexes": [kw.CqlIndex("count", normalize=True)]}, "CAS110",
     'index "readings_count_idx": normalize= is for text, "count" is bigint'),
    ({"indexes": [kw.CqlIndex("note", using="legacy", ascii=True)]}, "CAS110",
     'index "readings_note_idx": ascii= is an option of storage-attached indexes'),
    ({"clustering": "note", "indexes": [kw.CqlIndex("note", case_sensitive=False)]}, "CAS110",
     'index "readings_note_idx": case_sensitive= cannot be used with "note", a part of the key'),
    ({"indexes": [kw.CqlIndex("note"), kw.CqlIndex("note", name="other")]}, "CAS110",
     'index "other" is a second one of its kind on note, besides "readings_note_idx"'),
    ({"settings": {"read_repair_chance": 0.1}}, "CAS111",
     'the table option "read_repair_chance" was removed in Cassandra 4.0'),
    ({"settings": {"commment": "x"}}, "CAS111", 'no known version has a table option "commment"'),
    ({"settings": {"gc_grace_seconds": 5}}, "CAS111", 'the table option "gc_grace_seconds" has its own argument'),
    ({"settings": {"cdc": "yes"}}, "CAS111", 'the table option "cdc" is \'yes\', it takes True or False'),
    ({"settings": {"min_index_interval": True}}, "CAS111",
     'the table option "min_index_interval" is True, it takes a whole number'),
    ({"settings": {"crc_check_chance": 2}}, "CAS111",
     'the table option "crc_check_chance" is 2, it takes 1 or less'),
    ({"settings": {"bloom_filter_fp_chance": 0}}, "CAS111",
     'the table option "bloom_filter_fp_chance" is 0, it takes 6.72e-05 or more'),
    ({"settings": {"speculative_retry": "often"}}, "CAS111",
     'the table option "speculative_retry" does not accept "often"'),
    ({"settings": {"caching": "ALL"}}, "CAS111", 'the table option "caching" is \'ALL\', it takes a mapping'),
    ({"settings": {"caching": {"rows": "ALL"}}}, "CAS111", 'settings["caching"] has no option "rows"'),
    ({"settings": {"caching": {"keys": "some"}}}, "CAS111", 'caching: keys is "some"'),
    ({"settings": {"compression": {"enabled": False, "class": "LZ4Compressor"}}}, "CAS111",
     'settings["compression"] is off and has other options'),
    ({"settings": {"compaction": {"class": "SizeTieredCompactionStrategy", "bucket_low": "low"}}}, "CAS007",
     'bucket_low of SizeTieredCompactionStrategy is "low"'),
    ({"settings": {"compression": {"class": "Zip"}}}, "CAS111", 'there is no compressor "Zip"'),
    ({"settings": {"compression": {"class": "LZ4Compressor", "level": 1}}}, "CAS111",
     'LZ4Compressor has no option "level"'),
    ({"compaction": kw.Leveled(), "settings": {"compaction": {"class": "LeveledCompactionStrategy"}}}, "E0503",
     'compaction= and settings["compaction"] set the same option'),
    ({"types": {"note": "double"}}, "E0205",
     '"note" cannot be stored as double, it takes text or ascii or inet or uuid or timeuuid'),
    ({"types": {"part.name": "ascii"}}, "E0205", 'types= names "part.name", which is not a field of Readings itself'),
    ({"fields": ["holes"]}, "E0205", '"holes" may contain None inside a collection, which Cassandra cannot store'),
    ({"masked": {"part.name": "mask_default()"}}, "E0503", 'masked= names "part.name", which is not a column'),
    ({"masked": {"note": "mask_inner"}}, "E0503",
     'the mask of "note" is "mask_inner", which is not a call with constants'),
    ({"masked": {"note": "mask_all()"}}, "E0503", 'there is no masking function "mask_all"'),
    ({"masked": {"count": "mask_inner(1, 2)"}}, "E0503", '"count" is bigint, mask_inner masks text only'),
    ({"masked": {"note": "mask_hash()"}}, "E0503", '"note" is text, mask_hash masks blob only'),
    ({"masked": {"note": "mask_replace(now())"}}, "E0503",
     'the mask of "note" is "mask_replace(now())", which is not a call with constants'),
    ({"views": [kw.View("readings", partition="note", clustering="sensor")]}, "E0110",
     'the view "readings" has the name of another one in keyspace "metrics", of Readings'),
    ({"name": "r" * 49}, "CAS112", f'the table name "{"r" * 49}" has 49 characters, Cassandra allows 48'),
    ({"name": "a-b"}, "CAS112", 'the table name "a-b" contains a character that Cassandra does not allow'),
    ({"name": "orders_k2"}, "CAS112",
     'the table name "orders_k2" ends in "_k2", as only later generations of a table do'),
]  # fmt: skip


def a_case(options: dict[str, Any]) -> Any:
    given = dict(options)
    name, fields = (
        given.pop("name", "readings"),
        given.pop("fields", [field for field in FIELDS if field not in ("holes", "ends")]),
    )
    return a_table(name, {field: FIELDS[field] for field in fields}, **given)


@pytest.mark.parametrize(("options", "code", "problem"), REFUSED)
def test_what_cassandra_cannot_hold_is_refused(options: dict[str, Any], code: str, problem: str) -> None:
    assert problems(a_case(options)) == [(code, problem)]


@pytest.mark.parametrize(
    "options",
    [
        {"name": "select"},
        {"name": "MixedCase"},
        {"clustering": "tags", "frozen": "tags"},
        {"clustering": "part"},
        {"clustering": "lasting", "types": {"lasting": "bigint"}},
        {"unfrozen": "part"},
        {"frozen": "tags", "indexes": [kw.CqlIndex("tags", of="full")]},
        {"indexes": [kw.CqlIndex("labels", of="entries"), kw.CqlIndex("labels", of="keys", name="other")]},
        {"indexes": [kw.CqlIndex("data", using="legacy")]},
        {"indexes": [kw.CqlIndex("note"), kw.CqlIndex("note", using="legacy", name="other")]},
        {"counters": "count", "fields": ["count", "note"], "clustering": "note"},
        {"views": [kw.View("by_note", partition="note", clustering="-sensor")]},
        {"settings": {"compaction": {"class": "org.apache.cassandra.db.compaction.LeveledCompactionStrategy"}}},
        {"settings": {"caching": {"keys": "all", "rows_per_partition": 5}, "compression": {"enabled": False}}},
        {"settings": {"speculative_retry": "MIN(99p,50ms)", "comment": "it's", "crc_check_chance": 1}},
        {"settings": {"compression": {"class": "ZstdCompressor", "compression_level": 9}}},
    ],
)  # fmt: skip
def test_what_cassandra_takes_is_legal(options: dict[str, Any]) -> None:
    assert problems(a_case(options)) == []


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"clustering": "sensor"}, "CAS102"),
        ({"clustering": "at", "static": "at"}, "CAS102"),
        ({"static": "at"}, "CAS103"),
        ({"partition": "-sensor"}, "CAS105"),
        ({"views": [kw.View("v", partition="-at", clustering="sensor")]}, "CAS105"),
    ],
)
def test_a_declaration_knows_by_itself_that_its_key_is_wrong(options: dict[str, Any], code: str) -> None:
    with gathering() as errors:
        kw.CqlTable(kw.Keyspace("metrics"), "readings", **{"partition": "sensor", **options})
    assert [error.code for error in errors] == [code]


@pytest.mark.parametrize(
    "make",
    [
        lambda: kw.TimeWindow(window=timedelta(seconds=90)),
        lambda: kw.SizeTiered(min_threshold=33),
        lambda: kw.SizeTiered(min_threshold=1),
        lambda: kw.Leveled(fanout=0),
        lambda: kw.Unified(scaling="Q4"),
        lambda: kw.Unified(sstable_size_mb=0),
    ],
)
def test_a_strategy_knows_by_itself_that_its_options_are_wrong(make: Any) -> None:
    with pytest.raises(DeclarationError) as raised:
        make()
    assert raised.value.code == "E0503"


def test_a_keyspace_may_not_have_a_name_of_the_server() -> None:
    problem = 'the keyspace name "system_views" belongs to the server'
    assert problems(a_table(), keyspace="system_views") == [("CAS112", problem)]


def test_two_tables_may_not_have_one_name() -> None:
    result = problems(a_table(), a_table())
    assert [code for code, _ in result] == ["E0110"]


def test_two_models_may_not_claim_one_type() -> None:
    def part(kind: type) -> Any:
        return type("Part", (BaseModel,), {"__annotations__": {"name": kind}, "__module__": __name__})

    result = problems(a_table("one", {"part": part(str)}), a_table("two", {"part": part(int)}))
    assert result == [("E0110", 'the models "Part" here and "Part" in One are one type "part"')]


@pytest.mark.parametrize(
    ("type", "problem"),
    [
        (set[timedelta], "is a set of durations, which have no order"),
        (list[dict[timedelta, int]], "is a map whose keys are durations, which have no order"),
    ],
)
def test_durations_have_no_order(type: Any, problem: str) -> None:
    assert problems(a_table(fields={"spans": type})) == [("E0205", f'"spans" {problem}')]
    assert problems(a_table(fields={"spans": list[timedelta]})) == []


def test_an_inner_type_takes_the_natives_of_its_kind() -> None:
    small = Annotated[int, kw.CqlType("smallint")]
    assert problems(a_table(fields={"codes": list[small], "by_code": dict[small, tuple[small, str]]})) == []
    problem = 'a value in "codes" cannot be stored as date, it takes bigint or tinyint or smallint or int or varint'
    wrong = Annotated[int, kw.CqlType("date")]
    assert problems(a_table(fields={"codes": list[wrong]})) == [("E0205", problem)]


def test_a_model_with_collections_that_are_not_frozen_is_frozen() -> None:
    problem = '"part" cannot be unfrozen: its type has collections that are not frozen'
    assert problems(a_table(fields={"part": Loose})) == []
    assert problems(a_table(fields={"part": Loose}, unfrozen="part")) == [("CAS104", problem)]


@pytest.mark.parametrize(
    ("type", "options", "problem"),
    [
        (Annotated[list[float], kw.Vector(1)], {}, '"v" has one dimension, which has no angle'),
        (Annotated[list[int], kw.Vector(2)], {}, '"v" is a vector<bigint, 2>, only vectors of floats are indexed'),
        (str, {"similarity_function": "euclidean"}, 'similarity_function= is for vectors, "v" is text'),
        (Annotated[list[float], kw.Vector(2)], {"case_sensitive": False},
         'case_sensitive= is for text, "v" is vector<float, 2>'),
    ],
)  # fmt: skip
def test_a_vector_is_indexed_by_similarity(type: Any, options: Any, problem: str) -> None:
    table = a_table(fields={"v": type}, indexes=[kw.CqlIndex("v", **options)])
    assert problems(table) == [("CAS110", f'index "readings_v_idx": {problem}')]


def test_an_index_on_a_vector_is_legal() -> None:
    indexes = [kw.CqlIndex("v", similarity_function="euclidean")]
    assert problems(a_table(fields={"v": Annotated[list[float], kw.Vector(2)]}, indexes=indexes)) == []


def test_a_type_needs_a_field() -> None:
    problem = 'the embedded model "Empty" has no field, and a user-defined type needs one'
    assert problems(a_table(fields={"empty": Empty})) == [("E0205", problem)]
