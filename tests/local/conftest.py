"""Stand-ins for server programs and for their drivers."""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from keywright import local
from keywright.local import Event, Found, Missing
from keywright.local.recipe import Recipe
from keywright.local.recipes import RECIPES

LISTENS = """
import socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()[0].close()
"""


@dataclass
class Answers:
    """A driver that says what the test tells it to."""

    ready: bool = True

    def is_ready(self, url: str) -> bool:
        """What `ready` says."""
        return self.ready

    def version(self, url: str) -> str:
        """Always the same."""
        return "1.2.3"


Pretend = Callable[..., Recipe]
"""Puts a stand-in for an engine's server in the place of its recipe."""


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in [name for name in os.environ if name.startswith("KEYWRIGHT_")] + ["JAVA_HOME"]:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def events() -> list[Event]:
    """What was told; its `append` is the listener."""
    return []


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A project's `.keywright/local`, in which nothing is left running."""
    yield tmp_path / "project" / "local"
    local.down(tmp_path / "project" / "local", tell=lambda event: None)


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes an executable shell script into a folder `bin` and returns its path."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Pretend:
    """Replaces the server of an engine by a Python program that is given its port."""

    def put(engine: str, program: str = LISTENS, *, missing: Missing | None = None, **changes: Any) -> Recipe:
        parts: dict[str, Any] = {
            "locate": lambda cache: missing or Found(Path(sys.executable), "test"),
            "fetch": lambda fetching: missing or Found(Path(sys.executable), "test"),
            "command": lambda found, data, port: (str(found.location), "-c", program, str(port)),
            "driver": Answers,
            "prepare": lambda url: None,
        }
        recipe = replace(RECIPES[engine], **(parts | changes))
        monkeypatch.setitem(RECIPES, engine, recipe)
        return recipe

    return put
