"""The documents and files of migrations, as docs/schemas says; none of these needs a server."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from .conftest import Keywright
from .test_documents import SCHEMAS, document

ROOT = Path(__file__).parents[2]


def held_against(name: str, value: Any) -> None:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(value)


@pytest.mark.parametrize("folder", sorted((ROOT / "migrations").glob("0*")), ids=lambda path: path.name)
def test_the_files_of_the_example(folder: Path) -> None:
    held_against("migration", yaml.safe_load((folder / "migration.yaml").read_text()))
    if (file := folder / "delta.json").exists():
        held_against("delta", json.loads(file.read_text()))


def test_the_snapshot_of_the_example(keywright: Keywright, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    said = keywright("migrate", "snapshot")
    assert said.code == 0, said
    held_against("snapshot", json.loads(said.out))


@pytest.mark.usefixtures("project")
def test_a_version_is_written_checked_and_amended(keywright: Keywright, project: Path) -> None:
    assert document(keywright("migrate", "diff", "--check", "--format", "json"))["changes"]
    result = document(keywright("migrate", "diff", "-m", "First!", "--format", "json"))
    assert result["folder"] == "migrations/0001_first"
    said = keywright("migrate", "diff", "--check", "--format", "json")
    assert (said.code, document(said)["changes"]) == (0, [])
    assert document(keywright("migrate", "diff", "--amend", "--format", "json"))["folder"] == "migrations/0001_first"
    assert document(keywright("migrate", "test", "--format", "json"))["cases"] == []
    stores = json.loads(keywright("migrate", "snapshot", "0001").out)["stores"]
    name, targets = next(iter(stores.items()))
    entity = next(iter(next(iter(targets.values()))["shape"]))
    said = keywright("migrate", "new", "tidy", "--store", name, "--entity", entity, "--format", "json")
    assert document(said)["folder"] == "migrations/0002_tidy"
    held_against("migration", yaml.safe_load((project / "migrations" / "0002_tidy" / "migration.yaml").read_text()))
    assert keywright("migrate", "lint") == (0, "no findings\n", "")


@pytest.mark.usefixtures("project")
def test_an_edited_version_is_refused_with_what_to_do(keywright: Keywright, project: Path) -> None:
    keywright("migrate", "diff", "-m", "first")
    file = project / "migrations" / "0001_first" / "migration.yaml"
    file.write_text(file.read_text() + "# a remark\n")
    said = keywright("migrate", "diff", "--check")
    assert said.code == 1
    assert "0001_first" in said.err
    assert "--amend" in said.err
    assert keywright("migrate", "diff", "--amend").code == 0
    assert keywright("migrate", "diff", "--check").code == 0


@pytest.mark.usefixtures("project")
def test_a_folder_that_was_renamed_or_removed_is_named(keywright: Keywright, project: Path) -> None:
    keywright("migrate", "diff", "-m", "first")
    folder = project / "migrations" / "0001_first"
    folder.rename(folder.with_name("0001_other"))
    error = keywright("migrate", "diff", "--check").err
    assert '0001_other" is in the place of "0001_first" in the checksum file' in error
    folder.with_name("0001_other").rename(folder)
    (folder / "delta.json").unlink()
    assert "0001_first" in keywright("migrate", "diff", "--check").err


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "line", ["migrate status", "migrate plan", "migrate apply", "migrate baseline", "migrate unlock --owner x", "drift"]
)
def test_a_store_is_never_guessed(keywright: Keywright, line: str) -> None:
    said = keywright(*line.split())
    assert said.code == 2
    assert "--local" in said.err
