"""Evaluates a project as of a merge base in a separate process, because models are code.

`check --git-base` subtracts `fingerprints(settings, reference, environment, today, options)` by `added`.
"""

import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TypeVar

from keywright.project.export import Exported, exported
from keywright.project.settings import Settings
from keywright.record import Record
from keywright.rules.options import RuleOptions

from .evaluate import DEFAULT_OPTIONS
from .revision import NOTHING, Revision, from_json

T = TypeVar("T")


class Base(Record):
    """The base of a branch."""

    exported: Exported
    """Its commits, and the project's folder in the repository; the exported files have been removed."""
    revision: Revision
    """Findings, patterns and snapshot of the base; `NOTHING` if it has no project yet."""


def base_of(
    settings: Settings, reference: str, environment: str, today: date, options: RuleOptions = DEFAULT_OPTIONS
) -> Base:
    """A project in an environment as of the merge base with a branch, tag or commit.

    today: the date that decides which suppressions have expired. options: options of the rules, those of the work tree,
    so that a changed setting neither adds nor removes findings. Models that do not compile are findings of the
    revision, not an error. Raises UsageError if git does not have the reference or a common commit, Unavailable if git
    is not installed.
    """
    with exported(settings, reference) as export:
        revision = _read(export.root, environment, today, options) if export.root else NOTHING
    return Base(export, revision)


def fingerprints(
    settings: Settings, reference: str, environment: str, today: date, options: RuleOptions = DEFAULT_OPTIONS
) -> Counter[str]:
    """Number of the base's findings of each fingerprint, without suppressed ones.

    today, options and errors: as in `base_of`.
    """
    findings = base_of(settings, reference, environment, today, options).revision.findings
    return Counter(str(finding["fingerprint"]) for finding in findings)


def added(current: Iterable[tuple[str, T]], before: Counter[str]) -> Iterator[T]:
    """Findings that the base does not have; `current` contains (fingerprint, finding)."""
    remaining = Counter(before)
    for fingerprint, finding in current:
        remaining[fingerprint] -= 1
        if remaining[fingerprint] < 0:
            yield finding


def _read(root: Path, environment: str, today: date, options: RuleOptions) -> Revision:
    """The revision of a project in a folder, evaluated by a process in that folder."""
    output = root.parent / f".{root.name}.revision"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "keywright.api.check.revision_child", str(output)], cwd=root, env=_environment(),
        input=pickle.dumps((environment, today, options)), capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode or not output.is_file():
        text = done.stderr.decode(errors="replace").strip() or f"Python exited with code {done.returncode}"
        return Revision(problem=f"the models could not be read: {text.splitlines()[-1]}")
    return from_json(output.read_text(encoding="utf-8"))


def _environment() -> dict[str, str]:
    """This process's variables, without those of this project, and with absolute import paths."""
    variables = {
        name: value for name, value in os.environ.items() if name not in ("KEYWRIGHT_PROJECT", "KEYWRIGHT_ENV")
    }
    if path := variables.get("PYTHONPATH"):
        variables["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, path.split(os.pathsep)))
    return variables
