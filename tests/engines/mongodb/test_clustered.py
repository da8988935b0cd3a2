"""Clustered collections: documents in the order of `_id`, without an index on it."""

from datetime import datetime, timedelta
from typing import Annotated, Any

import pytest
from tests.engines.mongodb.designs import SIX, codes_of, collection_of, database_of, design_of, shop, stored_in
from tests.engines.mongodb.patterned import verdict

import keywright as kw
from keywright.access.search import Planned, plan
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.codec import describe_collection

FIELDS: dict[str, Any] = {"at": Annotated[datetime, kw.Ttl(after=timedelta(days=9))], "city": str}


def days(**options: Any) -> Any:
    return stored_in(kw.Collection(shop, "days", id="{at}", validation="off", **options), FIELDS)


def planned(**read: Any) -> Planned[Any]:
    model = days(clustered="by time")
    design = design_of(model, kw.Read(model, **read))
    (declared,), (binding,), (pattern,) = ENGINE.lower(design), design.bindings, design.patterns
    return plan(ENGINE, ENGINE.place(declared, SIX), binding, pattern)


def test_documents_expire_by_the_time_that_is_their_id() -> None:
    collection = collection_of(days(clustered=True))
    assert describe_collection(collection) == {
        "clusteredIndex": {"key": {"_id": 1}, "name": "_id_", "unique": True},
        "expireAfterSeconds": 9 * 86_400,
    }
    assert collection.indexes == ()


def test_only_a_clustered_collection_expires_by_its_id() -> None:
    assert codes_of(days(clustered=True)) == []
    assert codes_of(days()) == ["MDB013"]
    assert codes_of(days(clustered="")) == ["E0503", "MDB013"]
    assert codes_of(days(clustered=True, settings={"capped": True, "size": 256})) == ["GEN106", "MDB013"]


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ({"eq": "at"}, "table days"),
        ({"range": "at", "order": "-at", "limit": 9}, "table days index"),
        (
            {"one_of": "at", "limit": 9},
            '"days" is clustered: it serves one value or range of "_id", not several or all',
        ),
        ({"order": "at", "limit": 9}, '"days" is clustered: it serves one value or range of "_id", not several or all'),
    ],
)
def test_one_value_or_range_of_the_id_is_served(read: dict[str, Any], expected: str) -> None:
    assert verdict(planned(**read)) == expected


def test_a_read_names_the_clustered_index() -> None:
    call: Any = planned(range="at", limit=9).access_path.call
    assert call.selection.hint == "by time"


def test_a_server_has_clustered_collections_from_a_version_on() -> None:
    database = database_of(days(clustered=True))
    for flavour, version, count in (("mongodb", "5.0", 1), ("mongodb", "6.0", 0), ("documentdb", "8.0", 1)):
        part = MongoEnvironment(flavour=flavour, version=version)  # type: ignore[arg-type]  # they are flavours
        problems = [refusal.problem for refusal in ENGINE.refuse(ENGINE.place(database, part), part)]
        assert len(problems) == count
        assert all("clustered collections" in problem for problem in problems)
