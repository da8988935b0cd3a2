"""Hashed indexes of several fields, and wildcard indexes with a projection."""

from typing import Any

import pytest
from pydantic import BaseModel
from tests.engines.mongodb.designs import SIX, codes_of, collection_of, design_of, refusals_of, shop, stored_in
from tests.engines.mongodb.patterned import verdict

import keywright as kw
from keywright.access.search import Planned, plan
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.codec import describe_index
from keywright.engines.mongodb.schema.reported import index as reported


class Inner(BaseModel):
    colour: str
    size: int


FIELDS: dict[str, Any] = {"key": str, "city": str, "owner": str, "age": int, "tags": list[str], "inner": Inner}


def things(*indexes: Any) -> type[BaseModel]:
    return stored_in(kw.Collection(shop, "things", id="{key}", indexes=list(indexes)), FIELDS)


def described(index: Any) -> Any:
    (target,) = collection_of(things(index)).indexes
    return {"name": target.name, **dict(describe_index(target))}  # type: ignore[arg-type]  # it is a mapping


def planned(index: Any, **read: Any) -> Planned[Any]:
    model = things(index)
    design = design_of(model, kw.Read(model, limit=20, **read))
    (declared,), (binding,), (pattern,) = ENGINE.lower(design), design.bindings, design.patterns
    return plan(ENGINE, ENGINE.place(declared, SIX), binding, pattern)


HASHED = kw.HashedIndex("owner", before="city", after="-age", name="hash")


def test_a_hashed_index_has_fields_before_and_after_the_hash() -> None:
    assert described(kw.HashedIndex("owner", before="city", after=["-age"])) == {
        "name": "city_1_owner_hashed_age_-1",
        "key": [["city", 1], ["owner", "hashed"], ["age", -1]],
    }


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ({"eq": "city"}, "index hash city = ?city"),
        ({"eq": ["city", "owner"], "order": "-age"}, "index hash city = ?city and owner = ?owner"),
        ({"eq": ["city", "owner"], "range": "age"}, "index hash city = ?city and owner = ?owner and age between"),
        ({"range": "city", "order": "city"}, "index hash city between"),
    ],
)
def test_it_serves_its_fields_like_an_ordinary_index(read: dict[str, Any], expected: str) -> None:
    result = planned(HASHED, **read)
    assert result.is_served
    path = result.access_path
    assert (path.by.name, path.order) == ("hash", "index" if "order" in read else "none")


def test_it_serves_no_range_of_the_hashed_field() -> None:
    by_range: Any = planned(HASHED, eq="city", range="owner").access_path.call
    assert by_range.selection.hint is None or by_range.selection.hint == "hash"
    first = kw.HashedIndex("owner", after="age", name="first")
    problem = 'index "first" contains hashes, and the pattern has no equality condition on "owner"'
    assert verdict(planned(first, range="owner")) == problem
    assert planned(first, eq="owner", order="age").is_served


@pytest.mark.parametrize("index", [kw.HashedIndex("city", after="tags"), kw.HashedIndex("city", before="tags")])
def test_a_hashed_index_contains_no_array(index: Any) -> None:
    (refusal,) = refusals_of(things(index))
    assert (refusal.code, refusal.help) == ("MDB107", "use an Index")
    assert codes_of(things(kw.Index(["city", "tags"]))) == []


def test_a_wildcard_index_contains_some_fields() -> None:
    assert described(kw.WildcardIndex("*", only=["inner", "age"], name="some")) == {
        "name": "some",
        "key": [["$**", 1]],
        "wildcardProjection": {"age": 1, "inner": 1},
    }
    assert described(kw.WildcardIndex("*", without="inner.size"))["wildcardProjection"] == {"inner.size": 0}
    assert "wildcardProjection" not in described(kw.WildcardIndex("*", without="key"))  # `_id` is left out anyway
    assert described(kw.WildcardIndex("*", only="key"))["wildcardProjection"] == {"_id": 1}


@pytest.mark.parametrize(
    ("options", "served"),
    [
        ({"only": "inner"}, {"inner.size", "inner.colour"}),
        ({"only": ["inner.size", "age"]}, {"inner.size", "age"}),
        ({"without": "inner"}, {"age", "city"}),
        ({"without": ["inner.size", "city"]}, {"inner.colour", "age"}),
        ({"only": "key"}, set()),
        ({}, {"inner.size", "inner.colour", "age", "city"}),
    ],
)
def test_it_serves_the_fields_that_it_contains(options: dict[str, Any], served: set[str]) -> None:
    index = kw.WildcardIndex("*", name="some", **options)
    fields = {"inner.size", "inner.colour", "age", "city"}
    assert {field for field in fields if planned(index, eq=field).is_served} == served


def report(projection: Any) -> Any:
    return reported({"v": 2, "name": "some", "key": {"$**": 1}, "wildcardProjection": projection})[1]


def test_a_live_projection_has_one_form() -> None:
    flat = report({"a.b": 1, "c": 1})
    assert flat == {"key": [["$**", 1]], "wildcardProjection": {"a.b": 1, "c": 1}}
    assert report({"c": True, "_id": False, "a": {"b": 2.0}}) == flat
    assert report({"_id": 0}) == {"key": [["$**", 1]]}


@pytest.mark.parametrize(
    ("index", "problem", "help"),
    [
        (
            kw.WildcardIndex("*", only="age", without="city"),
            "it has only= and without=, and only= leaves out all other fields",
            "remove without=",
        ),
        (
            kw.WildcardIndex("inner", only="inner.size"),
            'only= chooses among the fields of a whole document, and it is over "inner"',
            'write kw.WildcardIndex("*", only="inner.size")',
        ),
        (kw.WildcardIndex("*", only=["inner", "inner.size"]), '"inner.size" is part of "inner"', 'remove "inner.size"'),
        (
            kw.WildcardIndex("*", before="city", without="age"),
            'over the whole document it contains "city" of before= a second time',
            'write without="city", or name the field of the index',
        ),
    ],
)
def test_a_projection_that_the_server_rejects_is_an_error(index: Any, problem: str, help: str) -> None:
    refusal = refusals_of(things(index))[0]
    assert (refusal.code, refusal.problem.partition(": ")[2], refusal.help) == ("MDB108", problem, help)


def test_the_ways_out_of_errors_compile() -> None:
    assert codes_of(things(kw.WildcardIndex("*", only="inner.size"))) == []
    assert codes_of(things(kw.WildcardIndex("*", before="city", without=["city", "age"]))) == []
    assert codes_of(things(kw.WildcardIndex("*", before="city", only="age"))) == []


def test_projections_make_different_indexes() -> None:
    first, second = kw.WildcardIndex("*", only="age", name="a"), kw.WildcardIndex("*", only="city", name="b")
    assert codes_of(things(first, second)) == []
    assert codes_of(things(first, kw.WildcardIndex("*", only="age", name="b"))) == ["MDB105"]
