"""Commands that need an engine's client library, where it is not installed."""

import json
import os
from pathlib import Path

import pytest

from keywright.local import process

from .conftest import Keywright

LIBRARIES = {"mongodb": "pymongo", "redis": "redis", "dynamodb": "boto3", "cassandra": "cassandra"}


@pytest.fixture
def without_libraries(tmp_path: Path) -> dict[str, str]:
    """Variables by which Python finds no client library."""
    for name in LIBRARIES.values():
        (tmp_path / "absent").mkdir(exist_ok=True)
        (tmp_path / "absent" / f"{name}.py").write_text(f"raise ImportError('no {name}')\n")
    return {"PYTHONPATH": f"{tmp_path / 'absent'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


@pytest.fixture
def running(project: Path) -> Path:
    """The project with a record of a server that runs: this very process plays it."""
    record = {
        "engine": "mongodb", "name": "mongodb", "pid": os.getpid(), "started_at": process.started_at(os.getpid()),
        "port": 1, "source": "here", "version": "6.0.5", "is_ready": True,
    }  # fmt: skip
    file = project / ".keywright" / "local" / "mongodb" / "process.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(record))
    return project


@pytest.mark.parametrize("line", ["apply --local", "inspect --local", "sample --load --local"])
@pytest.mark.usefixtures("running")
def test_a_library_that_is_missing_is_one_sentence_with_the_install_command(
    program: Keywright, without_libraries: dict[str, str], line: str
) -> None:
    assert program(*line.split(), env=without_libraries) == (
        3, "", 'error: the extra "mongodb" is not installed\n  help: pip install "keywright[mongodb]"\n',
    )  # fmt: skip


@pytest.mark.usefixtures("project")
def test_a_server_that_needs_a_missing_library_is_not_started(
    program: Keywright, without_libraries: dict[str, str]
) -> None:
    said = program("local", "up", "redis", env=without_libraries)
    assert (said.code, said.out) == (3, "")
    assert 'the extra "redis" is not installed' in said.err
    assert 'pip install "keywright[redis]"' in said.err


@pytest.mark.parametrize("line", ["check", "compile", "sample --scale 1", "local status", "local down"])
@pytest.mark.usefixtures("project")
def test_everything_that_talks_to_no_server_needs_no_library(
    program: Keywright, without_libraries: dict[str, str], line: str
) -> None:
    assert program(*line.split(), env=without_libraries).code == 0
