"""Transforms as update pipelines; that they mean what Python means is a test on a real server."""

import pytest

from keywright.engines.mongodb.migrate.transform import compile, form
from keywright.ir.transform import parse


def test_a_computed_field_is_made_where_its_sources_are() -> None:
    transform = parse({"set": {"status_day": "{status}#{placed_at:date}"}})
    types = {"status": "string", "placed_at": "date", "status_day": "string"}
    known = [{"$gt": ["$status", None]}, {"$gt": ["$placed_at", None]}]
    text = {"$concat": ["$status", {"$literal": "#"}, {"$dateToString": {"date": "$placed_at", "format": "%Y-%m-%d"}}]}
    years = [{"$gte": ["$placed_at", {"$dateFromParts": {"year": 1000}}]},
             {"$lt": ["$placed_at", {"$dateFromParts": {"year": 9999}}]}]  # fmt: skip
    is_date = {"$eq": [{"$type": "$placed_at"}, "date"]}
    is_nothing = {"$in": [{"$type": "$placed_at"}, ["missing", "null"]]}
    assert compile(transform, types, version=3) == {
        "filter": {
            "_kw_v": {"$not": {"$gte": 3}},
            "$expr": {
                "$and": [
                    {"$in": [{"$type": "$status"}, ["string", "missing", "null"]]},
                    {"$cond": [is_date, {"$and": years}, is_nothing]},
                ]
            },
        },
        "pipeline": [{"$set": {"status_day": {"$cond": [{"$and": known}, text, "$status_day"]}, "_kw_v": 3}}],
    }


def test_a_rename_leaves_the_old_name() -> None:
    moved = {"$cond": [{"$ne": [{"$type": "$a"}, "missing"]}, "$a", "$b"]}
    assert compile(parse({"rename": {"b": "a"}}), {}) == {
        "filter": {},
        "pipeline": [{"$set": {"a": "$$REMOVE", "b": moved}}],
    }


@pytest.mark.parametrize(
    ("told", "types"),
    [
        ({"set": {"k": "{a:shard(16)}"}}, {}),
        ({"set": {"k": "{a}#{b}"}}, {"k": "long"}),
        ({"cast": {"n": "decimal"}}, {"n": "string"}),
        ({"set": {"at": "2026-03-14T00:00:00Z"}}, {"at": "date"}),
    ],
)
def test_what_the_server_cannot_say_is_left_to_python(told: dict[str, object], types: dict[str, str]) -> None:
    assert compile(parse(told), types) is None  # type: ignore[arg-type]


def test_a_constant_has_the_declared_type() -> None:
    assert (form("n", "5", "long"), form("ok", "true", "bool"), form("s", "5", "string")) == (5, True, "5")
    with pytest.raises(ValueError, match="64 bits"):
        form("n", 2**63, None)
