"""Fixes of findings, written into model files or shown as a diff."""

import subprocess
import sys
from collections.abc import Sequence
from difflib import unified_diff

import click

from keywright.api.fixing import Healed, heal
from keywright.errors import UsageError
from keywright.project.files import write
from keywright.project.formatter import line_length
from keywright.project.settings import Settings
from keywright.rules.rule import Report

from .say import counted, note, relative_file, say

_COLOURS = {"-": "red", "+": "green", "@": "cyan"}


def show(settings: Settings, report: Report, *, is_unsafe: bool) -> int:
    """Print what fixes would change; 1 if they would change something."""
    healing = heal(report.findings, line_length(settings.root), is_unsafe=is_unsafe)
    for one in healing:
        name = relative_file(str(one.file))
        lines = unified_diff(one.before.splitlines(), one.after.splitlines(), f"a/{name}", f"b/{name}", lineterm="")
        for line in lines:
            say(click.style(line, fg=_COLOURS.get(line[:1])))
    note(_told(report, healing, is_unsafe=is_unsafe, verb="would be"))
    return 1 if healing else 0


def carry_out(settings: Settings, report: Report, arguments: Sequence[str], *, is_unsafe: bool) -> int:
    """Write the fixes, then check again in a process of its own; models that no longer compile are put back.

    arguments: of the command that checks again. Its exit code is ours.
    """
    healing = heal(report.findings, line_length(settings.root), is_unsafe=is_unsafe)
    try:
        for one in healing:
            write(one.file, one.after)
        done = subprocess.run([sys.executable, "-P", "-m", "keywright", *arguments], capture_output=True, check=False)
    except BaseException:  # Ctrl-C too: what was not checked must not stay
        _put_back(healing)
        raise
    if done.returncode == 2 and healing:
        _put_back(healing)
        files = ", ".join(f'"{relative_file(str(one.file))}"' for one in healing)
        said = done.stdout.decode(errors="replace").strip()
        raise UsageError(
            f"with its fixes the project would not compile, so {files} is as it was: {said}",
            "fix the findings one by one, by `--select CODE`, or by hand",
        )
    note(_told(report, healing, is_unsafe=is_unsafe, verb="were"))
    say(done.stdout.decode(errors="replace"), nl=False)
    if said := done.stderr.decode(errors="replace").rstrip("\n"):
        note(said)
    return done.returncode


def _put_back(healing: Sequence[Healed]) -> None:
    """Every file as it was; those that no fix has reached are left alone."""
    for one in healing:
        if one.file.read_text(encoding="utf-8") != one.before:
            write(one.file, one.before)


def _told(report: Report, healing: Sequence[Healed], *, is_unsafe: bool, verb: str) -> str:
    fixed = sum(len(one.findings) for one in healing)
    told = f"{counted(fixed, 'finding')} {verb} fixed in {counted(len(healing), 'file')}"
    unsafe = sum(one.fix is not None and not one.fix.is_safe for one in report.findings)
    if unsafe and not is_unsafe:
        told += f"; {unsafe} more by --unsafe-fixes, which changes keys, data, answers or cost: look at --diff first"
    return told
