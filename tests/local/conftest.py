"""Stand-ins for server programs and for their drivers."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from keywright import local
from keywright.local import FoundServer, ServerEvent, UnavailableServer
from keywright.local.fetch.cache import Fetching
from keywright.local.recipes.recipe import Recipe
from keywright.local.recipes.table import RECIPES
from keywright.record import replace

LISTENS = """
import socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()[0].close()
"""


@dataclass
class Answers:
    """A driver with the answers of the test."""

    ready: bool = True

    def is_ready(self, url: str) -> bool:
        """Returns `ready`."""
        return self.ready

    def version(self, url: str) -> str:
        """Returns a constant version."""
        return "1.2.3"


Pretend = Callable[..., Recipe]
"""Replaces the recipe of an engine's server by a stand-in."""


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in [name for name in os.environ if name.startswith("KEYWRIGHT_")] + ["JAVA_HOME"]:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def events() -> list[ServerEvent]:
    """The reported events; its `append` is the listener."""
    return []


@pytest.fixture
def fetching(tmp_path: Path) -> Fetching:
    """A fetch into an empty cache, without a listener."""
    return Fetching(tmp_path / "cache", lambda phase, text: None, threading.Event())


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A project's `.keywright/local`, whose servers are stopped after the test."""
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
    """Replaces the server of an engine by a Python program with its port as argument."""

    def put(engine: str, program: str = LISTENS, *, missing: UnavailableServer | None = None, **changes: Any) -> Recipe:
        parts: dict[str, Any] = {
            "locate": lambda cache: missing or FoundServer(Path(sys.executable), "test"),
            "fetch": lambda fetching: missing or FoundServer(Path(sys.executable), "test"),
            "command": lambda server, data, port: (str(server.location), "-c", program, str(port)),
            "driver": Answers,
            "prepare": lambda url: None,
        }
        recipe = replace(RECIPES[engine], **(parts | changes))
        monkeypatch.setitem(RECIPES, engine, recipe)
        return recipe

    return put
