"""One store under chaos: a project under version control, the command line in processes of its own, and its items."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.projects import imported_alone

from keywright import runtime
from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis

from .shape import Shape

STACK = """\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb-local, managed-by: keywright, name-prefix: "{prefix}"}}
    mongodb: {{flavour: mongodb, database-prefix: "{prefix}"}}
    cassandra: {{flavour: cassandra, datacentres: {{dc1: 1}}, keyspace-prefix: "{prefix}"}}
    redis: {{flavour: redis}}
"""

LEASE_SECONDS = 2
PREFIX = "chaos_"
TIMEOUT_SECONDS = 180

CLIENTS = {"cassandra": cassandra.client, "dynamodb": dynamodb.client, "mongodb": mongodb.client, "redis": redis.client}


class Broken(AssertionError):
    """The store or the project is not as it should be."""


class Project:
    """A project with one store."""

    def __init__(self, root: Path, engine: str, url: str) -> None:
        self.root, self.engine, self.url = root, engine, url
        self.store = engine if engine == "dynamodb" else f"{engine}/chaos"
        self.environment = {**os.environ, f"KEYWRIGHT_{engine.upper()}_URL": url, "PYTHONDONTWRITEBYTECODE": "1"}
        (root / "models").mkdir(parents=True)
        (root / "stacks").mkdir()
        (root / "models" / "__init__.py").touch()
        pyproject = f'[tool.keywright]\nmodels = ["models"]\nlease-seconds = {LEASE_SECONDS}\n'
        (root / "pyproject.toml").write_text(pyproject)
        (root / "stacks" / "Pulumi.dev.yaml").write_text(STACK.format(prefix=PREFIX))
        (root / ".gitignore").write_text(".keywright/\nbuild/\n__pycache__/\n")
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "chaos")
        self.git("config", "user.email", "chaos@example.org")

    def write(self, shape: Shape) -> None:
        """Make the model file that of a shape."""
        (self.root / "models" / "things.py").write_text(shape.text(), encoding="utf-8")

    def git(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
        """Run git; Broken if it ends otherwise."""
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=False)
        if done.returncode not in codes:
            raise Broken(f"git {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    def commit(self, subject: str) -> None:
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)

    def begin(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start `keywright ...`, which ends by itself or by a signal."""
        return subprocess.Popen(
            [sys.executable, "-m", "keywright", *arguments], cwd=self.root, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def keywright(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> tuple[int, str]:
        """Run a command to its end: (exit code, output); Broken if the code is none of these."""
        process = self.begin(*arguments)
        try:
            out, _ = process.communicate(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Broken(f"keywright {' '.join(arguments)} does not end: {process.communicate()[0]}") from None
        if process.returncode not in codes:
            raise Broken(f"keywright {' '.join(arguments)} exits with {process.returncode}:\n{out}")
        return process.returncode, out

    def gates(self) -> list[str]:
        """Options that open every gate of the newest migrations."""
        options: list[str] = []
        for folder in sorted((self.root / "migrations").glob("[0-9]*")):
            _, result = folder.name, (folder / "migration.yaml").read_text()
            number = folder.name.partition("_")[0]
            steps = (line for line in result.splitlines() if "by: human" in line)
            options += [f"--ack={number}/{line.partition('n: ')[2].partition(',')[0]}" for line in steps]
        return [*options, "--note=chaos"] if options else []

    @contextmanager
    def application(self) -> Iterator[tuple[Any, Any]]:
        """(models, database): the code of the work tree as an application has it open."""
        with ExitStack() as stack:
            stack.enter_context(imported_alone(self.root))
            client: Any = CLIENTS[self.engine](self.url)
            stack.callback(getattr(client, "close", None) or client.cluster.shutdown)
            database = runtime.open(str(self.root), environment="dev", **{self.engine: client})
            yield sys.modules["models.things"], database

    def items(self, keys: list[str]) -> dict[str, dict[str, Any]]:
        """Every stored item by key, as the code of the work tree reads it."""
        with self.application() as (models, database):
            results = {key: models.get(database, key=key) for key in keys}
        return {key: json.loads(item.model_dump_json()) for key, item in results.items() if item is not None}
