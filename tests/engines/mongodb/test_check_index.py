"""What no index of MongoDB can be."""

from datetime import datetime
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field
from tests.engines.mongodb.designs import codes_of, refusals_of, shop, stored_in

import keywright as kw


class Point(BaseModel):
    type: Literal["Point"]
    coordinates: list[float]


class Line(BaseModel):
    sku: str
    sizes: list[int]
    tags: list[str]


FIELDS: dict[str, Any] = {
    "key": str,
    "word": str,
    "number": int,
    "tags": list[str],
    "ids": set[int],
    "lines": list[Line],
    "by_shop": dict[str, Line],
    "place": Point,
    "pair": list[float],
    "at": Annotated[datetime, kw.Ttl()],
    "dollar": Annotated[str, Field(alias="usd")],
}


def codes(*indexes: Any, **options: Any) -> list[str]:
    return codes_of(stored_in(kw.Collection(shop, "things", id="{key}", indexes=list(indexes), **options), FIELDS))


@pytest.mark.parametrize(
    "index",
    [
        kw.Index(["word", "-number"], unique=True),
        kw.Index(["tags", "word"]),
        kw.Index(["tags", "word"], sparse=True, unique=True, collation=kw.Collation(locale="de")),
        kw.HashedIndex("word", sparse=True),
        kw.Index(["lines.sku", "lines.tags"]),
        kw.Index("word", where={"number": kw.AtLeast(3), "at": kw.Present()}),
        kw.Index(["key", "word"]),
        kw.Index("word", collation=kw.Collation(locale="de@collation=phonebook")),
        kw.TextIndex(["word", "tags"], weights={"word": 3}, language="german"),
        kw.GeoIndex("place"),
        kw.GeoIndex("pair"),
        kw.HashedIndex("word"),
        kw.WildcardIndex("by_shop"),
        kw.WildcardIndex("by_shop", before=["word", "-number"]),
        kw.WildcardIndex("*"),
    ],
)
def test_an_index_that_the_server_takes_is_legal(index: Any) -> None:
    assert codes(index) == []


@pytest.mark.parametrize(
    ("code", "index"),
    [
        ("MDB007", kw.Index(["tags", "ids"])),
        ("MDB007", kw.Index(["lines.tags", "lines.sizes"])),
        ("MDB007", kw.Index(["lines.sku", "tags"])),
        ("MDB011", kw.Index("word", where={"number": kw.Not(3)})),  # type: ignore[dict-item]  # what it refuses
        ("MDB011", kw.Index("word", any_of=[{"number": 3}])),
        ("MDB011", kw.Index("word", any_of=[{"number": 3}, {}])),
        (
            "MDB011",
            kw.Index(
                "word",
                where={"word": kw.Present()},
                any_of=[{"number": 3, "word": kw.AllOf([kw.OfType("string"), kw.OfType("date")])}, {"number": 4}],
            ),
        ),
        ("MDB101", kw.Index("key", where={"number": 3})),
        ("MDB101", kw.Index("-key", hidden=True)),
        ("MDB101", kw.Index("key", sparse=True)),
        ("MDB101", kw.Index("word", sparse=True, where={"number": 3})),
        ("MDB101", kw.HashedIndex("word", sparse=True, where={"number": 3})),
        ("MDB102", kw.HashedIndex("word", unique=True)),  # type: ignore[call-arg]  # what it refuses
        ("MDB105", kw.Index("key")),
        ("MDB105", kw.Index("at")),
        ("MDB105", kw.Index("at", name="mine")),
        ("MDB107", kw.Index([])),
        ("MDB107", kw.Index(["word", "-word"])),
        ("MDB107", kw.HashedIndex("tags")),
        ("MDB107", kw.GeoIndex("word")),
        ("MDB108", kw.WildcardIndex("by_shop", unique=True)),  # type: ignore[call-arg]  # what it refuses
        ("MDB108", kw.WildcardIndex("*", before="word")),
        ("MDB108", kw.WildcardIndex("lines", before="lines.sku")),
        ("MDB109", kw.Index("word", collation=kw.Collation(locale="klingon"))),
        ("MDB109", kw.Index("word", collation=kw.Collation(locale="li"))),
        ("MDB109", kw.Index("word", collation=kw.Collation(locale="da", strength=2))),
        ("MDB109", kw.Index("word", collation=kw.Collation(locale="fr_CA@collation=x", strength=1))),
        ("MDB109", kw.TextIndex("word", collation=kw.Collation(locale="en"))),  # type: ignore[call-arg]  # what it refuses
        ("E0503", kw.TextIndex("word", language="klingon")),
    ],
)
def test_an_index_that_the_server_refuses_is_not(code: str, index: Any) -> None:
    assert codes(index) == [code]


def test_two_text_indexes_are_one_too_many() -> None:
    assert codes(kw.TextIndex("word"), kw.TextIndex("dollar")) == ["MDB014"]


def test_two_indexes_with_the_same_keys_and_options_are_the_same() -> None:
    assert codes(kw.Index("word", name="one"), kw.Index("word", name="other")) == ["MDB105"]
    assert codes(kw.Index("word", name="one"), kw.Index("word", name="other", unique=True)) == []


def test_two_indexes_with_one_name_differ_in_nothing() -> None:
    (refusal,) = refusals_of(
        stored_in(kw.Collection(shop, "things", indexes=[kw.Index("word"), kw.Index("word", unique=True)]), FIELDS)
    )
    assert (refusal.problem, refusal.help) == (
        'two indexes with different options have the name "word_1"',
        "choose another name for one of them: name=",
    )


def test_a_collection_has_64_indexes_with_those_that_nobody_declares() -> None:
    many = [kw.Index("word", name=f"i{n}", where={"number": n}) for n in range(63)]
    assert codes(*many) == ["MDB103"]
    assert codes(*many[:62]) == []


def test_an_index_has_32_fields() -> None:
    fields = {f"f{n}": int for n in range(33)}
    assert codes_of(stored_in(kw.Collection(shop, "t", indexes=[kw.Index(list(fields))]), fields)) == ["MDB104"]
    assert codes_of(stored_in(kw.Collection(shop, "t", indexes=[kw.Index(list(fields)[:32])]), fields)) == []


@pytest.mark.parametrize(
    ("code", "index"),
    [
        ("GEN106", kw.Index("value", unique=True)),
        ("MDB109", kw.Index("source", where={"value": 1}, collation=kw.Collation(locale="en"))),
    ],
)
def test_an_index_of_a_time_series_may_have_less(code: str, index: Any) -> None:
    store = kw.TimeSeries(shop, "points", time="at", meta="source", indexes=[index])
    assert codes_of(stored_in(store, {"at": datetime, "source": str, "value": float})) == [code]


def test_a_refusal_stands_where_the_index_was_declared() -> None:
    index = kw.Index(["tags", "ids"])
    (refusal,) = refusals_of(stored_in(kw.Collection(shop, "things", indexes=[index]), FIELDS))
    assert refusal.at == index.at


@pytest.mark.parametrize("test", [None, kw.OneOf([None, 3]), kw.OfType("int"), kw.AllOf([kw.OfType("int")])])
def test_a_filter_of_a_time_series_tests_measured_values_as_buckets_allow(test: Any) -> None:
    def series(**where: Any) -> Any:
        index = kw.Index("number", where=where)
        return stored_in(kw.TimeSeries(shop, "readings", time="at", meta="word", indexes=[index]), fields)

    fields: dict[str, Any] = {"word": str | None, "number": int | None, "at": datetime}
    (refusal,) = refusals_of(series(number=test))
    assert (refusal.code, refusal.help) == ("MDB011", 'write where={"number": kw.Present()}')
    assert codes_of(series(number=kw.Present())) == codes_of(series(word=test)) == []
