"""What differs in a store of each engine, settings included, is left by the command that `drift` names."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.live.daily import Daily
from tests.live.test_accept import accepted_by, is_quiet
from tests.projects import with_imports

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.local import Running

pytestmark = pytest.mark.live

STACK = """\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb-local, protect: false, name-prefix: "{prefix}"}}
    cassandra: {{flavour: cassandra, keyspace-prefix: "{prefix}", datacentres: {{datacenter1: 1}}}}
    redis: {{flavour: redis}}
"""
MODELS = {
    "dynamodb": """
        shop = kw.DynamoTable("shop", gsis=[kw.Gsi("by_city", pk="city", sk="order_id")])

        class Order(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
            order_id: str
            city: str
    """,
    "cassandra": """
        visits = kw.Keyspace("visits")

        class Visit(BaseModel):
            __store__: ClassVar = kw.CqlTable(
                visits, "by_day", partition="day", clustering="-at", indexes=[kw.CqlIndex("page", using="legacy")]
            )
            day: str
            at: int
            page: str | None = None
    """,
    "redis": """
        carts = kw.RedisServer("carts", role="cache", eviction="allkeys-lfu")

        class Cart(BaseModel):
            __store__: ClassVar = kw.RedisHash(carts, key="cart:{cart_id}")
            cart_id: str
    """,
}


class World:
    """A project of one engine whose only migration is applied, and a client that a person would use."""

    def __init__(self, root: Path, engine: str, url: str) -> None:
        self.engine, self.project = engine, Daily(root, with_imports(MODELS[engine]), stack=STACK)
        self.client: Any = {"dynamodb": dynamodb.client, "cassandra": cassandra.client, "redis": Redis.from_url}[
            engine
        ](url)
        assert self.project("diff", "-m", "first").code == 0
        project = self.project("apply", "--local")
        assert project.code == 0, project

    def changes(self) -> list[str]:
        """Have a person change two things; the objects that differ then."""
        prefix = self.project.prefix
        match self.engine:
            case "dynamodb":
                table = f"{prefix}shop"
                drop = {"Delete": {"IndexName": "by_city"}}
                self.client.update_table(TableName=table, GlobalSecondaryIndexUpdates=[drop])
                while "GlobalSecondaryIndexes" in self.client.describe_table(TableName=table)["Table"]:
                    time.sleep(0.05)
                self.client.update_time_to_live(
                    TableName=table, TimeToLiveSpecification={"Enabled": True, "AttributeName": "gone"}
                )
                return ["dynamodb/shop/indexes"]
            case "cassandra":
                self.client.execute(f"ALTER TABLE {prefix}visits.by_day WITH gc_grace_seconds = 3600 AND comment = 'x'")
                self.client.execute(f"DROP INDEX {prefix}visits.by_day_page_idx")
                return ["cassandra/visits/indexes"]
            case _:
                self.client.config_set("maxmemory-policy", "noeviction")
                return ["redis/carts/settings/maxmemory-policy"]

    def close(self) -> None:
        match self.engine:
            case "dynamodb":
                self.client.close()
            case "cassandra":
                self.client.execute(f"DROP KEYSPACE IF EXISTS {self.project.prefix}visits")
                self.client.cluster.shutdown()
            case _:
                self.client.close()


@pytest.fixture(params=MODELS)
def world(
    request: pytest.FixtureRequest, tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    engine = request.param
    url = start(engine, "accepted" if engine == "redis" else "").url
    if engine == "dynamodb":
        url = url.replace("://", f"://accept{os.getpid()}@")
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    created = World(tmp_path / "project", engine, url)
    yield created
    created.close()


@pytest.mark.parametrize("world", ["dynamodb"], indirect=True)
def test_a_setting_of_the_environment_is_left_as_it_is(world: World) -> None:
    table = f"{world.project.prefix}shop"
    world.client.update_table(TableName=table, DeletionProtectionEnabled=True)
    said = world.project.keywright("drift", "--local")
    assert "migrate accept dynamodb/shop/settings/deletion_protection" in said.err, said
    assert world.project("plan", "--local").out.count("the protection of table") == 1
    assert {entry.code for entry in accepted_by(world.project, said)} == {0}
    is_quiet(world.project)
    assert world.client.describe_table(TableName=table)["Table"]["DeletionProtectionEnabled"] is True
    world.client.update_table(TableName=table, DeletionProtectionEnabled=False)


def test_what_a_person_changed_is_left_by_the_command_that_drift_names(world: World) -> None:
    project = world.project
    objects = world.changes()
    said = project.keywright("drift", "--local")
    assert said.code == 1, said
    for name in objects:
        assert f"keywright migrate accept {name}" in said.err, said
    assert project("apply", "--local").code == 4
    accepted = accepted_by(project, said)
    assert {entry.code for entry in accepted} == {0}, accepted
    is_quiet(project)
    for name in objects:
        assert project("accept", name, "--undo", "--reason", "over", "--local").code == 0
    assert project("apply", "--local").code == 4
