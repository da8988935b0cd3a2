"""Evaluates a project: in this process, or as a program for the project in the working directory.

`python -P -m keywright.api.check.revision_child FILE` writes the result to a file, because models may print;
`merge_base` starts it.
"""

import json
import pickle
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from keywright.compiler import plan_access, try_compile, try_load
from keywright.errors import DeclarationError, KeywrightError, Place
from keywright.frontend.import_limits import bounded
from keywright.migrations.snapshot import EMPTY, Snapshot
from keywright.pages.catalogue import url_of
from keywright.project.environments.environment import stack_file
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import Settings, read_settings
from keywright.record import replace
from keywright.report import findings, matrix
from keywright.report.findings import CompileError
from keywright.rules.options import RuleOptions
from keywright.rules.rule import Finding, Report

from ..author.diff import snapshot_of
from .evaluate import DEFAULT_OPTIONS, evaluate_models
from .matrix import lines
from .revision import Revision, to_json

Relative = Callable[[str], str]
"""Returns a path relative to the project's folder."""


def revision_of(settings: Settings, environment: str, today: date, options: RuleOptions = DEFAULT_OPTIONS) -> Revision:
    """The revision of a project in an environment; UsageError if there is no such environment.

    today: the date that decides which suppressions have expired. options: options of the rules.
    """
    stack_file(settings, environment)  # reports a misspelt environment even if the models do not compile
    relative = relative_to(settings.root)
    project, errors = try_load(settings)
    compiled, more = (None, errors) if errors else try_compile(project, environment)
    if compiled is None or more:
        compile_errors = [_compile_error(error, relative, settings.documentation) for error in more]
        return _revision(findings.document(compile_errors, Report(), project.design))
    report = placed(evaluate_models(compiled, today, options), relative)
    revision = _revision(findings.document([], report, project.design))
    rows = tuple(matrix.described(line) for line in lines(plan_access(compiled), relative))
    return replace(revision, patterns=rows, snapshot=snapshot_of(compiled, _last(settings)))


def placed(report: Report, relative: Relative) -> Report:
    """A report with relative places."""

    def relocated(finding: Finding) -> Finding:
        return replace(finding, at=Place(relative(finding.at.file), finding.at.line))

    accepted = tuple(replace(suppressed, finding=relocated(suppressed.finding)) for suppressed in report.accepted)
    return Report(tuple(map(relocated, report.findings)), accepted)


def _last(settings: Settings) -> Snapshot:
    """The snapshot of the last migration, with its generations; an empty one if the folder is invalid."""
    try:
        head = read_folder(settings).head
    except KeywrightError:
        return EMPTY
    return head.snapshot if head else EMPTY


def relative_to(root: Path, prefix: str = "") -> Relative:
    """A function that makes paths relative to a folder and adds a prefix; paths outside stay unchanged."""

    def relative(file: str) -> str:
        path = Path(file)
        return prefix + path.relative_to(root).as_posix() if file and path.is_relative_to(root) else file

    return relative


def _compile_error(error: DeclarationError, relative: Relative, documentation: str) -> CompileError:
    at, url = error.at, url_of(error.code, documentation)
    return CompileError(error.code, error.problem, error.help, error.subject, relative(at.file), at.line, url)


def _revision(document: str) -> Revision:
    content: dict[str, Any] = json.loads(document)
    return Revision(tuple(content["findings"]), tuple(content["suppressed"]))


def _main(output: str) -> None:
    environment, today, options = pickle.load(sys.stdin.buffer)  # from the parent process
    try:
        with bounded():
            revision = revision_of(read_settings(Path.cwd()), environment, today, options)
    except KeywrightError as error:
        revision = Revision(problem=error.problem)
    Path(output).write_text(to_json(revision), encoding="utf-8")


if __name__ == "__main__":
    _main(*sys.argv[1:])
