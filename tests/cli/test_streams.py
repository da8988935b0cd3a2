"""The program as a process: readers that go, streams that are closed or full, and Ctrl-C."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from tests.interrupts import SECONDS, unmeasured

from .conftest import Keywright

COMMAND = [sys.executable, "-m", "keywright"]
HAS_FULL = Path("/dev/full").exists()


@pytest.mark.parametrize("line", ["--help", "explain", "compile -h", "check --format json", "sample --scale 500"])
@pytest.mark.usefixtures("project")
def test_a_reader_that_has_gone_is_no_error(line: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = subprocess.run([*COMMAND, *line.split()], check=False, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_reader_that_has_gone_does_not_change_the_verdict(project: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run([*COMMAND, "compile", "--check"], check=False, stdout=writing)
    os.close(writing)
    assert ended.returncode == 1


@pytest.mark.skipif(not HAS_FULL, reason="there is no /dev/full here")
@pytest.mark.parametrize("line", ["--help", "check"])
@pytest.mark.usefixtures("project")
def test_a_full_disk_is_told(line: str) -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run([*COMMAND, line], check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (ended.returncode, ended.stderr.splitlines()[0]) == (
        2, "error: cannot use the output: no space left on device",
    )  # fmt: skip


@pytest.mark.skipif(not HAS_FULL, reason="there is no /dev/full here")
@pytest.mark.usefixtures("project")
def test_messages_that_cannot_be_written_do_not_change_the_exit_code(program: Keywright) -> None:
    with open("/dev/full", "wb") as full:
        assert program("explain", "nope", capture_output=False, stdout=subprocess.PIPE, stderr=full).code == 2


UNBOUNDED = """\
    from typing import ClassVar

    from pydantic import BaseModel

    import keywright as kw
    from models.library import catalogue

    class Post(BaseModel):
        __store__: ClassVar = kw.Collection(catalogue, "posts", id="{post_id}", expected=5_000)
        post_id: str
        tags: list[str]
"""
"""A list that MDB001 reports."""

CLOSED = [">&-", "2>&-", "<&- >&- 2>&-"]
"""Streams that are closed before the program starts, as a shell closes them."""


def run_with_closed(closed: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    line = ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *arguments]
    return subprocess.run(line, check=False, capture_output=True, text=True)


@pytest.mark.parametrize("closed", CLOSED)
@pytest.mark.parametrize("line", ["compile", "--version", "compile --check"])
@pytest.mark.usefixtures("project")
def test_a_closed_stream_is_no_error(line: str, closed: str) -> None:
    ended = run_with_closed(closed, *line.split())
    assert (ended.returncode, ended.stderr) == (1 if "--check" in line else 0, "")


@pytest.mark.parametrize("closed", CLOSED)
@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_closed_stream_does_not_change_the_exit_code_of_findings(closed: str, format_: str, project: Path) -> None:
    (project / "models" / "lists.py").write_text(dedent(UNBOUNDED))
    ended = run_with_closed(closed, "check", "--select", "MDB001", "--format", format_)
    assert (ended.returncode, "MDB001" in ended.stdout) == (1, ">&-" not in closed.replace("2>&-", ""))


@pytest.mark.parametrize("closed", CLOSED)
def test_a_closed_stream_does_not_change_the_exit_code_of_compile_errors(closed: str, project: Path) -> None:
    (project / "models" / "wrong.py").write_text("import nothing_of_that_name\n")
    assert [run_with_closed(closed, command).returncode for command in ("check", "compile")] == [2, 2]
    assert not list(project.rglob("crash.log"))


def test_python_m_keywright_is_the_program(program: Keywright) -> None:
    assert program("--version") == (0, "keywright 0.1.0\n", "")


def test_messages_do_not_stand_among_json(program: Keywright, project: Path) -> None:
    (project / "stacks" / "Pulumi.dev.yaml").write_text("config: [")
    said = program("compile", "--format", "json")
    assert (said.code, said.out) == (2, "")


INTERRUPTED = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
"""A model file that presses Ctrl-C while it is imported."""


def test_ctrl_c_while_models_are_imported_writes_nothing(program: Keywright, project: Path) -> None:
    (project / "models" / "slow.py").write_text(INTERRUPTED)
    assert program("compile") == (130, "", "interrupted\n")
    assert sorted(file.name for file in project.iterdir() if file.name != ".keywright") == [
        "models", "pyproject.toml", "stacks",
    ]  # fmt: skip


INTERRUPTED_WRITE = """\
import os, signal
import keywright.project.files as files

def replace(before, after, original=os.replace):
    if after.name == "sessions.conf":
        os.kill(os.getpid(), signal.SIGINT)
    original(before, after)

files.os = type("os", (), {**vars(os), "replace": staticmethod(replace)})
"""


def test_ctrl_c_while_artefacts_are_written_leaves_only_whole_files(program: Keywright, project: Path) -> None:
    (project / "models" / "interrupted.py").write_text(INTERRUPTED_WRITE)
    assert program("compile").code == 130
    build = project / "build" / "dev"
    assert sorted(file.name for file in build.rglob("*") if file.is_file()) == [
        "access.json",
        "catalogue.js",
        "ir.json",
    ]
    (project / "models" / "interrupted.py").unlink()
    assert program("compile", "--check").out == "new  redis/sessions.conf\n1 file would change in dev, 4 files in all\n"


@pytest.mark.usefixtures("project")
def test_ctrl_c_ends_a_long_sample(project: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "sample", "--scale", "1000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=unmeasured(),
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline().startswith('{"entity"')
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err) == (130, "interrupted\n")
