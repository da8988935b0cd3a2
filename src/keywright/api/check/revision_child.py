"""Reads what a project says of itself: in this process, or as a program for the project in the working directory.

`python -P -m keywright.api.revision_child FILE` writes it to a file, since models may print; `api.base` starts it.
"""

import json
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from keywright.compiler import plan_access, try_compile, try_load
from keywright.errors import DeclarationError, KeywrightError, Place
from keywright.history.snapshot import EMPTY, Snapshot
from keywright.project.environment import stack_file
from keywright.project.migrations import read_folder
from keywright.project.settings import Settings, read_settings
from keywright.report import findings, matrix
from keywright.report.findings import Illegal
from keywright.rules.options import Options
from keywright.rules.rule import Finding, Report

from .judged import USUAL, judge_models
from .patterns import lines
from .revision import Revision, to_json
from .versions import snapshot_of

Relative = Callable[[str], str]
"""A path from the project's folder."""


def revision_of(settings: Settings, environment: str, today: date, options: Options = USUAL) -> Revision:
    """What a project says of itself in an environment; UsageError if there is no such environment.

    today: the day by which it is decided what is still accepted. options: how rules are asked.
    """
    stack_file(settings, environment)  # a misspelt environment is said even where the models are wrong too
    relative = relative_to(settings.root)
    project, errors = try_load(settings)
    compiled, more = (None, errors) if errors else try_compile(project, environment)
    if compiled is None or more:
        illegal = [_illegal(error, relative) for error in more]
        return _told(findings.document(illegal, Report(), project.design))
    report = placed(judge_models(compiled, today, options), relative)
    told = _told(findings.document([], report, project.design))
    rows = tuple(matrix.described(line) for line in lines(plan_access(compiled), relative))
    return replace(told, patterns=rows, snapshot=snapshot_of(compiled, _last(settings)))


def placed(report: Report, relative: Relative) -> Report:
    """A report with its places as they are to be shown."""

    def shown(one: Finding) -> Finding:
        return replace(one, at=Place(relative(one.at.file), one.at.line))

    accepted = tuple(replace(one, finding=shown(one.finding)) for one in report.accepted)
    return Report(tuple(map(shown, report.findings)), accepted)


def _last(settings: Settings) -> Snapshot:
    """The snapshot of the last version, for the generations that it keeps; none where the folder is not in order."""
    try:
        head = read_folder(settings).head
    except KeywrightError:
        return EMPTY
    return head.snapshot if head else EMPTY


def relative_to(root: Path, prefix: str = "") -> Relative:
    """Names files by their paths from a folder, behind a prefix; others stay as they are."""

    def relative(file: str) -> str:
        path = Path(file)
        return prefix + path.relative_to(root).as_posix() if file and path.is_relative_to(root) else file

    return relative


def _illegal(error: DeclarationError, relative: Relative) -> Illegal:
    at = error.at
    return Illegal(error.code, error.problem, error.help, error.subject, relative(at.file), at.line)


def _told(document: str) -> Revision:
    told: dict[str, Any] = json.loads(document)
    return Revision(tuple(told["findings"]), tuple(told["suppressed"]))


def _main(output: str) -> None:
    environment, today, options = pickle.load(sys.stdin.buffer)  # from the process that has started this one
    try:
        found = revision_of(read_settings(Path.cwd()), environment, today, options)
    except KeywrightError as error:
        found = Revision(problem=error.problem)
    Path(output).write_text(to_json(found), encoding="utf-8")


if __name__ == "__main__":
    _main(*sys.argv[1:])
