"""Several `Tables` in one stack: what their resources are called, and which state each has."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.pulumi.tables_only import addresses as addresses
from tests.pulumi.world import World

ROOT = Path(__file__).parents[2]
CONSUME = 'tables.consume("messaging", "push", "push-messages", queue="arn:of:queue")\n'
IMPORTS = "import pulumi\nimport pulumi_aws as aws\nimport keywright.pulumi\n"
ABROAD = 'abroad = pulumi.ResourceOptions(provider=aws.Provider("abroad", region="us-east-1"))\n'


def of(name: str, more: str = "") -> str:
    """Lines of a program."""
    return f'tables = keywright.pulumi.Tables("{name}"{more})\n{CONSUME}'


ADDED = ABROAD + of("us", ", opts=abroad")


def requests(program: str, folder: Path, stack: str = "dev", **variables: str) -> list[Mapping[str, Any]]:
    """What a program registers with a mock of the engine, but components and providers."""
    file = folder / "program.py"
    file.write_text(IMPORTS + program, encoding="utf-8")
    command = [sys.executable, "-m", "tests.pulumi.recorded", stack, str(file)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [load for load in json.loads(done.stdout)["resources"] if load["type"].startswith("aws:")]


def former(found: list[Mapping[str, Any]], component: str) -> dict[str, list[str]]:
    """The names of its resources, with their aliases."""
    below = (entry for entry in found if str(entry["parent"]).endswith(f"::{component}"))
    return {entry["name"]: [alias["spec"]["name"] for alias in entry.get("aliases", [])] for entry in below}


@pytest.mark.parametrize("order", [(of("dynamodb"), ADDED), (ADDED, of("dynamodb"))])
def test_names_depend_on_the_component_and_not_on_the_order(order: tuple[str, str], tmp_path: Path) -> None:
    result = requests("".join(order), tmp_path)
    plain = former(result, "dynamodb")
    assert {"messaging", "shop", "messaging/push"} <= plain.keys()
    assert set(former(result, "us")) == {f"us-{name}" for name in plain}
    assert not any(plain.values())
    there = {entry["name"]: entry for entry in result}
    assert "abroad" in there["us-messaging"]["provider"]
    assert "abroad" not in there["messaging"].get("provider", "")


def test_the_first_component_alone_has_the_resources_of_former_names(tmp_path: Path) -> None:
    result = requests(of("eu") + ADDED, tmp_path)
    eu, us = former(result, "eu"), former(result, "us")
    assert eu == {name: [name.removeprefix("eu-")] for name in eu}
    assert "eu-messaging/push" in eu
    assert us == {f"us-{name.removeprefix('eu-')}": [] for name in eu}


def test_a_position_is_that_of_the_environment_whose_name_the_stack_has(tmp_path: Path) -> None:
    """Migrations of one environment move no table of another in the same program."""
    program = 'keywright.pulumi.Tables("own")\nkeywright.pulumi.Tables("other", environment="dev")\n'
    result = {
        request["name"]: request["object"] for request in requests(program, tmp_path, "prod", KEYWRIGHT_POSITION="0002")
    }
    indexes = {
        name: {index["name"] for index in result[name]["globalSecondaryIndexes"]} for name in ("own-shop", "other-shop")
    }
    assert "by_day" not in indexes["own-shop"]
    assert "by_day" in indexes["other-shop"]
    assert result["other-shop"]["name"] == "dev-shop"


def write(world: World, program: str) -> None:
    (world.root / "stacks" / "__main__.py").write_text(IMPORTS + program, encoding="utf-8")


@pytest.mark.live
def test_a_stack_of_before_keeps_its_tables_and_one_that_is_added_takes_none(dev: World) -> None:
    write(dev, of("dynamodb"))
    dev.up("dev")
    write(dev, of("dynamodb") + ADDED)
    steps = dev.preview("dev")
    assert {step["op"] for step in steps} == {"create"}
    assert "us-messaging" in {step["urn"].split("::")[-1] for step in steps}

    exported = dev.pulumi("stack", "export", "-s", "dev").text
    file = dev.root / "state.json"
    file.write_text(exported.replace("keywright:dynamodb:Tables::dynamodb", "keywright:dynamodb:Tables::eu"), "utf-8")
    assert dev.pulumi("stack", "import", "-s", "dev", "--file", str(file)).code == 0
    before = dev.dynamodb.describe_table(TableName="dev-messaging")["Table"]["CreationDateTime"]
    write(dev, of("eu"))
    dev.up("dev", "--expect-no-changes")
    assert dev.dynamodb.describe_table(TableName="dev-messaging")["Table"]["CreationDateTime"] == before
    assert "Table::eu-messaging" in dev.pulumi("stack", "export", "-s", "dev").text
    write(dev, of("eu") + ADDED)
    assert {entry["op"] for entry in dev.preview("dev")} == {"create"}
