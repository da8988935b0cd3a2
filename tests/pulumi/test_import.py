"""Tables that were there first, taken into a stack by the real command line: the next preview is empty."""

import json
import re
from typing import Any

import pytest
from tests.pulumi.standin.table import KEPT, TOLD
from tests.pulumi.world import World

from keywright.api.stack.item_backfill import RUN
from keywright.api.stack.item_identity import KEYS
from keywright.engines.dynamodb.schema.resources import TABLE

pytestmark = pytest.mark.live

TABLES = {"devices": "dev-devices", "messaging": "dev-messaging", "shop": "dev-shop"}

SAID = """\
dynamodb has no dev-devices yet; `pulumi up` creates it
2 resources; next, in the folder of Pulumi.yaml:
  pulumi import --stack dev --file import.json --generate-code=false
"""


def tables(document: Any) -> dict[str, str]:
    return {resource["name"]: resource["id"] for resource in document["resources"] if resource["type"] == TABLE}


def files(world: World) -> list[Any]:
    """What the files for stock tools say: of each table first what makes it."""
    assert world.keywright("compile", "--engine", "dynamodb").code == 0
    paths = sorted((world.root / "build" / "dev" / "dynamodb").glob("*.json"), key=lambda file: len(file.suffixes))
    return [json.loads(file.read_text(encoding="utf-8")) for file in paths]


def make(world: World, *, without: str) -> None:
    """Make the tables but one, as somebody may have long ago."""
    for file in files(world):
        steps: list[Any] = file if isinstance(file, list) else [{"operation": "CreateTable", "input": file}]
        for step in steps:
            if step["input"]["TableName"] != without:
                operation = re.sub("(?<!^)(?=[A-Z])", "_", step["operation"]).lower()
                getattr(world.dynamodb, operation)(**step["input"])


def kept(world: World) -> str:
    """A file with what DynamoDB Local does not keep of the tables, for the stand-in to tell."""
    result = {file["TableName"]: kept_of(file) for file in files(world) if not isinstance(file, list)}
    path = world.root.with_name("told.json")
    path.write_text(json.dumps(result), encoding="utf-8")
    return str(path)


def kept_of(told: Any) -> dict[str, Any]:
    """What the service would tell of a table, and DynamoDB Local does not."""
    result = {
        "pointInTimeRecovery": {"enabled": False},
        "serverSideEncryption": {"enabled": False},
        "tableClass": told["TableClass"],
        "tags": {tag["Key"]: tag["Value"] for tag in told["Tags"]},
    }
    assert result.keys() <= set(KEPT)
    return result


def imported(world: World, file: str) -> None:
    words = ("import", "--stack", "dev", "--file", file, "--generate-code=false", "--yes")
    said = world.pulumi(*words, **{TOLD: kept(world)})
    assert said.code == 0, said.text


def changes(world: World) -> list[tuple[str, str]]:
    """(operation, name) of what a preview would do."""
    return [(entry["op"], entry["urn"].split("::")[-1]) for entry in world.preview("dev")]


def test_tables_that_are_imported_change_nothing(world: World) -> None:
    world.edit("stacks/__main__.py", "keywright.pulumi.provision().tables", 'keywright.pulumi.Tables("dynamodb")')
    make(world, without="dev-devices")
    said = world.keywright("pulumi", "import", "--engine", "dynamodb", "-o", "import.json")
    assert said == (0, SAID)
    document = json.loads((world.root / "import.json").read_text(encoding="utf-8"))
    assert tables(document) == {name: id for name, id in TABLES.items() if name != "devices"}
    assert world.pulumi("stack", "init", "dev").code == 0
    imported(world, "import.json")
    assert changes(world) == [("create", "devices")]
    assert world.pulumi("up", "--yes", "--skip-preview", "-s", "dev").code == 0

    said = world.keywright("-q", "pulumi", "import", "--engine", "dynamodb", "-o", "all.json")
    assert said == (0, "")
    assert tables(json.loads((world.root / "all.json").read_text(encoding="utf-8"))) == TABLES
    imported(world, "all.json")
    assert world.pulumi("preview", "-s", "dev", "--expect-no-changes").code == 0, "what the stack has is passed over"
    assert world.pulumi("destroy", "--yes", "-s", "dev").code == 0, "the program says that nothing is protected"


def test_everything_of_a_stack_that_lost_its_state_is_imported_again(world: World) -> None:
    assert world.pulumi("stack", "init", "dev").code == 0
    said = world.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
    assert said.code == 0, said.text
    assert world.pulumi("stack", "rm", "--force", "--preserve-config", "--yes", "dev").code == 0
    assert world.pulumi("stack", "init", "dev").code == 0
    said = world.keywright("pulumi", "import", "-o", "import.json")
    assert said.code == 0, said.text
    assert "yet; `pulumi up` creates it" not in said.text
    imported(world, "import.json")
    left = [entry["urn"] for entry in world.preview("dev")]
    assert {urn.split("::")[2] for urn in left} <= {KEYS, RUN}, "what only the state remembers"


def test_tables_that_cannot_be_asked_for_are_all_written(world: World) -> None:
    nowhere = {"KEYWRIGHT_STORE_DYNAMODB": "http://127.0.0.1:1"}
    said = world.keywright("pulumi", "import", "--engine", "dynamodb", "-o", "import.json", **nowhere)
    assert said.code == 0, said.text
    assert said.text.startswith("dynamodb could not be read, so all its declared objects are written: ")
    document = json.loads((world.root / "import.json").read_text(encoding="utf-8"))
    assert tables(document) == TABLES
