"""`Size` of a list, map or embedded model is the size of the whole value, in the figures of every engine."""

from typing import Annotated, Any, ClassVar

import pytest
from pydantic import BaseModel, Field
from tests.engines.cassandra.designs import a_table
from tests.engines.cassandra.planning import placed
from tests.engines.dynamodb.planning import plans
from tests.engines.mongodb.designs import binding_of, database_of, shop, stored_in

import keywright as kw
from keywright.access.cost import Band
from keywright.access.extent import sized
from keywright.engines.cassandra.access.layout import layout
from keywright.engines.cassandra.access.size import part_bytes
from keywright.engines.dynamodb.access.cost.size import item_bytes
from keywright.engines.dynamodb.access.layout import entity_of
from keywright.engines.mongodb.access.layout import view
from keywright.engines.mongodb.access.size import document_bytes
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.redis.access.wire import value_bytes
from keywright.ir.attribute import Facts, Many, Scalar

COMPUTED = Band(3, 500, 9_000, frozenset(("something",)))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (Facts(), COMPUTED),
        (Facts(average_bytes=80), Band(3, 80, 9_000)),
        (Facts(average_bytes=80, max_bytes=600), Band(3, 80, 600)),
        (Facts(average_bytes=1, max_bytes=2), Band(3, 3, 3)),
        (Facts(average_bytes=80, max_bytes=60_000), Band(3, 80, 9_000)),
    ],
)
def test_a_declared_size_narrows_what_the_parts_say(facts: Facts, expected: Band) -> None:
    assert sized(Many("list", Scalar("string"), facts=facts), COMPUTED) == expected


def test_a_list_without_a_bound_has_its_declared_size() -> None:
    kind = Many("list", Scalar("string"), facts=Facts(average_bytes=80, max_bytes=600))
    assert (value_bytes(kind, "T.f").expected, value_bytes(kind, "T.f").high) == (80, 600)


LINES = Annotated[list[Annotated[str, Field(max_length=50)]], Field(max_length=40), kw.Size(avg=180, max=900)]
FREE = Annotated[list[Annotated[str, Field(max_length=50)]], Field(max_length=40)]

table = kw.DynamoTable("things")


class Sized(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="SIZED#{key}", sk="A")
    key: Annotated[str, kw.Size(avg=5, max=5)]
    lines: LINES


class Free(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="FREE#{key}", sk="A")
    key: Annotated[str, kw.Size(avg=5, max=5)]
    lines: FREE


MADE = plans(table=table, Sized=Sized, Free=Free)


def dynamodb(name: str) -> Band:
    entity = entity_of(MADE.tables["things"], MADE.bindings[name])
    assert entity is not None
    return item_bytes(entity)


def mongodb(kind: Any) -> Band:
    model = stored_in(kw.Collection(shop, "things"), {"lines": kind})
    document = view(ENGINE.place(database_of(model), ENGINE.localise(None, "6.0")), binding_of(model))
    assert document is not None
    return document_bytes(document)


def cassandra(kind: Any) -> Band:
    row = a_table("t", {"lines": kind}, frozen="lines")
    known = layout(placed(row), row)
    assert known is not None
    return part_bytes(known, known.parts["lines"], "T")


@pytest.mark.parametrize(
    ("given", "free"),
    [(dynamodb("Sized"), dynamodb("Free")), (mongodb(LINES), mongodb(FREE)), (cassandra(LINES), cassandra(FREE))],
    ids=["dynamodb", "mongodb", "cassandra"],
)
def test_an_item_has_the_declared_size_of_its_list(given: Band, free: Band) -> None:
    assert given.expected is not None
    assert free.expected is not None
    assert 180 < given.expected < 260 < free.expected
    assert given.high is not None
    assert free.high is not None
    assert given.high < 1_000 < free.high
