"""The reads that sparse and partial indexes serve, and the requests that use them."""

from typing import Annotated, Any

import pytest
from pydantic import Field
from tests.engines.mongodb.designs import SIX, collection_of, database_of, design_of, shop, stored_in
from tests.engines.mongodb.patterned import verdict

import keywright as kw
from keywright.access.search import Planned, plan
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.filter_form import normal

FIELDS: dict[str, Any] = {
    "key": str,
    "nick": str | None,
    "city": str,
    "age": int,
    "tags": Annotated[list[str], Field(max_length=9)],
    "gaps": Annotated[list[str | None], Field(max_length=9)],
}


def planned(index: Any, **read: Any) -> Planned[Any]:
    """The plan of a read of documents with one index."""
    model = stored_in(kw.Collection(shop, "things", id="{key}", indexes=[index]), FIELDS)
    design = design_of(model, kw.Read(model, limit=9, **read))
    (declared,), (binding,), (pattern,) = ENGINE.lower(design), design.bindings, design.patterns
    return plan(ENGINE, ENGINE.place(declared, SIX), binding, pattern)


SPARSE: list[tuple[Any, dict[str, Any], str]] = [
    (kw.Index("nick", sparse=True), {"eq": "nick"}, "index nick_1"),
    (kw.Index("nick", sparse=True), {"where": {"nick": "a"}}, "index nick_1"),
    (kw.Index("nick", sparse=True), {"range": "nick", "order": "nick"}, "index nick_1 index"),
    (kw.Index("nick", sparse=True), {"where": {"nick": kw.Present()}, "order": "nick"}, "index nick_1 index"),
    (kw.Index("nick", sparse=True), {"order": "nick"},
     'index "nick_1" is sparse, and the pattern may ask for documents without "nick"'),
    (kw.Index("nick", sparse=True), {"where": {"nick": None}},
     'index "nick_1" is sparse, and the pattern may ask for documents without "nick"'),
    (kw.Index(["nick", "city"], sparse=True), {"order": "nick"},
     'index "nick_1_city_1" is sparse, and the pattern may ask for documents without "nick" and "city"'),
    (kw.Index(["nick", "city"], sparse=True), {"eq": ["nick", "city"]}, "index nick_1_city_1"),
    (kw.Index(["city", "nick"], sparse=True), {"eq": "city", "order": "nick"},
     'index "city_1_nick_1" is sparse, and "nick" of the order may be null: add kw.Present() for it to where='),
    (kw.Index("tags", sparse=True), {"contains": "tags"}, "index tags_1"),
    (kw.Index("gaps", sparse=True), {"contains": "gaps"},
     'index "gaps_1" is sparse, and the pattern may ask for documents without "gaps"'),
    (kw.HashedIndex("city", sparse=True), {"eq": "city"}, "index city_hashed"),
]  # fmt: skip


@pytest.mark.parametrize(("index", "read", "expected"), SPARSE)
def test_a_sparse_index_serves_what_asks_for_none_of_the_documents_left_out(
    index: Any, read: dict[str, Any], expected: str
) -> None:
    assert verdict(planned(index, **read)) == expected


def test_no_call_asks_a_sparse_index_for_null() -> None:
    call: Any = planned(kw.Index("nick", sparse=True), eq="nick").access_path.call
    assert call.selection.not_null == ("nick",)


def partial(**options: Any) -> Any:
    return kw.Index("city", name="part", **options)


IN, OR = {"age": {"$in": [1, 2, 3]}}, {"$or": [{"age": 1}, {"city": {"$gt": "m"}}]}
PARTIAL: list[tuple[Any, dict[str, Any], str, Any]] = [
    (partial(where={"age": kw.Above(5)}), {"where": {"age": 8}}, "index part age = 8", None),
    (partial(where={"age": kw.Above(5)}), {"where": {"age": kw.Above(5)}}, "index part", None),
    (partial(where={"age": kw.Above(5)}), {"where": {"age": kw.AtLeast(5)}}, "", None),
    (partial(where={"age": kw.AtMost(5)}), {"where": {"age": kw.Below(5)}}, "index part age < 5", None),
    (partial(where={"age": kw.AtMost(5)}), {"where": {"age": kw.AtMost(6)}}, "", None),
    (partial(where={"age": kw.AllOf([kw.Above(1), kw.Below(9)])}), {"where": {"age": 5}}, "index part age = 5", None),
    (partial(where={"age": kw.AllOf([kw.Above(1), kw.Below(9)])}), {"where": {"age": kw.Above(1)}}, "", None),
    (partial(where={"age": kw.OneOf([1, 2, 3])}), {"where": {"age": kw.OneOf([3, 2, 1])}}, "index part", None),
    (partial(where={"age": kw.OneOf([1, 2, 3])}), {"where": {"age": kw.OneOf([1, 2])}}, "index part age in (1, 2)", IN),
    (partial(where={"age": kw.OneOf([1, 2, 3])}), {"where": {"age": 2}}, "index part age = 2", None),
    (partial(where={"nick": kw.OfType("string")}), {"where": {"nick": "a"}}, "index part nick = 'a'",
     {"nick": {"$type": "string"}}),
    (partial(where={"nick": kw.OfType("string")}), {}, "", None),
    (partial(where={"age": kw.OfType("number")}), {"where": {"age": kw.Above(1)}}, "index part age > 1",
     {"age": {"$type": "number"}}),
    (partial(where={"age": kw.OfType("int")}), {"where": {"age": kw.Above(1)}}, "", None),
    (partial(any_of=[{"age": 1}, {"city": kw.Above("m")}]), {"where": {"age": 1}}, "index part age = 1", None),
    (partial(any_of=[{"age": 1}, {"age": 2}]), {"where": {"age": kw.OneOf([1, 2])}}, "", None),
    (partial(any_of=[{"age": 1}, {"age": 2}]), {}, "", None),
    (partial(any_of=[{"nick": kw.OfType("string")}, {"age": 2}]), {"where": {"nick": "a"}}, "", None),
    (partial(any_of=[{"nick": kw.OfType("string")}, {"age": 2}]), {"where": {"age": 2}}, "index part age = 2", None),
]  # fmt: skip


@pytest.mark.parametrize(("index", "read", "expected", "sent"), PARTIAL)
def test_a_partial_index_serves_what_implies_its_filter(
    index: Any, read: dict[str, Any], expected: str, sent: Any
) -> None:
    result = planned(index, eq="city", **read)
    missed = 'index "part" contains only some documents: add the filter of the index to where= of the pattern'
    assert verdict(result) == (expected or missed)
    if expected:
        call: Any = result.access_path.call
        assert call.selection.filter == sent


def test_the_form_of_a_filter_has_a_form_of_its_own() -> None:
    tests = [{"age": {"$type": ["int", "string"]}}, {"age": {"$type": "number"}}, {"city": "a"}, {"age": {"$gt": 1}}]
    first = normal({"$and": tests})
    assert first == normal({"$and": tests[::-1]}) == normal(first)
    assert normal({key: first[key] for key in sorted(first)}) == first  # type: ignore[call-overload, index, arg-type]  # it is a mapping


FILTERS: list[tuple[dict[str, Any], Any]] = [
    ({"where": {"age": kw.Above(5), "city": kw.AtMost("m")}}, {"age": {"$gt": 5}, "city": {"$lte": "m"}}),
    ({"where": {"age": kw.AllOf([kw.AtLeast(1), kw.Below(9)])}}, {"age": {"$gte": 1, "$lt": 9}}),
    ({"where": {"age": kw.AllOf([kw.Above(1), kw.Above(2)])}}, {"age": {"$gt": 1}, "$and": [{"age": {"$gt": 2}}]}),
    ({"where": {"nick": kw.OfType("string")}}, {"nick": {"$type": "string"}}),
    ({"where": {"age": kw.OfType(["long", "int"])}}, {"age": {"$type": ["int", "long"]}}),
    ({"where": {"age": kw.OneOf([7])}}, {"age": 7}),
    ({"any_of": [{"age": 1, "city": "a"}, {"age": 2}]}, {"$or": [{"age": 1, "city": "a"}, {"age": 2}]}),
    ({"where": {"city": "a"}, "any_of": [{"age": 1}, {"age": 2}]}, {"city": "a", "$or": [{"age": 1}, {"age": 2}]}),
]


@pytest.mark.parametrize(("options", "expected"), FILTERS)
def test_a_filter_is_written_in_the_form_in_which_live_filters_are_compared(
    options: dict[str, Any], expected: Any
) -> None:
    model = stored_in(kw.Collection(shop, "things", id="{key}", indexes=[kw.Index("tags", **options)]), FIELDS)
    (index,) = collection_of(model).indexes
    assert index.filter == expected == normal(expected)


SAME: list[tuple[Any, Any]] = [
    ({"$and": [{"a": 1}, {"b": {"$gt": 2}}]}, {"a": 1, "b": {"$gt": 2}}),
    ({"$and": [{"a": {"$gt": 1}}, {"a": {"$lt": 9}}]}, {"a": {"$gt": 1, "$lt": 9}}),
    ({"a": {"$eq": 1}}, {"a": 1}),
    ({"a": {"$in": [1]}}, {"a": 1}),
    ({"a": {"$exists": 1}}, {"a": {"$exists": True}}),
    ({"a": {"$type": [2, "int", 18]}}, {"a": {"$type": ["int", "long", "string"]}}),
    ({"$or": [{"a": 1}]}, {"a": 1}),
    ({"a": {"$date": "2026-01-01T00:00:00Z"}}, {"a": {"$date": "2026-01-01T00:00:00Z"}}),
]


@pytest.mark.parametrize(("stated", "expected"), SAME)
def test_filters_with_the_same_documents_have_one_form(stated: Any, expected: Any) -> None:
    assert normal(stated) == expected == normal(expected)


def test_a_server_lacks_operators_by_version_and_flavour() -> None:
    index = kw.Index("city", where={"nick": kw.OfType("string")}, any_of=[{"age": 1}, {"age": kw.OneOf([2, 3])}])
    database = database_of(stored_in(kw.Collection(shop, "things", id="{key}", indexes=[index]), FIELDS))
    problems = {
        (flavour, version): [
            refusal.problem.split(" needs ")[1].split(" ")[0]
            for refusal in ENGINE.refuse(ENGINE.place(database, part), part)
        ]
        for flavour, version in (("mongodb", "5.0"), ("mongodb", "6.0"), ("documentdb", "5.0"))
        for part in [MongoEnvironment(flavour=flavour, version=version)]  # type: ignore[arg-type]  # they are flavours
    }
    assert problems == {
        ("mongodb", "5.0"): ["$in", "$or"],
        ("mongodb", "6.0"): [],
        ("documentdb", "5.0"): ["$in", "$or", "$type"],
    }
