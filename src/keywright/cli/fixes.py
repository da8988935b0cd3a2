"""Fixes of findings: writes them into model files, or prints them as a diff."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from difflib import unified_diff
from pathlib import Path

import click

from keywright.api.check.fix import FixedFile, fix_all
from keywright.api.check.recheck import Recheck
from keywright.errors import UsageError
from keywright.project.files import write
from keywright.project.formatter import line_length
from keywright.project.settings import Settings
from keywright.rules.rule import Report

from .output import counted, note, print_line, relative_file

_COLOURS = {"-": "red", "+": "green", "@": "cyan"}


def show(settings: Settings, report: Report, recheck: Recheck, *, is_unsafe: bool) -> int:
    """Print the changes of fixes; 1 if there are any."""
    fixed_files = fix_all(report.findings, line_length(settings.root), recheck, is_unsafe=is_unsafe)
    for fixed_file in fixed_files:
        name = relative_file(str(fixed_file.file))
        lines = unified_diff(
            fixed_file.before.splitlines(), fixed_file.after.splitlines(), f"a/{name}", f"b/{name}", lineterm=""
        )
        for line in lines:
            print_line(click.style(line, fg=_COLOURS.get(line[:1])))
    note(_summary(report, fixed_files, is_unsafe=is_unsafe, verb="would be"))
    return 1 if fixed_files else 0


def apply_fixes(
    settings: Settings, report: Report, recheck: Recheck, arguments: Sequence[str], *, is_unsafe: bool
) -> int:
    """Write the fixes, then check again in a separate process; restore the files if the models no longer compile.

    arguments: those of the second check, whose exit code is returned.
    """
    fixed_files = fix_all(report.findings, line_length(settings.root), recheck, is_unsafe=is_unsafe)
    line_ends = {file.file: "\r\n" if b"\r\n" in file.file.read_bytes() else "\n" for file in fixed_files}
    try:
        for fixed_file in fixed_files:
            write(fixed_file.file, fixed_file.after.replace("\n", line_ends[fixed_file.file]))
        done = subprocess.run([sys.executable, "-P", "-m", "keywright", *arguments], capture_output=True, check=False)
    except BaseException:  # Ctrl-C too: unchecked files must not remain
        _restore(fixed_files, line_ends)
        raise
    if done.returncode == 2 and fixed_files:
        _restore(fixed_files, line_ends)
        files = ", ".join(f'"{relative_file(str(file.file))}"' for file in fixed_files)
        text = done.stdout.decode(errors="replace").strip()
        raise UsageError(
            f"the project does not compile with the fixes, so {files} was restored: {text}",
            "fix the findings one by one with `--select CODE`, or by hand",
        )
    note(_summary(report, fixed_files, is_unsafe=is_unsafe, verb="were"))
    print_line(done.stdout.decode(errors="replace"), nl=False)
    if text := done.stderr.decode(errors="replace").rstrip("\n"):
        note(text)
    return done.returncode


def _restore(fixed_files: Sequence[FixedFile], line_ends: Mapping[Path, str]) -> None:
    """Restore every file that a fix has changed."""
    for fixed_file in fixed_files:
        if fixed_file.file.read_text(encoding="utf-8") != fixed_file.before:
            write(fixed_file.file, fixed_file.before.replace("\n", line_ends[fixed_file.file]))


def _summary(report: Report, fixed_files: Sequence[FixedFile], *, is_unsafe: bool, verb: str) -> str:
    fixed = sum(len(file.findings) for file in fixed_files)
    text = f"{counted(fixed, 'finding')} {verb} fixed in {counted(len(fixed_files), 'file')}"
    fixable = [finding for finding in report.findings if finding.fix is not None and (finding.fix.is_safe or is_unsafe)]
    if unfixed := len(fixable) - fixed:
        text += f"; {unfixed} not, because the fix would add a finding or the code cannot be edited safely"
    unsafe = sum(finding.fix is not None and not finding.fix.is_safe for finding in report.findings)
    if unsafe and not is_unsafe:
        text += f"; {unsafe} more with --unsafe-fixes, which change keys, data, answers or cost: review --diff first"
    return text
