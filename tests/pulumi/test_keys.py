"""Keys that change in development, under the real command line: refused while items are under the former ones."""

import json
from typing import Any

import pytest
import redis
from tests.pulumi.test_stores import cql
from tests.pulumi.world import World

pytestmark = pytest.mark.live

CHANGES = [
    ("models/telemetry.py", 'pk="SENSOR#', 'pk="DEVICE#', "devices/DeviceReading/pk"),
    ("models/telemetry.py", 'id="{sensor_id}_{start:hour}"', 'id="{start:hour}_{sensor_id}"', "plant/SensorHour/id"),
    ("models/telemetry.py", '"shard": "{event_id:shard(4)}"', '"shard": "{event_id:shard(8)}"', "metrics/AuditEvent"),
    ("models/sessions.py", 'key="session:{token}"', 'key="login:{token}"', "sessions/Session/key"),
]
"""A file, what it has, what it gets, and the object of the finding."""


def fill(world: World, mongodb: Any) -> None:
    """Store an item under each key as it is after the changes."""
    item = {"pk": "DEVICE#a#2026-11-22", "sk": "2026-11-22T00:00:00Z", "entity_type": "DeviceReading"}
    world.dynamodb.put_item(TableName="dev-devices", Item={name: {"S": value} for name, value in item.items()})
    hour = {"_id": "2026-11-22T10_a", "sensor_id": "a"}
    mongodb.dev_plant.get_collection("sensor_hours").insert_one(hour, bypass_document_validation=True)
    row = "('a', '2026-11-22', '1', '2026-11-22', 'e')"
    cql(
        world.addresses["CASSANDRA"],
        f"INSERT INTO dev_metrics.audit_events (tenant, day, shard, at, event_id) VALUES {row}",
    )
    with redis.Redis.from_url(world.addresses["REDIS_SESSIONS"]) as client:
        client.hset("login:t", "user_id", "a")


def kept(world: World) -> dict[str, Any]:
    """What the state has, without times."""
    document = json.loads(world.pulumi("stack", "export", "-s", "dev").text)
    return {resource["urn"]: resource.get("inputs") for resource in document["deployment"]["resources"]}


def test_a_changed_key_stops_the_stack_before_anything_is_done_while_items_are_there(dev: World, mongodb: Any) -> None:
    dev.up("dev")
    for file, old, new, _ in CHANGES:  # without items, keys may change
        dev.edit(file, old, new)
    steps = dev.preview("dev")
    assert {step["urn"].split("::")[-2].split("$")[-1] for step in steps} == {"keywright:migrations:Keys"}
    dev.up("dev")
    fill(dev, mongodb)
    before = kept(dev)
    dev.edit(
        "models/telemetry.py",
        'indexes=[kw.Index(["sensor_id", "-start"])',
        'indexes=[kw.Index("count"), kw.Index(["sensor_id", "-start"])',
    )
    for file, old, new, object in CHANGES:
        dev.edit(file, new, old)
        said = dev.pulumi("preview", "-s", "dev")
        assert said.code != 0
        assert f'has a problem: RB101: "{object}' in said.text
        assert "under the former key, which would become unreachable; declare generation= and rebuild=" in said.text
        assert "Traceback" not in said.text
        dev.edit(file, old, new)
    for file, old, new, _ in CHANGES:
        dev.edit(file, new, old)
    objects = ",".join(object for _, _, _, object in CHANGES)
    said = dev.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
    assert said.code != 0
    assert kept(dev) == before
    assert "count_1" not in mongodb.dev_plant.sensor_hours.index_information()

    dev.up("dev", KEYWRIGHT_ALLOW=objects)
    dev.up("dev", "--expect-no-changes")
    assert "count_1" in mongodb.dev_plant.sensor_hours.index_information()


RENAMED = 'kw.DynamoTable("devices"', 'kw.DynamoTable("gauges"'
RAISED = RENAMED[0], f"{RENAMED[0]}, generation=2, rebuild=kw.Rebuild(from_generation=1)"
MOVES = [
    ("models/telemetry.py", *RAISED, "devices"),
    ("models/telemetry.py", *RENAMED, "devices"),
    ("models/content.py", '"authors", id=', '"writers", id=', "content/authors"),
    ("models/telemetry.py", '"audit_events"', '"audits"', "metrics/audit_events"),
]
"""A file, what it has, what it gets, and the table or collection that leaves the models."""


def test_a_table_that_leaves_the_models_stops_the_stack_while_it_holds_items(dev: World, mongodb: Any) -> None:
    dev.up("dev")
    fill(dev, mongodb)
    mongodb.dev_content.authors.insert_one({"_id": "a", "name": "a"}, bypass_document_validation=True)
    before = kept(dev)
    for file, old, new, object in MOVES:
        dev.edit(file, old, new)
        said = dev.pulumi("preview", "-s", "dev")
        assert said.code != 0, said.text
        assert f'has a problem: BC101: "{object.split("/")[-1]}" is removed from the models, and' in said.text, (
            said.text
        )
        assert f"`KEYWRIGHT_ALLOW={object} pulumi up`" in said.text
        assert "Traceback" not in said.text
        dev.edit(file, new, old)
    for file, old, new, _ in MOVES[1:]:
        dev.edit(file, old, new)
    said = dev.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
    assert said.code != 0
    assert kept(dev) == before
    assert mongodb.dev_content.authors.count_documents({}) == 1

    dev.up("dev", KEYWRIGHT_ALLOW=",".join(object for *_, object in MOVES[1:]))
    assert "dev-gauges" in dev.dynamodb.list_tables()["TableNames"]
    assert "dev-devices" not in dev.dynamodb.list_tables()["TableNames"]
    assert "authors" not in mongodb.dev_content.list_collection_names()
    dev.up("dev", "--expect-no-changes")
