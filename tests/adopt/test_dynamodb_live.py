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
from tests.adopt.stores import ALL, create, fill_dynamodb, text

from keywright.api.adopt.sources import from_address
from keywright.drivers.dynamodb.driver import connect
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.registry import engine_named
from keywright.local import Running
from keywright.project.environments.environment import Environment
from keywright.record import replace

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


@pytest.fixture(scope="module")
def address(start: Callable[..., Running]) -> Iterator[str]:
    running = start("dynamodb")
    driver = connect(running.url)
    client: Any = driver.observe().client
    fill_dynamodb(client, PREFIX)
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
    (tmp_path / "other").mkdir()
    everything = json.loads(keywright(tmp_path / "other", address, "adopt", address, "--format", "json"))
    assert not [file for file in everything["files"] if "history" in file], "of another prefix"
    assert "0 new entities" in keywright(tmp_path, address, "adopt", address)
    live = keywright(tmp_path, address, "--env", "dev", "check", "--live", "--format", "json")
    assert "GEN019" not in {finding["code"] for finding in json.loads(live)["findings"]}


def test_a_table_with_few_leftover_items_is_divided_and_stays_as_it_is(address: str, tmp_path: Path) -> None:
    driver, part = connect(address), replace(PART, name_prefix="remains-")
    client: Any = driver.observe().client
    key, index = ((("PK", "S", "HASH"), ("SK", "S", "RANGE")), (("GSI1PK", "S", "HASH"), ("GSI1SK", "S", "RANGE")))
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    create(client, "remains-rental", key, {"GSI1": (index, ALL)}, StreamSpecification=stream)
    items = [
        item
        for n in range(120)
        for item in (
            {"PK": f"CUST#C{n}", "SK": "PROFILE", "type": "Customer", "customerId": f"C{n}", "name": "x"},
            {"PK": f"TOOL#T-{n}", "SK": "META", "type": "Tool", "toolId": f"T-{n}", "storeNo": f"{n:03}",
             "GSI1PK": "MODEL#m", "model": "m", "GSI1SK": f"STORE#{n:03}#TOOL#T-{n}"},
        )
    ]  # fmt: skip
    items += [{"PK": f"CUST#C{n}", "SK": "#META", "customer_id": f"C{n}"} for n in range(4)]
    for item in items:
        client.put_item(TableName="remains-rental", Item={name: text(value) for name, value in item.items()})
    targets = from_address(address, Environment("dev", engines={"dynamodb": part}))
    adopted = next(target.adopted for target in targets if target.name == "rental")
    physical = "remains-rental"
    live = ENGINE.unplace(ENGINE.parse(driver.introspect([physical])[physical] or {}), part)
    driver.drop([physical])
    driver.close()
    assert [binding.name for binding in adopted.design.bindings] == ["Customer", "Tool"]
    assert adopted.design.physicals[0].spec.discriminator == "type"
    assert [listed.reason for listed in adopted.not_expressed] == [
        '4 sampled items without "type", with "PK" like "CUST#…" and "SK" like "#META": no entity'
    ]
    assert_law(ENGINE, live, replace(adopted, not_expressed=()), part)
    assert 'storeNo: Annotated[str, Field(pattern="^[0-9]+$")]' in assert_is_as_a_person_writes(adopted, tmp_path)
