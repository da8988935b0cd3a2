"""A small project to run commands in, and the command line itself: called here, or as the program that it is."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.projects import PYPROJECT, SOUND, a_project, imported_alone

from keywright.cli.main import run

MODELS = """\
    from datetime import timedelta
    from typing import Annotated, ClassVar

    from pydantic import BaseModel, Field

    import keywright as kw

    catalogue = kw.MongoDatabase("catalogue")
    sessions = kw.RedisServer("sessions", role="sessions")

    class Book(BaseModel):
        __store__: ClassVar = kw.Collection(
            catalogue, "books", id="{isbn}", indexes=[kw.Index("title")], expected=5_000
        )
        isbn: Annotated[str, Field(max_length=13)]
        title: Annotated[str, Field(max_length=80)]

    book = kw.Get(Book, eq="isbn", rate="50/s", p99_ms=20)

    class Session(BaseModel):
        __store__: ClassVar = kw.RedisHash(
            sessions, key="session:{token}", ttl=timedelta(days=1), kind="session", expected=5_000
        )
        token: Annotated[str, kw.Size(avg=32, max=32)]
"""
"""What the project declares: a collection with an index, and a hash."""

RULES = '\n[tool.keywright.rules.GEN001]\nseverity = "off"\n'
"""It is no design: few patterns are enough to run commands on."""


class Said(NamedTuple):
    """What a command line came to."""

    code: int
    """Its exit code."""
    out: str
    """What it wrote to stdout."""
    err: str
    """What it wrote to stderr."""


Keywright = Callable[..., Said]


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the one who runs the tests counts."""
    kept = ("KEYWRIGHT_CACHE", "KEYWRIGHT_MONGOD", "KEYWRIGHT_REDIS_SERVER")
    for name in [name for name in os.environ if name.startswith("KEYWRIGHT_") and name not in kept]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with `MODELS`, in which the test stands."""
    folder = tmp_path / "library"
    stacks = {f"stacks/Pulumi.{name}.yaml": SOUND for name in ("dev", "prod")}
    files = {"pyproject.toml": PYPROJECT + RULES, **stacks, "models/library.py": MODELS}
    a_project(folder, files)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def keywright(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Keywright:
    """`keywright("check", "--format", "json")`: a command line, carried out in this process, where the test stands."""

    def called(*arguments: str) -> Said:
        capsys.readouterr()
        with imported_alone(Path.cwd()):
            code = run(list(arguments))
        return Said(code, *capsys.readouterr())

    return called


@pytest.fixture
def program() -> Keywright:
    """The same as a process of its own; `env` adds variables, the rest goes to `subprocess.run`."""

    def called(*arguments: str, env: dict[str, str] | None = None, **given: object) -> Said:
        ended = subprocess.run(
            [sys.executable, "-m", "keywright", *arguments],
            check=False,
            text=True,
            env={**os.environ, **(env or {})},
            **{"capture_output": True, **given},
        )
        return Said(ended.returncode, ended.stdout or "", ended.stderr or "")

    return called
