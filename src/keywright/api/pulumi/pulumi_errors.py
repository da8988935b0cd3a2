"""Converts failures of Pulumi's command line into a sentence with a help text."""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from keywright.errors import Blocked, Unavailable

HELPS = (
    ("no stack named", "create it with `pulumi stack init {stack}`, or write managed-by: keywright in its stack file"),
    ("no Pulumi.yaml", "`keywright init` writes one; or write managed-by: keywright in the stack file"),
    ("passphrase", "set PULUMI_CONFIG_PASSPHRASE to the passphrase of the stack"),
    ("login", "run `pulumi login`, or set PULUMI_BACKEND_URL"),
    ("", "check that `pulumi stack --stack {stack}` works here, then run the same command again"),
)
"""Help text by words of Pulumi's messages before a program runs."""

LOCKED = ("currently locked", "[409]")
"""Words of Pulumi's messages for a locked stack: with a state file, with Pulumi's service."""

NOISE = ("update failed", "preview failed", "an unhandled error occurred: the python program stopped")
"""Errors without information."""


class Output(NamedTuple):
    """Output and exit code of a command."""

    code: int
    """Exit code."""
    out: str
    """Text on stdout."""
    err: str
    """Text on stderr."""


def unavailable(output: Output, stack: str) -> Unavailable:
    """Error of a command that could not run the program: no such stack, no login, a wrong passphrase."""
    problem = in_update(output)
    help = next(help for words, help in HELPS if words in problem)
    return Unavailable(f"pulumi: {problem}", help.format(stack=stack))


def is_locked(output: Output) -> bool:
    """Whether another process holds the stack's lock, or was killed while it did."""
    return any(word in output.err for word in LOCKED)


def locked(output: Output, stack: str) -> Blocked:
    """Error for a locked stack."""
    creator = re.search(r"created by .*", output.err)
    return Blocked(
        f'the stack "{stack}" is locked: {creator[0] if creator else in_update(output)}',
        f"wait for the process that holds it; if there is none, run `pulumi cancel --stack {stack}`; then run the same "
        "command again, which continues",
    )


def in_preview(text: str) -> str:
    """Errors of a preview; for an exception of the program, its last line."""
    try:
        diagnostics = json.loads(text).get("diagnostics") or []
    except ValueError:
        return ""
    errors: list[str] = []
    for diagnostic in diagnostics:
        lines = [line.strip() for line in diagnostic["message"].splitlines() if line.strip()]
        if diagnostic["severity"] == "error" and lines:
            is_raised = any(line.startswith("Traceback ") for line in lines)
            errors.append(f"the program failed: {lines[-1]}" if is_raised else " ".join(lines))
    return _joined(errors)


def in_update(output: Output) -> str:
    """Errors at the end of an update, without the progress before them; else its last line."""
    if output.code < 0:
        return f"it was terminated by signal {-output.code}"
    lines = [line.strip() for line in [*output.out.splitlines(), *output.err.splitlines()] if line.strip()]
    if "Diagnostics:" in lines:
        lines = lines[lines.index("Diagnostics:") + 1 :]
    errors: list[str] = []
    is_error = False
    for line in lines:
        if line.startswith("error:"):
            errors.append(line)
        elif is_error and not line.endswith(":"):
            errors[-1] += f" {line}"
        is_error = line.startswith("error:") or (is_error and not line.endswith(":"))
    return _joined(errors) or " ".join(lines[-1:]) or f"exit code {output.code}"


def _joined(errors: Iterable[str]) -> str:
    """Each error once, without errors that contain no information."""
    texts = dict.fromkeys(error.removeprefix("error:").strip() for error in errors)
    return "; ".join(text for text in texts if not text.startswith(NOISE))
