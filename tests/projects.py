"""Small projects in a temporary folder, and what keywright says of them."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from textwrap import dedent

from keywright import api
from keywright.api.check.evaluate import evaluate_models
from keywright.engines.registry import ENGINES
from keywright.errors import DeclarationError
from keywright.pages.catalogue import CASE
from keywright.project.settings import Settings, read_settings
from keywright.rules.options import RuleOptions
from keywright.rules.rule import Finding
from keywright.rules.run import CRASHED

PYPROJECT = '[tool.keywright]\nmodels = ["models"]\n'
NEEDED = {"cassandra": ", datacentres: {dc1: 1}"}
"""What an engine's part of an environment needs beside its flavour."""

STACK = "config:\n  keywright:environment:\n    mode: dev\n" + "".join(
    f"    {engine.name}: {{flavour: {engine.name}{NEEDED.get(engine.name, '')}}}\n" for engine in ENGINES
)
"""Every engine at its plain flavour."""

IMPORTS = """\
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, Optional, Union

from pydantic import AwareDatetime, BaseModel, Field, NaiveDatetime

import keywright as kw

"""
"""What most models need; its lines come before those of the case."""


def a_project(folder: Path, files: Mapping[str, str] | str) -> Settings:
    """A project with these files, by path, and what else a project needs; a text alone is its only model file."""
    given = {CASE: files} if isinstance(files, str) else files
    # Without its __init__.py, the folder would stand behind a package of that name anywhere on the path.
    usual = {"pyproject.toml": PYPROJECT, "stacks/Pulumi.dev.yaml": STACK, "models/__init__.py": ""}
    for path, text in {**usual, **given}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
    return read_settings(folder)


def with_imports(*sources: str) -> str:
    """A model file: the usual imports and the sources."""
    return IMPORTS + "\n\n".join(dedent(source).strip("\n") + "\n" for source in sources)


def errors_of(folder: Path, files: Mapping[str, str] | str) -> list[DeclarationError]:
    """Everything that is wrong with a project of these files, in the environment `dev` too."""
    with imported_alone(folder):
        try:
            project, errors = api.try_load(a_project(folder, files))
            return errors or api.try_compile(project, "dev")[1]
        except DeclarationError as error:
            return [error]


def codes_of(folder: Path, files: Mapping[str, str] | str) -> list[str]:
    """The codes of all that is wrong, each once, sorted."""
    return sorted({error.code for error in errors_of(folder, files)})


def told(errors: list[DeclarationError], folder: Path) -> str:
    """The errors as they are shown, with paths from the project's folder."""
    return "".join(f"{error}\n" for error in errors).replace(f"{folder.resolve()}/", "")


@contextmanager
def imported_alone(folder: Path) -> Iterator[None]:
    """Forgets, before and after, modules with the names that a project's files would be imported under."""
    path, others = sys.path[:], _modules(folder)
    for name in others:
        del sys.modules[name]
    try:
        yield
    finally:
        sys.path[:] = path
        for name in _modules(folder):
            del sys.modules[name]
        sys.modules.update(others)


def _modules(folder: Path) -> dict[str, object]:
    """The modules that a folder's entries, or `models`, would be taken for."""
    tops = {"models", *(entry.stem for entry in folder.iterdir() if entry.is_dir() or entry.suffix == ".py")}
    tops -= sys.stdlib_module_names
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] in tops}


SOUND = STACK.replace("{dc1: 1}", "{dc1: 3}, repair-every-days: 7").replace(
    "{flavour: redis}", "{flavour: redis, ram: 1gb, replicas: 1}"
)
"""The same, where nothing of the environment is a finding."""


SHORT = RuleOptions(parameters={"GEN001": {"require_patterns": False}})
"""A case that is about no access pattern has none; whole projects are told."""


def findings_of(folder: Path, files: Mapping[str, str] | str) -> tuple[Finding, ...]:
    """What rules find in a project of these files, in the environment `dev`."""
    given = {CASE: files} if isinstance(files, str) else files
    folder.mkdir(exist_ok=True)
    with imported_alone(folder):
        settings = a_project(folder, {"stacks/Pulumi.dev.yaml": SOUND, **given})
        report = evaluate_models(api.compile(api.load(settings.root), "dev"), date(2026, 11, 22), SHORT)
        return without_crashes(report.findings)


def without_crashes(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings; fails with the messages of rules that crashed, which a comparison of codes would hide, and with
    questions that are none."""
    crashes = [finding.message for finding in findings if finding.code == CRASHED.code]
    assert not crashes, "\n".join(crashes)
    confused = [finding for finding in findings if finding.message.endswith("?") != (finding.severity == "question")]
    assert not confused, "only questions end with a question mark: " + "\n".join(map(str, confused))
    return findings
