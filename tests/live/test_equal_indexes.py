"""An index that somebody made by hand, equal to one that is declared later under another name, on real servers."""

import json
import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import Daily
from tests.live.unfit import PARTS, STACK
from tests.projects import with_imports
from tests.servers import Start

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb

pytestmark = pytest.mark.live

MODELS = {
    "dynamodb": (
        """
    shop = kw.DynamoTable("shop", gsis=[INDEX])

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
        city: str
    """,
        'kw.Gsi("by_city", pk="city")',
    ),
    "mongodb": (
        """
    shop = kw.MongoDatabase("shop")

    class Order(BaseModel):
        __store__: ClassVar = kw.Collection(shop, "orders", id="{order_id}", indexes=[INDEX])
        order_id: str
        city: str
    """,
        'kw.Index("city", name="by_city")',
    ),
    "cassandra": (
        """
    shop = kw.Keyspace("shop")

    class Order(BaseModel):
        __store__: ClassVar = kw.CqlTable(shop, "orders", partition="order_id", indexes=[INDEX])
        order_id: str
        city: str
    """,
        'kw.CqlIndex("city", name="by_city")',
    ),
}
OBJECT = {
    "dynamodb": "dynamodb/shop/indexes/of_a_dba",
    "mongodb": "mongodb/shop/indexes/orders/of_a_dba",
    "cassandra": "cassandra/shop/indexes/of_a_dba",
}


def models(engine: str, name: str = "") -> str:
    text, index = MODELS[engine]
    return with_imports(text.replace("INDEX", index.replace("by_city", name) if name else ""))


class Hand:
    """A plain client, and the indexes that are there."""

    def __init__(self, engine: str, url: str, prefix: str) -> None:
        self.engine, self.name = engine, f"{prefix}shop"
        self.client: Any = {"dynamodb": dynamodb, "mongodb": mongodb, "cassandra": cassandra}[engine].client(url)

    def makes_an_index(self) -> None:
        match self.engine:
            case "dynamodb":
                index = {
                    "IndexName": "of_a_dba", "KeySchema": [{"AttributeName": "city", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"},
                }  # fmt: skip
                self.client.update_table(
                    TableName=self.name,
                    AttributeDefinitions=[{"AttributeName": "city", "AttributeType": "S"}],
                    GlobalSecondaryIndexUpdates=[{"Create": index}],
                )
                while any(status != "ACTIVE" for status in self.statuses()):
                    time.sleep(0.05)
            case "mongodb":
                self.client[self.name]["orders"].create_index("city", name="of_a_dba")
            case _:
                self.client.execute(
                    f"CREATE CUSTOM INDEX of_a_dba ON {self.name}.orders (city) USING 'StorageAttachedIndex'"
                )

    def statuses(self) -> list[str]:
        table = self.client.describe_table(TableName=self.name)["Table"]
        return [index["IndexStatus"] for index in table["GlobalSecondaryIndexes"]]

    def indexes(self) -> set[str]:
        match self.engine:
            case "dynamodb":
                table = self.client.describe_table(TableName=self.name)["Table"]
                return {entry["IndexName"] for entry in table.get("GlobalSecondaryIndexes", ())}
            case "mongodb":
                return set(self.client[self.name]["orders"].index_information()) - {"_id_"}
            case _:
                query = f"SELECT index_name FROM system_schema.indexes WHERE keyspace_name = '{self.name}'"
                return {row.index_name for row in self.client.execute(query)}

    def close(self) -> None:
        match self.engine:
            case "mongodb":
                self.client.drop_database(self.name)
                self.client.close()
            case "cassandra":
                self.client.execute(f"DROP KEYSPACE IF EXISTS {self.name}")
                self.client.cluster.shutdown()
            case _:
                self.client.close()


@pytest.fixture(params=MODELS)
def shop(
    request: Any, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, Daily, Hand]]:
    """A project at its first version, to whose table somebody has added an index."""
    engine = request.param
    url = start(engine).url
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    daily = Daily(tmp_path / "project", models(engine), stack=STACK.replace("{part}", PARTS[engine]))
    for words in (("diff", "-m", "first"), ("apply", "--local")):
        said = daily(*words)
        assert said.code == 0, said
    hand = Hand(engine, url, daily.prefix)
    hand.makes_an_index()
    yield engine, daily, hand
    hand.close()


def declared(daily: Daily, engine: str, name: str = "by_city") -> None:
    daily.becomes(models(engine, name))
    said = daily("diff", "-m", "by city")
    assert said.code == 0, said


def test_a_plan_names_the_index_that_is_there_and_its_way_out_builds_nothing(shop: tuple[str, Daily, Hand]) -> None:
    engine, daily, hand = shop
    declared(daily, engine)
    output = daily("plan", "--local").out
    assert 'the same index exists unmanaged, as "of_a_dba": declare it with that name' in output
    steps = json.loads(daily("plan", "--local", "--format", "json").out)["steps"]
    assert [step.get("equal") for step in steps if step["op"] == "alter"] == ["of_a_dba"]
    daily.becomes(models(engine, "of_a_dba"))
    said = daily("diff", "--amend")
    assert said.code == 0, said
    assert "the same index" not in daily("plan", "--local").out
    said = daily("apply", "--local")
    assert said.code == 0, said
    assert hand.indexes() == {"of_a_dba"}
    assert daily.keywright("drift", "--local").out == "every store matches its history\n"


def test_who_applies_all_the_same_is_told_of_both_or_stopped_and_can_still_adopt_it(
    shop: tuple[str, Daily, Hand],
) -> None:
    engine, daily, hand = shop
    declared(daily, engine)
    said = daily("apply", "--local")
    if engine == "dynamodb":  # which takes a second one, and its price
        assert said.code == 0
        assert hand.indexes() == {"by_city", "of_a_dba"}
        output = daily.keywright("drift", "--local").out
        assert output.endswith(":\n  dynamodb/shop/indexes/of_a_dba, equal to by_city\n")
        return
    assert said.code == 5
    assert hand.indexes() == {"of_a_dba"}
    output = 'the same index exists unmanaged, as "of_a_dba": declare it with that name'
    assert output in daily("plan", "--local").out
    assert output in said.err
    daily.becomes(models(engine, "of_a_dba"))
    for command in re.findall("`keywright migrate ([^`]+)`", said.err):
        asks_a_store = () if "diff" in command else ("--local",)
        done = daily(*shlex.split(command.replace("TEXT", "because")), *asks_a_store)
        assert done.code == 0, done
    assert hand.indexes() == {"of_a_dba"}
    assert daily.keywright("drift", "--local").out == "every store matches its history\n"


def test_an_index_that_only_resembles_the_declared_one_is_not_taken_for_it(shop: tuple[str, Daily, Hand]) -> None:
    engine, daily, hand = shop
    other = {
        "dynamodb": 'kw.Gsi("by_city", pk="city", project="keys")',
        "mongodb": 'kw.Index("-city", name="by_city")',
        "cassandra": 'kw.CqlIndex("city", name="by_city", case_sensitive=False)',
    }
    daily.becomes(with_imports(MODELS[engine][0].replace("INDEX", other[engine])))
    said = daily("diff", "-m", "by city")
    assert said.code == 0, said
    plan, applied = daily("plan", "--local").out, daily("apply", "--local")
    assert "the same index" not in plan
    if engine != "cassandra":
        assert (applied.code, hand.indexes()) == (0, {"by_city", "of_a_dba"})
        return
    output = 'the unmanaged index "of_a_dba" conflicts with it: drop that index'
    assert output in plan
    assert (applied.code, f"help: {output}, and run the same command again" in applied.err) == (5, True)
    hand.client.execute(f"DROP INDEX {hand.name}.of_a_dba")
    assert daily("apply", "--local").code == 0
    assert hand.indexes() == {"by_city"}


def test_an_index_of_mongodb_that_expires_otherwise_is_in_the_way(shop: tuple[str, Daily, Hand]) -> None:
    engine, daily, hand = shop
    if engine != "mongodb":
        return
    hand.client[hand.name]["orders"].drop_index("of_a_dba")
    hand.client[hand.name]["orders"].create_index("city", name="of_a_dba", expireAfterSeconds=10**9)
    declared(daily, engine)
    output = 'the unmanaged index "of_a_dba" conflicts with it: drop that index'
    assert output in daily("plan", "--local").out
    said = daily("apply", "--local")
    assert (said.code, output in said.err) == (5, True)
    hand.client[hand.name]["orders"].drop_index("of_a_dba")
    assert daily("apply", "--local").code == 0
    assert hand.indexes() == {"by_city"}


@pytest.mark.parametrize("engine", ["cassandra"])
def test_a_renamed_index_goes_before_the_new_one_where_both_cannot_be(
    engine: str, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start(engine).url
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    daily = Daily(tmp_path / "project", models(engine, "by_city"), stack=STACK.replace("{part}", PARTS[engine]))
    hand = Hand(engine, url, daily.prefix)
    for words in (("diff", "-m", "first"), ("apply", "--local")):
        assert daily(*words).code == 0
    index = 'kw.CqlIndex("city", name="of_cities", case_sensitive=False)'
    daily.becomes(with_imports(MODELS[engine][0].replace("INDEX", index)))
    assert daily("diff", "-m", "by city").code == 0
    said = daily("apply", "--local", "--ack", "0002/10")
    assert said.code == 0, said
    assert hand.indexes() == {"of_cities"}
    hand.close()
