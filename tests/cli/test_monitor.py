"""`keywright monitor`: what is written, and what a check says of it."""

import json
from pathlib import Path

import pytest

from .conftest import Keywright

MADE = [
    "monitoring/mongodb.rules.test.yaml", "monitoring/mongodb.rules.yaml", "monitoring/redis.rules.test.yaml",
    "monitoring/redis.rules.yaml",
]  # fmt: skip


def test_rules_and_their_tests_go_to_the_folder_of_the_environment(keywright: Keywright, project: Path) -> None:
    listed = "".join(f"new  {path}\n" for path in MADE)
    assert keywright("monitor") == (0, f"{listed}4 files written in dev, 4 files in all\n", "")
    assert all((project / "build" / "dev" / path).is_file() for path in MADE)
    assert keywright("monitor", "--check") == (0, "up to date\n", "")


def test_check_says_what_is_behind_and_writes_nothing(keywright: Keywright, project: Path) -> None:
    assert keywright("monitor", "--check", "-q").code == 1
    assert not (project / "build").exists()
    keywright("monitor")
    folder = project / "build" / "dev" / "monitoring"
    (folder / "redis.rules.yaml").write_text("groups: []\n")
    (folder / "cassandra.rules.yaml").touch()
    (folder / "notes.txt").touch()
    assert keywright("monitor", "--check") == (
        1,
        "stale    monitoring/cassandra.rules.yaml\nchanged  monitoring/redis.rules.yaml\n"
        "2 files would change in dev, 4 files in all\n",
        "",
    )
    assert keywright("monitor").code == 0
    assert sorted(file.name for file in folder.iterdir()) == sorted([*(Path(path).name for path in MADE), "notes.txt"])


@pytest.mark.usefixtures("project")
def test_a_compile_leaves_them_alone(keywright: Keywright) -> None:
    keywright("monitor")
    keywright("compile")
    assert keywright("monitor", "--check").code == 0


def test_they_go_to_another_folder_when_asked(keywright: Keywright, project: Path, tmp_path: Path) -> None:
    assert keywright("monitor", "--out", str(tmp_path / "rules")).code == 0
    assert (tmp_path / "rules" / MADE[0]).is_file()
    assert not (project / "build").exists()


def test_the_document_says_what_changed(keywright: Keywright, project: Path) -> None:
    document = json.loads(keywright("monitor", "--check", "--format", "json").out)
    assert document["schema"] == "monitor/1"
    assert document["folder"] == str(project / "build" / "dev")
    assert document["changes"] == [{"path": path, "kind": "new"} for path in MADE]
