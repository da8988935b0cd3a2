"""The toy engine, found by its entry point: each command works on it, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.projects import a_project

FOLDER = Path(__file__).parent
"""The folder of the package `keywright-toy`, as if it were installed."""

STACK = """\
config:
  keywright:environment:
    mode: dev
    toy:
      flavour: toy
"""

MODELS = '''\
"""Notes in a box."""

from datetime import datetime
from typing import ClassVar

from keywright_toy.declare import Box, Boxed
from pydantic import AwareDatetime, BaseModel

import keywright as kw

notes = Box("notes", capacity=1000)


class Note(BaseModel):
    """A note."""

    __store__: ClassVar = Boxed(notes, key="{author}/{id}", expected=100)

    author: str
    id: int
    text: str
    stars: int | None = None
    written_at: AwareDatetime


note = kw.Get(Note, rate="10/s", p99_ms=50)
notes_of = kw.Read(Note, eq="author", order="-written_at", limit=5, rate="10/s", p99_ms=50)
how_many = kw.Count(Note, eq="author", rate="10/s", p99_ms=50)
write = kw.Put(Note, rate="10/s", p99_ms=50)
new = kw.Put(Note, if_absent=True, rate="10/s", p99_ms=50)
rate = kw.Update(Note, sets="stars", rate="10/s", p99_ms=50)
remove = kw.Delete(Note, rate="10/s", p99_ms=50)
'''

PROGRAM = """\
from datetime import UTC, datetime
from pathlib import Path

from keywright import runtime
from keywright.errors import UsageError
from keywright_toy.shelf import Shelf
from models.notes import Note, note, notes_of, write

db = runtime.open(toy=Shelf(Path({file!r})))
kept = Note(author="ada", id=1, text="engines", written_at=datetime(2026, 1, 2, tzinfo=UTC))
write(db, kept)
assert note(db, author="ada", id=1) == kept
assert notes_of(db, author="ada").items == (kept,)
try:
    runtime.open(toy="file")
except UsageError as error:
    print(error)
"""


PENDING = 1
"""Exit code of `migrate plan` where there is something to apply."""


class Toy:
    """A project with the engine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "toy.json"
        a_project(folder, {"stacks/Pulumi.dev.yaml": STACK, "models/notes.py": MODELS})

    def run(self, *arguments: str, code: int = 0) -> str:
        """The output of Python with the package on its path."""
        paths = os.pathsep.join((str(FOLDER), str(self.folder)))
        environment = {**os.environ, "PYTHONPATH": paths, "KEYWRIGHT_TOY_URL": f"toy://{self.file}"}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def keywright(self, *arguments: str, code: int = 0) -> str:
        """The output of a command."""
        return self.run("-m", "keywright", *arguments, code=code)

    def becomes(self, was: str, text: str) -> None:
        """Change the models."""
        file = self.folder / "models" / "notes.py"
        before = file.read_text(encoding="utf-8")
        assert was in before
        file.write_text(before.replace(was, text), encoding="utf-8")


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """A project."""
    return Toy(tmp_path / "project")


def test_compile_writes_the_artefacts_of_the_engine(toy: Toy) -> None:
    toy.keywright("compile")
    box = json.loads((toy.folder / "build" / "dev" / "toy" / "notes.json").read_text(encoding="utf-8"))
    assert box == {"notes": {"capacity": 1000, "items": {}}}
    toy.becomes('Box("notes"', 'Box("papers"')
    assert "stale" in toy.keywright("compile", "--check", code=1)


def test_check_runs_the_rules_of_the_engine_and_explain_prints_their_pages(toy: Toy) -> None:
    assert toy.keywright("check").startswith("no errors")
    toy.becomes(", capacity=1000", "")
    assert 'warning[TOY001]: box "notes" has no capacity' in toy.keywright("check")
    assert toy.keywright("explain", "TOY001").startswith("# TOY001 box-without-capacity")
    assert "TOY001" not in toy.keywright("check", "--ignore", "TOY001")
    toy.becomes('Box("notes"', 'Box("notes", ignores=[kw.ignore("TOY001", reason="a few notes")]')
    assert "1 finding suppressed" in toy.keywright("check")


def test_the_compiler_reports_what_the_engine_rejects(toy: Toy) -> None:
    toy.becomes("text: str", "text: bytes")
    assert 'error[E0205]: "text" is bytes, and a box contains JSON' in toy.keywright("check", code=2)


def test_patterns_are_planned_by_the_engine(toy: Toy) -> None:
    assert "7 of 7 patterns served" in toy.keywright("patterns")
    toy.becomes("remove = kw.Delete(Note", 'add = kw.Increment(Note, field="stars"')
    assert "a box has no increment" in toy.keywright("patterns", "add", code=1)


def test_every_pattern_is_proved(toy: Toy) -> None:
    assert "7 of 7 patterns proved on 1 engine" in toy.keywright("prove", "--local")
    assert json.loads(toy.file.read_text(encoding="utf-8"))["boxes"] == {}


def test_an_application_calls_patterns_with_the_client_of_the_engine(toy: Toy) -> None:
    toy.keywright("apply", "--local")
    output = toy.run("-c", PROGRAM.format(file=str(toy.file)))
    assert output == ("runtime.open received a str for toy=\n  help: pass toy= a keywright_toy.shelf.Shelf\n")


def test_migrations_are_authored_planned_and_applied(toy: Toy) -> None:
    assert 'toy: add box "notes"' in toy.keywright("migrate", "diff", "-m", "first")
    toy.becomes("capacity=1000", "capacity=500")
    assert 'toy: alter setting "capacity" of "notes"' in toy.keywright("migrate", "diff", "-m", "smaller")
    assert 'create box "notes"' in toy.keywright("migrate", "plan", "--local", code=PENDING)
    toy.keywright("migrate", "apply", "--local")
    assert "up to date" in toy.keywright("migrate", "status", "--local")
    assert json.loads(toy.file.read_text(encoding="utf-8"))["boxes"]["notes"]["settings"] == {"capacity": 500}
    toy.becomes("capacity=500", "capacity=100")
    toy.keywright("migrate", "diff", "-m", "smallest")
    assert 'set capacity of box "notes" to 100' in toy.keywright("migrate", "plan", "--local", code=PENDING)
    toy.keywright("migrate", "apply", "--local")
    assert "every store matches its history" in toy.keywright("drift", "--local")


def test_another_key_needs_a_new_generation(toy: Toy) -> None:
    toy.keywright("migrate", "diff", "-m", "first")
    toy.keywright("migrate", "apply", "--local")
    toy.becomes("{author}/{id}", "{author}:{id}")
    assert "error[RB101]" in toy.keywright("migrate", "diff", "-m", "other keys", code=2)
    toy.becomes("capacity=1000", "capacity=1000, generation=2, rebuild=kw.Rebuild(from_generation=1)")
    assert 'toy: add box "notes-k2"' in toy.keywright("migrate", "diff", "-m", "other keys")


def test_live_commands_read_the_store(toy: Toy) -> None:
    toy.keywright("apply", "--local")
    assert 'settings: {"capacity":1000}' in toy.keywright("inspect", "--local", "--engine", "toy")
    assert toy.keywright("check", "--live", "--local").startswith("no errors")
    assert toy.keywright("local", "env") == f"export TOY_URL=toy://{toy.file}\n"
    assert toy.keywright("local", "status", "toy").startswith("toy  running")


def test_a_misspelt_engine_is_told_with_the_installed_ones(toy: Toy) -> None:
    assert 'did you mean "toy"?' in toy.keywright("compile", "--engine", "toi", code=2)
