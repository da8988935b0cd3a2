"""DynamoDB without Java or Maven, as a machine with npm alone has it: the example and schema versions on dynoxide."""

import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.live import test_versions as versions
from tests.live.versioned import Versioned, versioned

from keywright.local import Running, WantedServer
from keywright.local.fetch.platforms import here
from keywright.local.recipes.dynamodb import PROGRAMS

pytestmark = pytest.mark.live

ROOT = Path(__file__).parents[2]
COPIED = ("models", "stacks", "pyproject.toml")
NEEDED = ("npm", "node", "env", "sh")


Keywright = Callable[..., str]
"""The command line in a project, by its arguments; answers what it prints."""


@pytest.fixture(scope="module")
def without_maven(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose PATH has npm, and neither Maven nor Java."""
    if here() not in PROGRAMS:
        pytest.skip("dynoxide is not published for this platform")
    place = tmp_path_factory.mktemp("without_maven")
    folder = place / "bin"
    folder.mkdir()
    for name in NEEDED:
        program = shutil.which(name)
        if program is None:
            pytest.skip(f"{name} is not installed")
        (folder / name).symlink_to(program)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KEYWRIGHT_", "JAVA_"))}
    return {**kept, "PATH": str(folder), "KEYWRIGHT_CACHE": str(place / "cache")}


@pytest.fixture(scope="module")
def keywright(tmp_path_factory: pytest.TempPathFactory, without_maven: dict[str, str]) -> Iterator[Keywright]:
    project = tmp_path_factory.mktemp("shop")
    for name in COPIED:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, project / name)

    def said(*arguments: str) -> str:
        words = [sys.executable, "-m", "keywright", "--project", str(project), *arguments]
        done = subprocess.run(words, env=without_maven, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    try:
        assert "dynamodb  running  dynoxide 1.2.1" in said("local", "up", "dynamodb")
        yield said
    finally:
        said("local", "down")


def test_the_example_is_applied_and_proved_but_for_keys_of_several_attributes(keywright: Keywright) -> None:
    assert "equals the models" in keywright("apply", "--local")
    proofs = keywright("prove", "--local")
    assert "NOT PROVED" not in proofs
    reason = 'dynoxide 1.2.1 answers no query of index "by_category", whose key has 4 attributes'
    assert f"skipped: {reason}" in proofs
    of_dynamodb = [line for line in proofs.splitlines() if "proved  " in line]
    assert len(of_dynamodb) > 30


@pytest.fixture(scope="module")
def store(keywright: Keywright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Versioned]:
    """An application in three schema versions."""
    output = keywright("local", "status", "dynamodb", "--format", "json")
    (result,) = json.loads(output)["servers"]
    instance = WantedServer("dynamodb", "dynamodb")
    server = Running(instance, result["pid"], None, result["url"], "", result["version"])
    with versioned("dynamodb", server, tmp_path_factory.mktemp("versions")) as created:
        yield created


@pytest.mark.parametrize(("code", "stored"), [*itertools.product((1, 2, 3), (1, 2, 3))])
def test_a_partial_write_meets_an_item_of_any_version(store: Versioned, code: int, stored: int) -> None:
    versions.test_a_partial_write_meets_an_item_of_any_version(store, code, stored)


@pytest.mark.parametrize(
    "judged",
    [
        versions.test_a_condition_that_does_not_hold_is_told_from_a_version,
        versions.test_of_writes_that_belong_together_none_is_done,
        versions.test_whole_items_of_any_version_replace_each_other,
    ],
)
def test_what_holds_of_dynamodb_local_holds_here(store: Versioned, judged: Callable[[Versioned], None]) -> None:
    judged(store)
