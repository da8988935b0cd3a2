"""Values of every type in every field, stored by plain clients: what is read and put back is what was stored."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from bson import Binary, Decimal128, Int64, ObjectId
from redis import Redis
from tests.live.daily import Daily
from tests.live.unfit import PARTS, STACK
from tests.projects import imported_alone, with_imports
from tests.servers import Start

from keywright import runtime
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb

pytestmark = pytest.mark.live

FIELDS = {
    "flag": "bool", "text": "str", "whole": "int", "real": "float", "exact": "Decimal", "day": "date", "raw": "bytes",
    "tags": "list[str]", "names": "set[str]", "numbers": "list[int]", "prices": "dict[str, int]", "part": "Part",
}  # fmt: skip

MODELS = """
    from decimal import Decimal

    place = PLACE

    class Part(BaseModel):
        name: str

    class Thing(BaseModel):
        __store__: ClassVar = STORE
        id: Annotated[str, Field(pattern="^[a-z]+$")]
        FIELDS

    thing = kw.Get(Thing, eq="id", rate="1/s")
    put_thing = kw.Put(Thing, rate="1/s")
"""
STORES = {
    "mongodb": ('kw.MongoDatabase("types")', 'kw.Collection(place, "things", id="{id}")'),
    "dynamodb": ('kw.DynamoTable("types")', 'kw.Item(place, pk="{id}", sk="THING")'),
    "redis hash": (
        'kw.RedisServer("types", role="primary")', 'kw.RedisHash(place, key="t:{id}", keep_forever="all of them")',
    ),
    "redis json": (
        'kw.RedisServer("types", role="primary")', 'kw.RedisString(place, key="t:{id}", keep_forever="all of them")',
    ),
    "redis document": (
        'kw.RedisServer("types", role="primary")', 'kw.RedisJson(place, key="t:{id}", keep_forever="all of them")',
    ),
}  # fmt: skip

Stored = tuple[Any, Callable[[str, Any], None], Callable[[str], Any]]
"""(client, store an item with one field, the value of a field of the stored item)."""

TEXTS = ("", "3", "x", "abc", "true", "1.5", "[1]", '["a"]', '{"a":1}', "2026-01-01", '{"name":"n"}')
PLAIN = (True, False, 0, 1, -1, 1.5, 2.0, 2**53 + 1, *TEXTS, [], [1], ["a"], [1.5], [True], {}, {"a": 1}, {"a": 1.5},
         {"name": "n"}, {"name": 1})  # fmt: skip
BSON = (Int64(4), Decimal128("1.5"), Decimal128("2"), ObjectId("5f" * 12), b"ab", Binary(b"ab", 5),
        datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, 5, tzinfo=UTC), Binary(b"\1" * 16, 4))  # fmt: skip
NATIVE = ({"N": "1.5"}, {"N": "2"}, {"BOOL": True}, {"B": b"ab"}, {"SS": ["a"]}, {"NS": ["1"]}, {"L": []},
          {"L": [{"S": "a"}]}, {"L": [{"N": "1"}]}, {"L": [{"N": "1.5"}]}, {"M": {}}, {"M": {"a": {"N": "1"}}},
          {"M": {"a": {"S": "1"}}}, {"M": {"name": {"S": "n"}}},
          *({"S": text} for text in TEXTS if text))  # fmt: skip
VALUES = {
    "mongodb": (*PLAIN, *BSON),
    "dynamodb": NATIVE,
    "redis hash": TEXTS,
    "redis json": PLAIN,
    "redis document": PLAIN,
}
"""By the way of storing them."""

REFUSED = {
    "mongodb": [("text", b"ab"), ("whole", 1.5), ("whole", "3"), ("whole", True), ("flag", 1), ("tags", "abc"),
                ("tags", {"a": 1}), ("part", "abc"), ("prices", {"a": 1.5}), ("day", BSON[7])],
    "dynamodb": [("names", {"S": "abc"}), ("names", {"L": [{"S": "a"}]}), ("whole", {"N": "1.5"})],
    "redis hash": [("flag", "3"), ("tags", '{"a":1}'), ("whole", "1.5")],
    "redis json": [("tags", "abc"), ("whole", "3"), ("flag", 1), ("part", "abc"), ("real", 2**53 + 1)],
    "redis document": [("tags", "abc"), ("whole", "3"), ("flag", 1), ("part", "abc"), ("real", 2**53 + 1)],
}  # fmt: skip
"""Of what must not be read, what a model would convert by itself."""


@contextmanager
def in_mongodb(url: str, prefix: str) -> Iterator[Stored]:
    with mongodb.client(url) as client:
        things = client[f"{prefix}types"]["things"]

        def store(field: str, value: Any) -> None:
            things.replace_one({"_id": "a"}, {field: value}, upsert=True, bypass_document_validation=True)

        yield client, store, lambda field: (things.find_one({"_id": "a"}) or {}).get(field)
        client.drop_database(f"{prefix}types")


@contextmanager
def in_dynamodb(url: str, prefix: str) -> Iterator[Stored]:
    client: Any = dynamodb.client(url)
    table, key = f"{prefix}types", {"pk": {"S": "a"}, "sk": {"S": "THING"}}

    def store(field: str, value: Any) -> None:
        client.put_item(TableName=table, Item={**key, "id": {"S": "a"}, field: value})

    yield client, store, lambda field: client.get_item(TableName=table, Key=key)["Item"].get(field)
    client.close()


@contextmanager
def in_hash(url: str, prefix: str) -> Iterator[Stored]:
    client = Redis.from_url(url)

    def store(field: str, value: Any) -> None:
        client.delete("t:a")
        client.hset("t:a", field, value)

    yield client, store, lambda field: client.hget("t:a", field).decode()  # type: ignore[union-attr]
    client.flushall()
    client.close()


@contextmanager
def in_json(url: str, prefix: str) -> Iterator[Stored]:
    client = Redis.from_url(url)
    yield (
        client,
        lambda field, value: client.set("t:a", json.dumps({field: value})),
        lambda field: json.loads(client.get("t:a"))[field],  # type: ignore[arg-type]
    )
    client.flushall()
    client.close()


@contextmanager
def in_document(url: str, prefix: str) -> Iterator[Stored]:
    client = Redis.from_url(url)
    yield (
        client,
        lambda field, value: client.execute_command("JSON.SET", "t:a", "$", json.dumps({field: value})),
        lambda field: json.loads(client.execute_command("JSON.GET", "t:a"))[field],
    )
    client.flushall()
    client.close()


WAYS = {"mongodb": in_mongodb, "dynamodb": in_dynamodb, "redis hash": in_hash, "redis json": in_json,
        "redis document": in_document}  # fmt: skip


def alike(value: Any) -> Any:
    """A value in a form in which those of one meaning are equal, and a truth value equals no number."""
    match value:
        case bool() | None:
            return (type(value), value)
        case int() | float():
            return Decimal(repr(value))
        case Decimal128():
            return value.to_decimal()
        case datetime():
            return value.replace(tzinfo=UTC)
        case list():
            return [alike(inner) for inner in value]
        case dict():
            return {name: alike(inner) for name, inner in value.items()}
    return value


def as_text(value: str) -> Any:
    """The same of a text of Redis."""
    try:
        return alike(json.loads(value, parse_float=Decimal))
    except ValueError:
        return value


SAME: dict[tuple[str, str], Callable[[Any], Any]] = {
    (way, "exact"): lambda value: Decimal(str(value)) for way in ("redis json", "redis document")
}
"""Where another form has the same meaning: a decimal is written as text, and others write a number."""


@pytest.mark.parametrize("way", WAYS)
def test_what_is_read_and_put_back_is_what_was_stored(
    way: str, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = way.partition(" ")[0]
    product = "redis-stack" if way == "redis document" else ""
    url = start(engine, "types" if engine == "redis" else "", product=product).url
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    place, store_words = STORES[way]
    fields = "\n        ".join(f"{name}: {kind} | None = None" for name, kind in FIELDS.items())
    text = MODELS.replace("PLACE", place).replace("STORE", store_words).replace("FIELDS", fields)
    project = Daily(
        tmp_path / "project",
        with_imports(text),
        stack=STACK.replace("{part}", PARTS[engine].replace("valkey", product or "valkey")),
    )
    said = project.keywright("apply", "--local")
    assert said.code == 0, said
    refused, read = [], []
    with WAYS[way](url, project.prefix) as (client, store, stored), imported_alone(project.root):
        sys.path.insert(0, str(project.root))
        models = import_module("models.library")
        db = runtime.open(models, environment="dev", **{engine: client})
        for field in FIELDS:
            for value in VALUES[way]:
                store(field, value)
                before = stored(field)
                try:
                    thing = models.thing(db, id="a")
                except runtime.InvalidItem:
                    refused.append((field, value))
                    assert stored(field) == before
                    continue
                read.append((field, value))
                models.put_thing(db, thing)
                same = SAME.get((way, field), as_text if way == "redis hash" else alike)
                assert same(stored(field)) == same(before), (field, value)
    for each in REFUSED[way]:
        assert each in refused, each
    assert {field for field, _ in read} == set(FIELDS)
