"""The folder of migrations: written atomically, rejected if it differs from its checksums."""

import os
from pathlib import Path

import pytest
from tests.migrations.test_author import engines, table

from keywright.errors import UsageError
from keywright.migrations.author.draft import Draft
from keywright.migrations.author.planner import author
from keywright.migrations.migration import Migration
from keywright.migrations.snapshot import EMPTY, Snapshot
from keywright.project.migrations import folder as migrations
from keywright.project.migrations.folder import Edited, read_folder, write_migrations
from keywright.project.migrations.migration_yaml import to_yaml
from keywright.project.settings import Settings


def a_migration(number: str, before: Snapshot, after: Snapshot) -> Migration:
    parent = f"{int(number) - 1:04d}" if number != "0001" else None
    return author(Draft(before=before, after=after), engines, number=number, slug="it", parent=parent)


FIRST = a_migration("0001", EMPTY, table())
SECOND = a_migration("0002", table(), table({"stream": "KEYS_ONLY"}))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    write_migrations(tmp_path / "migrations", [], [(FIRST, {"rendered/x.json": "{}\n"})])
    write_migrations(tmp_path / "migrations", [FIRST.folder], [(SECOND, {})])
    return Settings(tmp_path)


def test_versions_are_read_as_they_were_written(settings: Settings) -> None:
    folder = read_folder(settings)
    assert folder.migrations == (FIRST, SECOND)
    assert folder.head == SECOND
    assert (folder.path / ".gitattributes").read_text() == "keywright.sum -merge\n"


def test_no_line_of_the_file_is_longer_than_it_must_be() -> None:
    assert max(map(len, to_yaml(SECOND).splitlines())) <= 120


@pytest.mark.parametrize("file", ["0001_it/migration.yaml", "0001_it/rendered/x.json", "0001_it/delta.json"])
def test_an_edit_is_refused(settings: Settings, file: str) -> None:
    path = settings.root / "migrations" / file
    path.write_text(path.read_text() + " ")
    with pytest.raises(Edited, match=file.partition("/")[0]) as error:
        read_folder(settings)
    assert error.value.code == "NL102"
    assert ("--amend" in error.value.help) == file.startswith("0002")


def test_the_last_version_may_be_edited_where_it_is_about_to_be_written_anew(settings: Settings) -> None:
    path = settings.root / "migrations" / "0002_it" / "migration.yaml"
    path.write_text(path.read_text() + "# a remark\n")
    assert read_folder(settings, is_amended=True).head == SECOND


def test_a_version_of_another_branch_is_refused(settings: Settings) -> None:
    path = settings.root / "migrations"
    os.rename(path / "0001_it", path / "0001_other")
    with pytest.raises(Edited, match="is in the place of"):
        read_folder(settings)


def test_a_broken_sum_file_is_refused_with_what_to_do(settings: Settings) -> None:
    (settings.root / "migrations" / "keywright.sum").write_text("<<<<<<< HEAD\n")
    with pytest.raises(Edited, match="is invalid") as error:
        read_folder(settings)
    assert "rebase" in error.value.help


def test_broken_yaml_is_told_with_its_line(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, "_check", lambda path, actual, is_amended: None)
    path = settings.root / "migrations" / "0002_it" / "migration.yaml"
    path.write_text('format: 2\nmigration: "0002\n')
    with pytest.raises(UsageError, match=r"migration\.yaml:\d"):
        read_folder(settings)
    path.write_text("format: 99\n")
    with pytest.raises(UsageError, match="the newest that this keywright reads"):
        read_folder(settings)
    path.write_text("format: 1\n")
    with pytest.raises(UsageError, match="format 1 is older than 2, the oldest that this keywright reads"):
        read_folder(settings)
    path.write_text("format: 2\nmigration: 2\nparent: x\nfrom: x\n")
    with pytest.raises(UsageError, match="must be a text in quotes"):
        read_folder(settings)


@pytest.mark.parametrize("failing", ["write", "rename"])
def test_what_fails_leaves_all_as_it_was(settings: Settings, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    before = {path: path.read_bytes() for path in settings.root.rglob("*") if path.is_file()}
    third = a_migration("0003", SECOND.snapshot, table())

    def full(*words: object) -> None:
        raise OSError(28, "No space left on device")

    if failing == "write":
        original = migrations.write

        def write(path: Path, text: str) -> None:
            if path.name == "keywright.sum":
                full()
            original(path, text)

        monkeypatch.setattr(migrations, "write", write)
    else:
        monkeypatch.setattr(migrations.os, "rename", full)
    with pytest.raises(OSError, match="No space"):
        write_migrations(settings.root / "migrations", [FIRST.folder, SECOND.folder], [(third, {})])
    monkeypatch.undo()
    assert {path: path.read_bytes() for path in settings.root.rglob("*") if path.is_file()} == before
    assert read_folder(settings).head == SECOND


def test_a_version_takes_the_place_of_another(settings: Settings) -> None:
    other = a_migration("0002", table(), table({"stream": "NEW_IMAGE"}))
    write_migrations(settings.root / "migrations", [FIRST.folder], [(other, {})], removed=[SECOND.folder])
    assert read_folder(settings).migrations == (FIRST, other)
    with pytest.raises(UsageError, match="already exists"):
        write_migrations(settings.root / "migrations", [FIRST.folder], [(SECOND, {})])
