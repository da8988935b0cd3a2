"""What Pulumi's command line says when it fails, in a sentence, with what to do about it."""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from keywright.errors import Blocked, Unavailable

HELPS = (
    ("no stack named", "make it with `pulumi stack init {stack}`; or say managed-by: keywright in its stack file"),
    ("no Pulumi.yaml", "`keywright init` writes one; or say managed-by: keywright in the stack file"),
    ("passphrase", "set PULUMI_CONFIG_PASSPHRASE to that of the stack"),
    ("login", "run `pulumi login`, or set PULUMI_BACKEND_URL"),
    ("", "see whether `pulumi stack --stack {stack}` works here; then run the same command again"),
)
"""What to do, by words of a message of Pulumi that comes before any program runs."""

LOCKED = ("currently locked", "[409]")
"""What Pulumi says where somebody else is at work on a stack: of a file of state, of its service."""

NOISE = ("update failed", "preview failed", "an unhandled error occurred: the python program stopped")
"""Errors that only say that there was one."""


class Output(NamedTuple):
    """What a command wrote, and how it ended."""

    code: int
    """Its exit code."""
    out: str
    """What it wrote to stdout."""
    err: str
    """What it wrote to stderr."""


def unavailable(output: Output, stack: str) -> Unavailable:
    """A command that came to no program: no such stack, no login, a wrong passphrase."""
    problem = in_update(output)
    help = next(help for words, help in HELPS if words in problem)
    return Unavailable(f"pulumi: {problem}", help.format(stack=stack))


def is_locked(output: Output) -> bool:
    """Whether somebody else is at work on the stack, or was when it was killed."""
    return any(word in output.err for word in LOCKED)


def locked(output: Output, stack: str) -> Blocked:
    """A stack on which somebody else is at work."""
    who = re.search(r"created by .*", output.err)
    return Blocked(
        f'the stack "{stack}" is locked: {who[0] if who else in_update(output)}',
        f"wait for who is at work on it; if nobody is, run `pulumi cancel --stack {stack}`; then run the same command "
        "again, it goes on from there",
    )


def in_preview(text: str) -> str:
    """The errors that a preview tells of; of a program that raised something, what that was."""
    try:
        told = json.loads(text).get("diagnostics") or []
    except ValueError:
        return ""
    found: list[str] = []
    for one in told:
        lines = [line.strip() for line in one["message"].splitlines() if line.strip()]
        if one["severity"] == "error" and lines:
            is_raised = any(line.startswith("Traceback ") for line in lines)
            found.append(f"the program failed: {lines[-1]}" if is_raised else " ".join(lines))
    return _joined(found)


def in_update(output: Output) -> str:
    """The errors at the end of an update, without the progress before them; else its last words."""
    if output.code < 0:
        return f"it was ended by signal {-output.code}"
    lines = [line.strip() for line in [*output.out.splitlines(), *output.err.splitlines()] if line.strip()]
    if "Diagnostics:" in lines:
        lines = lines[lines.index("Diagnostics:") + 1 :]
    found: list[str] = []
    is_error = False
    for line in lines:
        if line.startswith("error:"):
            found.append(line)
        elif is_error and not line.endswith(":"):
            found[-1] += f" {line}"
        is_error = line.startswith("error:") or (is_error and not line.endswith(":"))
    return _joined(found) or " ".join(lines[-1:]) or f"exit code {output.code}"


def _joined(errors: Iterable[str]) -> str:
    """Each error once, without what only says that there is one."""
    said = dict.fromkeys(one.removeprefix("error:").strip() for one in errors)
    return "; ".join(one for one in said if not one.startswith(NOISE))
