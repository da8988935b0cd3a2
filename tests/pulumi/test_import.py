"""Tables that were there first, taken into a stack by the real command line: the next preview is empty."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.pulumi.standin.server import ENDPOINT
from tests.pulumi.standin.table import KEPT, TOLD
from tests.pulumi.world import World

from keywright.engines.dynamodb.resources import TABLE

pytestmark = pytest.mark.live

TABLES = {"devices": "dev-devices", "messaging": "dev-messaging", "shop": "dev-shop"}

CLOUD = {"AWS_DEFAULT_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "standin", "AWS_SECRET_ACCESS_KEY": "standin"}
"""How boto3 finds the cloud that the stand-in has."""


SAID = """\
dynamodb has no dev-devices yet; `pulumi up` makes it
2 resources; next, in the folder of Pulumi.yaml:
  pulumi import --stack dev --file import.json --generate-code=false
"""


@pytest.fixture
def cloud(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets keywright find the tables that the stand-in has."""
    for name, value in {**CLOUD, ENDPOINT: world.endpoint}.items():
        monkeypatch.setenv(name, value)


def tables(document: Any) -> dict[str, str]:
    return {one["name"]: one["id"] for one in document["resources"] if one["type"] == TABLE}


def make(world: World, *, without: str = "") -> str:
    """Make the tables from the files for stock tools, as somebody may have long ago.

    Returns a file with what DynamoDB Local does not keep of them, for the stand-in to tell.
    """
    assert world.keywright("compile", "--engine", "dynamodb").code == 0
    files = sorted((world.root / "build" / "dev" / "dynamodb").glob("*.json"), key=lambda file: len(file.suffixes))
    kept: dict[str, Any] = {}
    for file in files:
        told = json.loads(file.read_text(encoding="utf-8"))
        name = told[0]["input"]["TableName"] if isinstance(told, list) else told["TableName"]
        if name == without:
            continue
        if isinstance(told, list):
            for one in told:
                assert one["operation"] == "UpdateTimeToLive", "all that development has"
                world.dynamodb.update_time_to_live(**one["input"])
        else:
            kept[name] = kept_of(told)
            world.dynamodb.create_table(**told)
    path = world.root.with_name("told.json")
    path.write_text(json.dumps(kept), encoding="utf-8")
    return str(path)


def kept_of(told: Any) -> dict[str, Any]:
    """What the service would tell of a table, and DynamoDB Local does not."""
    found = {
        "pointInTimeRecovery": {"enabled": False},
        "serverSideEncryption": {"enabled": False},
        "tableClass": told["TableClass"],
        "tags": {one["Key"]: one["Value"] for one in told["Tags"]},
    }
    assert found.keys() <= set(KEPT)
    return found


def imported(world: World, told: str, file: Path, *flags: str) -> None:
    words = ("import", "--stack", "dev", "--file", str(file), "--generate-code=false", "--yes", *flags)
    said = world.pulumi(*words, **{TOLD: told})
    assert said.code == 0, said.text


def test_tables_that_are_imported_change_nothing(world: World, cloud: None) -> None:
    world.edit("stacks/__main__.py", "keywright.pulumi.provision().tables", 'keywright.pulumi.Tables("dynamodb")')
    told, file = make(world, without="dev-devices"), world.root / "import.json"
    said = world.keywright("pulumi", "import", "--engine", "dynamodb", "-o", "import.json")
    assert said == (0, SAID)
    document = json.loads(file.read_text(encoding="utf-8"))
    assert tables(document) == {name: id for name, id in TABLES.items() if name != "devices"}
    assert world.pulumi("stack", "init", "dev").code == 0
    imported(world, told, file)
    assert [(one["op"], one["urn"].split("::")[-1]) for one in world.preview("dev")] == [("create", "devices")]
    assert world.pulumi("up", "--yes", "-s", "dev").code == 0

    said = world.keywright("-q", "pulumi", "import", "--engine", "dynamodb")
    assert tables(json.loads(said.text)) == TABLES
    file.write_text(said.text, encoding="utf-8")
    imported(world, told, file)
    assert world.pulumi("preview", "-s", "dev", "--expect-no-changes").code == 0, "what the stack has is passed over"
    assert world.pulumi("destroy", "--yes", "-s", "dev").code == 0, "the program says that nothing is protected"


def test_tables_that_cannot_be_asked_for_are_all_written(world: World) -> None:
    said = world.keywright("pulumi", "import", "--engine", "dynamodb", "-o", "import.json")
    assert said.code == 0, said.text
    assert said.text.startswith("dynamodb was not asked, so that all of it is written: ")
    document = json.loads((world.root / "import.json").read_text(encoding="utf-8"))
    assert tables(document) == TABLES
