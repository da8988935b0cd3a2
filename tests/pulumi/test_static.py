"""The static program, against what the Python program of the same stack asks of the engine."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.projects import a_project, imported_alone, with_imports

from keywright.api.live.connect import StoreSelector
from keywright.api.stack.desired import stack_of
from keywright.cli.main import run
from keywright.project.settings import read_settings
from keywright.provision.dynamodb.static import _path, program

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"

STACKS = [("dev", None), ("prod", "0004/30")]
"""An environment that follows the models, and the position of one that does not."""

STACK = """
config:
  keywright:environment:
    mode: dev
    tags: {commit: "12e5", mode: "0o17", paid: "$5 ${shop}", public: "no"}
    dynamodb: {flavour: dynamodb}
    redis: {flavour: redis, version: "7.2", ram: 1gb}
"""

MODELS = """
    shop = kw.DynamoTable("shop.orders")

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
"""

NO_TABLES = """
    sessions = kw.RedisServer("sessions", role="sessions")

    class Session(BaseModel):
        __store__: ClassVar = kw.RedisHash(sessions, key="s:{token}", ttl=timedelta(days=1), kind="session")
        token: Annotated[str, kw.Size(avg=32, max=32)]
"""


OPTIONS = ("protect", "retainOnDelete", "customTimeouts", "ignoreChanges")


def static(environment: str, position: str | None) -> str:
    where = StoreSelector(read_settings(ROOT), environment, is_local=False)
    return program("shop", stack_of(where, position), "../../../stacks")


@pytest.mark.parametrize(("environment", "position"), STACKS)
def test_the_worked_example_is_this_program(
    environment: str, position: str | None, is_golden: Callable[[Path, str], bool]
) -> None:
    assert is_golden(GOLDEN / f"{environment}.yaml", static(environment, position))


@pytest.mark.parametrize(("environment", "position"), STACKS)
def test_it_asks_for_what_the_python_program_asks_for(environment: str, position: str | None) -> None:
    document: Any = yaml.safe_load(static(environment, position))
    recorded: Any = json.loads((GOLDEN / f"{environment}.json").read_text(encoding="utf-8"))
    requests = {entry["name"]: entry for entry in recorded["resources"] if entry["type"].startswith("aws:")}
    assert document["resources"].keys() == requests.keys()
    names = {entry: name for name, entry in zip(requests, (f"${{{_path(name)}}}" for name in requests), strict=True)}
    for name, entry in document["resources"].items():
        _, module, kind = requests[name]["type"].split(":")
        assert entry["type"] == f"aws:{module.split('/')[0]}:{kind}"
        assert entry["properties"] == requests[name]["object"]
        options = {word: requests[name][word] for word in OPTIONS if word in requests[name]}
        assert {word: value for word, value in entry["options"].items() if word != "dependsOn"} == options
        within = [names[text] for text in entry["options"].get("dependsOn", ())]
        assert within == [urn.split("::")[-1] for urn in requests[name].get("dependencies", ())]
    outputs = {name: recorded["outputs"][name].keys() for name in ("tables", "table_arns")}
    assert {name: entry.keys() for name, entry in document["outputs"].items()} == outputs


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one table."""
    path = tmp_path / "shop"
    a_project(path, {"stacks/Pulumi.dev.yaml": STACK, "models/shop.py": with_imports(MODELS)})
    monkeypatch.chdir(path)
    return path


def compiled(folder: Path, *arguments: str) -> int:
    with imported_alone(folder):
        return run(["compile", "--pulumi-yaml", *arguments])


def test_text_stays_text_and_nothing_is_filled_in(folder: Path) -> None:
    assert compiled(folder) == 0
    text = (folder / "build" / "dev" / "pulumi" / "Pulumi.yaml").read_text(encoding="utf-8")
    for line in ('commit: "12e5"', 'mode: "0o17"', 'paid: "$$5 $${shop}"', "public: 'no'"):
        assert f"        {line}\n" in text
    assert '    shop.orders: "${[\\"shop.orders\\"].arn}"\n' in text
    assert 'stackConfigDir: "../../../stacks"\n' in text


def test_check_tells_whether_it_is_behind(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compiled(folder, "--check") == 1
    assert "new  pulumi/Pulumi.yaml\n" in capsys.readouterr().out
    assert compiled(folder) == 0
    assert compiled(folder, "--check") == 0
    file = folder / "build" / "dev" / "pulumi" / "Pulumi.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("12e5", "12e6"), encoding="utf-8")
    capsys.readouterr()
    assert compiled(folder, "--check") == 1
    assert capsys.readouterr().out.startswith("changed  pulumi/Pulumi.yaml\n")
    assert run(["compile", "--check"]) == 0, "what was not asked for is not looked at"


def test_without_a_table_there_is_no_program(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "models" / "shop.py").write_text(with_imports(NO_TABLES), encoding="utf-8")
    assert compiled(folder) == 2
    assert 'there is no DynamoDB table in "dev"' in capsys.readouterr().err
    assert not (folder / "build").exists()


def test_the_name_of_the_project_is_that_of_its_program(folder: Path) -> None:
    (folder / "Pulumi.yaml").write_text("name: orders\nruntime: {name: python}\n", encoding="utf-8")
    assert compiled(folder) == 0
    text = (folder / "build" / "dev" / "pulumi" / "Pulumi.yaml").read_text(encoding="utf-8")
    assert "\nname: orders-dynamodb\n" in text
