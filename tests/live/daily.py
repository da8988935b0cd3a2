"""A small project on a real server, changed from day to day by its models and the command line."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from pymongo import MongoClient
from tests.projects import a_project, imported_alone, with_imports

from keywright.api.live import connect
from keywright.cli.main import run
from keywright.migrations.run.store import StoreConnection
from keywright.project.settings import read_settings

NUMBERS = count()

STORE = "mongodb/daily"

STACK = """\
config:
  keywright:environment:
    mode: dev
    mongodb: {{flavour: mongodb, version: "6.0", database-prefix: "{prefix}"}}
"""

MODELS = """
    daily = kw.MongoDatabase("daily")

    class Book(BaseModel):
        __store__: ClassVar = kw.Collection(daily, "books", id="{isbn}", indexes=[INDEXES])
        isbn: Annotated[str, Field(max_length=13)]
        title: Annotated[str, Field(max_length=80)]
"""


def books(*indexes: str, more: str = "") -> str:
    """A model file of books with these indexes, and more lines in their class."""
    created = with_imports(MODELS.replace("INDEXES", ", ".join(f'kw.Index("{index}")' for index in indexes)))
    return created + "".join(f"    {line}\n" for line in more.splitlines())


class Said(NamedTuple):
    """What a command line came to."""

    code: int
    """Its exit code."""
    out: str
    """What it wrote to stdout."""
    err: str
    """What it wrote to stderr."""


class Daily:
    """A project with one database, whose name no other has."""

    def __init__(self, root: Path, models: str, lease_seconds: float = 60, stack: str = STACK) -> None:
        self.root, self.prefix = root, f"daily{os.getpid()}_{next(NUMBERS)}_"
        pyproject = f'[tool.keywright]\nmodels = ["models"]\nlease-seconds = {lease_seconds}\n'
        files = {"pyproject.toml": pyproject, "stacks/Pulumi.dev.yaml": stack.format(prefix=self.prefix)}
        a_project(root, {**files, "models/library.py": models})

    def becomes(self, models: str) -> None:
        """Edit the models."""
        (self.root / "models" / "library.py").write_text(models, encoding="utf-8")

    def __call__(self, *arguments: str) -> Said:
        """`keywright migrate ...` in this process, where the project is."""
        return self.keywright("migrate", *arguments)

    def keywright(self, *arguments: str) -> Said:
        """Any command."""
        out, err, before = StringIO(), StringIO(), Path.cwd()
        os.chdir(self.root)
        try:
            with redirect_stdout(out), redirect_stderr(err), imported_alone(self.root):
                code = run(list(arguments))
        finally:
            os.chdir(before)
        return Said(code, out.getvalue(), err.getvalue())

    @contextmanager
    def site(self, store: str = STORE) -> Iterator[StoreConnection]:
        """The store."""
        where = connect.StoreSelector(read_settings(self.root), "dev", is_local=True)
        with connect.opened(where, [store]) as opened:
            yield opened[store]

    @contextmanager
    def collection(self) -> Iterator[Any]:
        """The books, as anybody asks for them."""
        with MongoClient[Any](os.environ["KEYWRIGHT_MONGODB_URL"]) as client:
            yield client[f"{self.prefix}daily"]["books"]

    def forget(self) -> None:
        """Remove the database."""
        with MongoClient[Any](os.environ["KEYWRIGHT_MONGODB_URL"]) as client:
            client.drop_database(f"{self.prefix}daily")


def ended(process: "subprocess.Popen[str]", seconds: float = 60) -> Said:
    """How a process ends."""
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        out, err = process.communicate()
        raise AssertionError(f"it did not end: {out}{err}") from None
    return Said(process.returncode, out, err)
