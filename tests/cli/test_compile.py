"""`keywright compile`: what is written, what is removed, and what is left alone."""

import json
from pathlib import Path

import pytest

from .conftest import Keywright

MADE = ["access.json", "ir.json", "mongodb/catalogue.js", "redis/sessions.conf"]


def files_below(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_artefacts_go_to_the_folder_of_the_environment(keywright: Keywright, project: Path) -> None:
    assert keywright("compile") == (
        0,
        "new  access.json\nnew  ir.json\nnew  mongodb/catalogue.js\nnew  redis/sessions.conf\n"
        "4 files written in dev, 4 files in all\n",
        "",
    )
    assert files_below(project / "build" / "dev") == MADE


@pytest.mark.usefixtures("project")
def test_compiling_again_changes_nothing(keywright: Keywright) -> None:
    keywright("compile")
    assert keywright("compile") == (0, "up to date\n", "")
    assert keywright("compile", "-v") == (0, "up to date\n", "")


def test_check_lists_what_would_change_and_writes_nothing(keywright: Keywright, project: Path) -> None:
    assert keywright("compile", "--check", "-q") == (
        1, "new  access.json\nnew  ir.json\nnew  mongodb/catalogue.js\nnew  redis/sessions.conf\n", "",
    )  # fmt: skip
    assert not (project / "build").exists()


def test_what_belongs_to_nothing_is_removed_below_the_engines_only(keywright: Keywright, project: Path) -> None:
    keywright("compile")
    build = project / "build" / "dev"
    others = ["notes.json", "redis/notes.txt", "redis/old.conf.d/kept.conf"]
    for name in ["redis/old.conf", "cassandra/old.cql", *others]:
        (build / name).parent.mkdir(parents=True, exist_ok=True)
        (build / name).touch()
    (build / "ir.json").unlink()
    assert keywright("compile", "--check").out == (
        "stale  cassandra/old.cql\nnew    ir.json\nstale  redis/old.conf\n3 files would change in dev, 4 files in all\n"
    )
    assert keywright("compile").out.endswith("1 file written, 2 removed in dev, 4 files in all\n")
    assert files_below(build) == sorted([*MADE, *others])


def test_one_engine_is_compiled_alone(keywright: Keywright, project: Path) -> None:
    assert keywright("compile", "--engine", "redis").code == 0
    assert files_below(project / "build" / "dev") == ["redis/sessions.conf"]


def test_of_one_engine_only_its_own_stale_files_are_removed(keywright: Keywright, project: Path) -> None:
    keywright("compile")
    for engine in ("redis", "mongodb"):
        (project / "build" / "dev" / engine / "old.conf").touch()
    keywright("compile", "--engine", "redis")
    assert files_below(project / "build" / "dev") == sorted([*MADE, "mongodb/old.conf"])


def test_another_folder_is_filled_and_nothing_in_it_is_removed(keywright: Keywright, project: Path) -> None:
    (project / "out" / "redis").mkdir(parents=True)
    (project / "out" / "redis" / "mine.conf").touch()
    assert keywright("compile", "--out", "out").out.endswith("4 files written in out, 4 files in all\n")
    assert files_below(project / "out") == sorted([*MADE, "redis/mine.conf"])
    assert not (project / "build").exists()


@pytest.mark.parametrize("place", ["build", "build/dev", "build/dev/mongodb"])
def test_a_file_in_place_of_a_folder_is_named(keywright: Keywright, project: Path, place: str) -> None:
    (project / place).parent.mkdir(parents=True, exist_ok=True)
    (project / place).touch()
    said = keywright("compile")
    assert said.code == 2
    assert said.err.splitlines()[0].startswith(f'error: cannot write "{project / place}')
    assert said.err.splitlines()[0].endswith(": not a directory")


def test_a_folder_in_place_of_an_artefact_is_named_and_kept(keywright: Keywright, project: Path) -> None:
    taken = project / "build" / "dev" / "mongodb" / "catalogue.js"
    taken.mkdir(parents=True)
    assert keywright("compile", "--check").code == 1
    said = keywright("compile")
    assert said.code == 2
    assert said.err.startswith(f'error: cannot write "{taken}": is a directory\n')
    assert taken.is_dir()


def test_a_project_whose_cache_cannot_be_written_compiles_all_the_same(keywright: Keywright, project: Path) -> None:
    (project / ".keywright").touch()
    assert keywright("compile").code == 0
    assert keywright("compile", "--check") == (0, "up to date\n", "")


@pytest.mark.usefixtures("project")
def test_models_that_do_not_compile_write_nothing(keywright: Keywright, project: Path) -> None:
    (project / "models" / "loans.py").write_text("import nothing_of_that_name\n")
    said = keywright("compile", "--format", "json")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("models/loans.py:1: error[E0101]: the file does not import")
    assert not (project / "build").exists()


def test_a_project_without_models_compiles_to_its_description(keywright: Keywright, project: Path) -> None:
    (project / "models" / "library.py").unlink()
    assert keywright("compile").code == 0
    assert files_below(project / "build" / "dev") == ["access.json", "ir.json"]
    assert json.loads((project / "build" / "dev" / "ir.json").read_text())["entities"] == []
