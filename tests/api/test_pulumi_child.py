"""The child process of `migrate apply`, with a program that prints the output of Pulumi."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keywright.api.pulumi.pulumi_cli import Child
from keywright.engines.interface import StatementFailed
from keywright.errors import Blocked, Unavailable

Says = Callable[..., Child]

LOCK = """\
error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file.
  file:///state/.pulumi/locks/shop/prod/1.json: created by me@here (pid 7) at 2026-11-22T05:00:43Z
"""

FAILED = """\
Updating (prod):
 ~  aws:dynamodb:Table shop updating (0s) [diff: +globalSecondaryIndexes~attributes]
    pulumi:pulumi:Stack shop-prod running error: update failed
Diagnostics:
  pulumi:pulumi:Stack (shop-prod):
    error: update failed
  aws:dynamodb:Table (shop):
    error: 1 error occurred:
        * updating urn: LimitExceededException: too many indexes

Resources:
    2 unchanged
"""


def quiet() -> None:
    """A lock that is held."""


@pytest.fixture
def says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Says:
    """`says(code=1, err="...")`: a child whose program writes that and ends so; its shell begins with `first`."""

    def child(code: int = 0, out: str = "", err: str = "", first: str = ":") -> Child:
        folder = tmp_path / "programs"
        folder.mkdir()
        for name, text in (("out", out), ("err", err)):
            (folder / name).write_text(text)
        program = folder / "pulumi"
        program.write_text(f"#!/bin/sh\n{first}\ncat {folder}/out\ncat {folder}/err >&2\nexit {code}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return Child(tmp_path, "prod")

    return child


def preview(*messages: str) -> str:
    """A preview with these errors."""
    return json.dumps({"steps": [], "diagnostics": [{"message": message, "severity": "error"} for message in messages]})


@pytest.mark.parametrize(
    ("err", "problem", "help"),
    [
        ("error: no stack named 'prod' found\n", "no stack named 'prod' found", "`pulumi stack init prod`"),
        (
            "error: getting stack configuration: get stack secrets manager: incorrect passphrase\n",
            "incorrect passphrase",
            "PULUMI_CONFIG_PASSPHRASE",
        ),
        ("error: PULUMI_ACCESS_TOKEN must be set for login\n", "must be set for login", "`pulumi login`"),
        ("error: no Pulumi.yaml project file found\n", "no Pulumi.yaml", "managed-by: keywright"),
        ("", "exit code 3", "`pulumi stack --stack prod`"),
    ],
)
def test_a_command_that_comes_to_no_program_is_told_in_its_own_words(
    says: Says, err: str, problem: str, help: str
) -> None:
    child = says(code=3, err=err)
    for begin in (child.ready, lambda: child.preview("0002/20", quiet)):
        with pytest.raises(Unavailable) as caught:
            begin()
        assert problem in caught.value.problem
        assert help in caught.value.help


def test_no_program_at_all_says_what_to_install_or_to_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable) as caught:
        Child(tmp_path, "prod").ready()
    assert str(caught.value) == (
        '"pulumi" is not on PATH, and a stack owns the tables of "prod"\n'
        "  help: install it (pulumi.com/docs/install), or write managed-by: keywright in the stack file"
    )


def test_a_preview_that_fails_tells_its_errors_and_no_traceback(says: Says) -> None:
    raised = "error: Program failed with an unhandled exception:\nTraceback (most recent call last):\nKeyError: 'a'\n"
    noise = "error: an unhandled error occurred: the python program stopped with exit code 1\n"
    own = "error: the models are ahead\n  help: write them down\n"
    child = says(code=1, out=preview(own, raised, noise))
    with pytest.raises(StatementFailed) as caught:
        child.preview("0002/20", quiet)
    assert str(caught.value) == (
        "`pulumi preview` failed: the models are ahead help: write them down; the program failed: KeyError: 'a'"
    )


def test_a_preview_is_read_from_behind_what_else_is_written(says: Says) -> None:
    assert json.loads(says(out=f"note\n{preview()}").preview("0002/20", quiet)) == {"steps": [], "diagnostics": []}


def test_an_update_that_fails_tells_its_diagnostics(says: Says) -> None:
    with pytest.raises(StatementFailed) as caught:
        says(code=1, out=FAILED).up("0002/20", quiet)
    assert str(caught.value) == (
        "`pulumi up` failed: 1 error occurred: * updating urn: LimitExceededException: too many indexes"
    )


def test_an_update_that_is_killed_says_so(says: Says) -> None:
    with pytest.raises(StatementFailed, match="it was terminated by signal 9"):
        says(first="kill -9 $$").up("0002/20", quiet)


@pytest.mark.parametrize(
    ("err", "who"),
    [
        (LOCK, "created by me@here (pid 7) at 2026-11-22T05:00:43Z"),
        (
            "error: [409] Conflict: Another update is currently in progress.\n",
            "Another update is currently in progress",
        ),
    ],
)
def test_a_locked_stack_says_who_has_it_and_how_it_is_freed(says: Says, err: str, who: str) -> None:
    with pytest.raises(Blocked) as caught:
        says(code=1, err=err).up("0002/20", quiet)
    assert who in caught.value.problem
    assert "`pulumi cancel --stack prod`" in caught.value.help


def test_its_program_is_told_the_position_and_the_project(says: Says, tmp_path: Path) -> None:
    lines: list[str] = []
    child = says(first='echo "$KEYWRIGHT_POSITION $KEYWRIGHT_PROJECT $PWD $*"')
    Child(child.root, child.stack, lines.append).up("0002/20", quiet)
    words = "up --yes --skip-preview --refresh --stack prod --non-interactive --color never"
    assert lines == [f"0002/20 {tmp_path} {tmp_path} {words}"]


def test_a_lock_that_is_lost_interrupts_it_and_waits_for_its_end(says: Says, tmp_path: Path) -> None:
    child = says(first=f"trap 'echo ended > {tmp_path}/ended; exit 1' INT; while :; do sleep 0.1; done")

    def lost() -> None:
        raise Blocked("the lock was lost")

    with pytest.raises(Blocked, match="the lock was lost"):
        child.up("0002/20", lost)
    assert (tmp_path / "ended").read_text() == "ended\n"


def test_ctrl_c_interrupts_it_once_and_waits_for_its_end(says: Says, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    first = f"trap 'echo ended >> {tmp_path}/ended; sleep 0.3; exit 1' INT; touch {ready}; while :; do sleep 0.1; done"
    child = says(first=first)

    def interrupt() -> None:
        while not ready.exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        child.up("0002/20", quiet)
    assert (tmp_path / "ended").read_text() == "ended\n"


def test_ctrl_c_while_it_starts_interrupts_it_too(says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = f"trap 'echo ended >> {tmp_path}/ended; exit 1' INT; touch {tmp_path}/ready; while :; do sleep 0.1; done"
    child, start = says(first=first), subprocess.Popen.__init__

    def started(*arguments: Any, **options: Any) -> None:
        start(*arguments, **options)
        while not (tmp_path / "ready").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(subprocess.Popen, "__init__", started)
    with pytest.raises(KeyboardInterrupt):
        child.up("0002/20", quiet)
    assert (tmp_path / "ended").read_text() == "ended\n"
