"""A command that is killed while writing the folder of migrations loses nothing; the message names the repair."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.project.test_migrations import FIRST, SECOND

from keywright.project.migrations.folder import Edited, own_files, read_folder, write_migrations
from keywright.project.settings import Settings

OWN = {"backfill_it.py": "# by hand\n"}
AMENDED = {"backfill_it.py": "# by hand\n", "rendered/x.json": "{}\n"}
MOVES = 12
"""More than any command makes; the last numbers kill nothing."""


def killed(at: int, write: Callable[[], object]) -> None:
    """Run a command in a process that is killed before its move with this number."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    left = at

    def counted(move: Callable[..., None]) -> Callable[..., None]:
        def moved(*arguments: object) -> None:
            nonlocal left
            if not left:
                os._exit(9)
            left -= 1
            move(*arguments)

        return moved

    os.rename, os.replace = counted(os.rename), counted(os.replace)
    write()
    os._exit(0)


def repaired(settings: Settings) -> Sequence[str]:
    """The migrations after following the message, repeatedly."""
    for _ in range(3):
        try:
            return [migration.folder for migration in read_folder(settings).migrations]
        except Edited as error:
            if command := re.search(r"`(mv [^`]+)`", error.help):
                subprocess.run(command[1], shell=True, check=True)
            elif "`keywright migrate diff --amend`" in error.help:
                head = read_folder(settings, is_amended=True).head
                assert head is not None
                path = settings.root / "migrations"
                own = own_files(path / head.folder)
                write_migrations(path, [FIRST.folder], [(head, own)], removed=[head.folder])
            elif "remove it" in error.help:
                shutil.rmtree(settings.root / "migrations" / error.folder)
    raise AssertionError("the messages do not repair the folder")


@pytest.mark.parametrize("at", range(MOVES))
def test_a_version_is_there_or_not(tmp_path: Path, at: int) -> None:
    path = tmp_path / "migrations"
    write_migrations(path, [], [(FIRST, {})])
    killed(at, lambda: write_migrations(path, [FIRST.folder], [(SECOND, OWN)]))
    assert repaired(Settings(tmp_path)) in ([FIRST.folder], [FIRST.folder, SECOND.folder])


@pytest.mark.parametrize("at", range(MOVES))
def test_an_amended_version_keeps_what_was_written_by_hand(tmp_path: Path, at: int) -> None:
    path = tmp_path / "migrations"
    write_migrations(path, [], [(FIRST, {}), (SECOND, OWN)])
    killed(at, lambda: write_migrations(path, [FIRST.folder], [(SECOND, AMENDED)], removed=[SECOND.folder]))
    assert repaired(Settings(tmp_path)) == [FIRST.folder, SECOND.folder]
    assert own_files(path / SECOND.folder) == OWN


@pytest.mark.parametrize("at", range(MOVES))
def test_the_next_command_removes_what_a_killed_one_has_left(tmp_path: Path, at: int) -> None:
    path = tmp_path / "migrations"
    write_migrations(path, [], [(FIRST, {}), (SECOND, OWN)])
    killed(at, lambda: write_migrations(path, [FIRST.folder], [(SECOND, AMENDED)], removed=[SECOND.folder]))
    repaired(Settings(tmp_path))
    write_migrations(path, [FIRST.folder], [(SECOND, OWN)], removed=[SECOND.folder])
    assert {entry.name for entry in path.iterdir() if entry.name != ".gitattributes"} == {
        FIRST.folder, SECOND.folder, "keywright.sum",
    }  # fmt: skip


def test_what_a_process_that_lives_or_a_person_has_beside_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "migrations"
    write_migrations(path, [], [(FIRST, {})])
    child = os.fork()
    if not child:
        signal.pause()
    parent, gone = f".{FIRST.folder}.old.{os.getppid()}", f".{FIRST.folder}.old.{2**22 + 1}"
    kept = [f".{SECOND.folder}.old.{child}", f".{SECOND.folder}.{child}", ".idea", f".{SECOND.folder}.old.x", parent]
    own = f".{SECOND.folder}.old.{os.getpid()}"
    for name in (*kept, gone, own):
        (path / name).mkdir()
        (path / name / "a.py").write_text("")
    try:
        write_migrations(path, [FIRST.folder], [(SECOND, OWN)])
        assert {entry.name for entry in path.iterdir() if entry.name in (*kept, gone, own)} == set(kept)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.parametrize("at", range(3))
def test_a_version_that_is_discarded_is_whole_or_gone(tmp_path: Path, at: int) -> None:
    path = tmp_path / "migrations"
    write_migrations(path, [], [(FIRST, {}), (SECOND, OWN)])
    killed(at, lambda: write_migrations(path, [FIRST.folder], [], removed=[SECOND.folder]))
    left = repaired(Settings(tmp_path))
    assert left == [FIRST.folder] or own_files(path / SECOND.folder) == OWN
