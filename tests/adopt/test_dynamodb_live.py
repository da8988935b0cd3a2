"""Tables that plain clients made, adopted from DynamoDB Local."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law

from keywright.api.adopt.sources import from_address
from keywright.drivers.dynamodb.driver import connect
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.registry import engine_named
from keywright.local import Running
from keywright.project.environments.environment import Environment

pytestmark = pytest.mark.live

PREFIX = "adopted-"
ENGINE = engine_named("dynamodb")
PART = DynamoEnvironment(flavour="dynamodb-local", name_prefix=PREFIX, protect=False)
ENVIRONMENT = Environment("dev", engines={"dynamodb": PART})
STACK = f"""\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb-local, name-prefix: "{PREFIX}", protect: false}}
"""
ALL = {"ProjectionType": "ALL"}
Key = tuple[tuple[str, str, str], ...]


def text(value: object) -> dict[str, str]:
    return {"S": str(value)}


def number(value: object) -> dict[str, str]:
    return {"N": str(value)}


def create(client: Any, name: str, key: Key, indexes: dict[str, tuple[Key, Any]] | None = None, **options: Any) -> None:
    """A table; an index whose partition key is that of the table is a local one if it has `local` in its name."""
    parts = {part[0]: part[1] for part in (*key, *(part for index in (indexes or {}).values() for part in index[0]))}
    described = {
        index: {
            "IndexName": index,
            "KeySchema": [{"AttributeName": attribute, "KeyType": role} for attribute, _, role in index_key],
            "Projection": projection,
        }
        for index, (index_key, projection) in (indexes or {}).items()
    }
    kinds = {
        "LocalSecondaryIndexes": [index for name, index in described.items() if "local" in name],
        "GlobalSecondaryIndexes": [index for name, index in described.items() if "local" not in name],
    }
    client.create_table(
        TableName=PREFIX + name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": attribute, "KeyType": role} for attribute, _, role in key],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": type} for name, type in parts.items()],
        **{kind: indexes for kind, indexes in kinds.items() if indexes},
        **options,
    )


def fill_single_table(client: Any, name: str) -> None:
    """Five entities, told apart by their keys."""
    create(
        client, name, (("pk", "S", "HASH"), ("sk", "S", "RANGE")),
        {"gsi1": ((("gsi1pk", "S", "HASH"), ("gsi1sk", "S", "RANGE")), ALL)},
    )  # fmt: skip
    items: list[dict[str, Any]] = []
    for user in range(12):
        own = {"pk": text(f"USER#u{user}"), "user_id": text(f"u{user}")}
        email = f"u{user}@example.org"
        items.append(
            own | {"sk": text("PROFILE"), "email": text(email), "gsi1pk": text(f"EMAIL#{email}"),
                   "gsi1sk": text("USER"), "age": number(user), "address": {"M": {"city": text("x")}}}
        )  # fmt: skip
        items.append(own | {"sk": text("SETTINGS"), "theme": text("dark"), "flags": {"SS": ["a", "b"]}})
        for order in range(3):
            at = f"2026-01-{order + 1:02}T00:00:00.000000Z"
            items.append(
                own | {"sk": text(f"ORDER#{at}#o{user}-{order}"), "order_id": text(f"o{user}-{order}"), "at": text(at),
                       "gsi1pk": text(f"ORDER#o{user}-{order}"), "gsi1sk": text("ORDER"), "total": number("1.5")}
            )  # fmt: skip
            items.append(own | {"sk": text(f"VISIT#{order:06}"), "visit": number(order), "note": {"NULL": True}})
    days = [f"2026-01-0{day}" for day in range(1, 5)]
    items += ({"pk": text(f"DAY#{day}"), "sk": text("TOTAL"), "day": text(day), "orders": number(1)} for day in days)
    for item in items:
        client.put_item(TableName=PREFIX + name, Item=item)


def fill_typed_table(client: Any) -> None:
    """Two entities, told apart by an attribute."""
    create(client, "typed", (("PK", "S", "HASH"), ("SK", "S", "RANGE")))
    for tenant in range(20):
        own = {"PK": text(f"T#{tenant}"), "tenantId": text(tenant)}
        client.put_item(
            TableName=f"{PREFIX}typed", Item=own | {"SK": text("A"), "type": text("Tenant"), "plan": text("x")}
        )
        project = {"SK": text(f"P#{tenant * 7}"), "type": text("Project"), "projectId": text(tenant * 7)}
        client.put_item(TableName=f"{PREFIX}typed", Item=own | project)


def fill_plain_tables(client: Any) -> None:
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    create(
        client, "sessions", (("id", "S", "HASH"),),
        {"by_user": ((("userId", "S", "HASH"), ("at", "N", "RANGE")), {"ProjectionType": "KEYS_ONLY"}),
         "by_kind": ((("kind", "S", "HASH"),), {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["userId", "data"]})},
        StreamSpecification=stream,
    )  # fmt: skip
    expiry = {"Enabled": True, "AttributeName": "expires"}
    client.update_time_to_live(TableName=f"{PREFIX}sessions", TimeToLiveSpecification=expiry)
    for session in range(40):
        flag = {"flag": {"BOOL": True}} if session % 4 == 0 else {}
        client.put_item(
            TableName=f"{PREFIX}sessions",
            Item={"id": text(session), "userId": text(session % 5), "at": number(session), "kind": text("web"),
                  "data": {"M": {"a": text("x")}}, "expires": number(4_000_000_000 + session), "class": text("c"),
                  "mixed": number(1) if session % 2 else text("one"), **flag},
        )  # fmt: skip
    create(
        client, "empty", (("a", "S", "HASH"), ("b", "B", "RANGE")),
        {"local_c": ((("a", "S", "HASH"), ("c", "N", "RANGE")), ALL)},
    )  # fmt: skip
    for number_ in range(6):
        create(client, f"plain{number_}", (("id", "N" if number_ % 2 else "S", "HASH"),))


@pytest.fixture(scope="module")
def address(start: Callable[..., Running]) -> Iterator[str]:
    running = start("dynamodb")
    driver = connect(running.url)
    client: Any = driver.observe().client
    for name in ("app", "shop", "games"):
        fill_single_table(client, name)
    fill_typed_table(client)
    fill_plain_tables(client)
    yield running.url
    driver.drop([name for name in driver.names() if name.startswith(PREFIX) and not name.endswith("kw-history")])
    driver.close()


def keywright(folder: Path, address: str, *words: str) -> str:
    environment = {**os.environ, "KEYWRIGHT_STORE_DYNAMODB": address, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "keywright", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_table_is_expressed(address: str, tmp_path: Path) -> None:
    driver = connect(address)
    targets = [target for target in from_address(address, ENVIRONMENT) if f"{PREFIX}{target.name}" in driver.names()]
    assert len(targets) == 12
    for target in targets:
        physical = PREFIX + target.name
        live = ENGINE.unplace(ENGINE.parse(driver.introspect([physical])[physical] or {}), PART)
        assert not target.adopted.not_expressed
        assert_law(ENGINE, live, target.adopted, PART)
        assert_is_as_a_person_writes(target.adopted, tmp_path)
    driver.close()
    app = next(target.adopted.design for target in targets if target.name == "app")
    assert [(binding.name, binding.spec.pk, binding.spec.sk) for binding in app.bindings] == [
        ("Total", "DAY#{day}", "TOTAL"),
        ("Order", "USER#{user_id}", "ORDER#{at:iso}#{order_id}"),
        ("Profile", "USER#{user_id}", "PROFILE"),
        ("Settings", "USER#{user_id}", "SETTINGS"),
        ("Visit", "USER#{user_id}", "VISIT#{visit:pad(6)}"),
    ]


def test_the_first_migration_is_empty_and_the_stored_items_decode(address: str, tmp_path: Path) -> None:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks" / "Pulumi.dev.yaml").write_text(STACK)
    (tmp_path / "pyproject.toml").write_text('[tool.keywright]\nmodels = ["models"]\n')
    keywright(tmp_path, address, "adopt", address)
    assert "127.0.0.1" not in "".join(path.read_text() for path in tmp_path.rglob("*.py"))
    keywright(tmp_path, address, "compile")
    keywright(tmp_path, address, "--env", "dev", "migrate", "baseline", "--from", "live")
    assert "no difference" in keywright(tmp_path, address, "migrate", "diff", "-m", "next")
    assert "every store matches" in keywright(tmp_path, address, "--env", "dev", "drift")
    assert "0 new entities" in keywright(tmp_path, address, "adopt", address)
    live = keywright(tmp_path, address, "--env", "dev", "check", "--live", "--format", "json")
    assert "GEN019" not in {finding["code"] for finding in json.loads(live)["findings"]}
