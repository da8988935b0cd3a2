"""Tests of a version's transforms: what an item is before and after, tried in memory."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keywright.engines.pages import Item as Stored
from keywright.engines.pages import Work
from keywright.errors import UsageError, did_you_mean
from keywright.history.transforming import Code, code, decide
from keywright.history.version import Stage, Version
from keywright.ir.transform import Transform, parse
from keywright.ir.transformed import REMOVED, Poison, apply, as_it_is
from keywright.project.migrations import Folder

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One case, as its file has it."""

    version: Version
    """Its version."""
    stage: Stage
    """The backfill that it is about."""
    file: Path
    """Where it stands."""
    number: int
    """Which one of the file, from 1."""
    before: Item
    """An item as it is stored before the version."""
    after: Item | None
    """What it becomes; None where it goes to quarantine."""

    def __str__(self) -> str:
        return f"{self.version.folder}/{self.file.name} case {self.number}"

    @property
    def transform(self) -> Transform | Code:
        """What is done to items, declared or in Python."""
        told: Any = self.stage.more
        if "transform" in told:
            return parse(told["transform"])
        module = self.file.parent / told["module"]
        return code(module.read_text(encoding="utf-8"), str(module))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What became of a case."""

    case: Case
    """The case."""
    expected: Item | None
    """What the item should become; None where it should be refused."""
    found: Item | None
    """What it becomes; None where it is refused."""
    reason: str = ""
    """Why it is refused, or what else is to be said of it."""
    is_live: bool = False
    """Whether that was seen on a server."""

    @property
    def is_right(self) -> bool:
        """Whether it becomes what it should."""
        return self.expected == self.found


def read_cases(folder: Folder, number: str | None) -> list[Case]:
    """The cases of one version, or of all; UsageError where a file cannot be read."""
    known = [one.number for one in folder.versions]
    if number is not None and number not in known:
        raise UsageError(f'there is no version "{number}"', did_you_mean(number, known))
    chosen = [one for one in folder.versions if number in (None, one.number)]
    return [case for version in chosen for case in _of_version(folder.path / version.folder, version)]


def _of_version(path: Path, version: Version) -> Iterator[Case]:
    for file in sorted(path.glob("test_*.py")):
        with _at_fault(file):
            names: dict[str, Any] = {"__name__": file.stem, "__file__": str(file)}
            exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
            stage = _stage(version, names.get("STEP"))
            for at, (before, after) in enumerate(names["CASES"], start=1):
                yield Case(version, stage, file, at, before, after)


@contextmanager
def _at_fault(file: Path) -> Iterator[None]:
    """Within the block, whatever goes wrong is an error of that file."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        problem = f"{file}: {type(error).__name__}: {error}"
        raise UsageError(problem, "it has CASES = [(item before, item after), ...], and STEP = 20 if needed") from error


def _stage(version: Version, number: int | None) -> Stage:
    fills = [one for one in version.stages if one.op == "backfill" and number in (None, one.n)]
    if len(fills) != 1:
        problem = f"{version.folder} has {len(fills)} backfills that the cases could be about"
        raise UsageError(problem, f"say STEP = one of {[one.n for one in version.stages if one.op == 'backfill']}")
    return fills[0]


def try_cases(cases: list[Case]) -> list[Tried]:
    """What becomes of each in memory; UsageError where a transform itself is wrong."""
    found: list[Tried] = []
    for case in cases:
        with _at_fault(case.file):
            item, reason = _become(case)
        found.append(Tried(case=case, expected=case.after, found=item, reason=reason))
    return found


class _Memory:
    """Items in memory hold every value as it is."""

    form = staticmethod(as_it_is)


_MEMORY: Any = _Memory()


def _become(case: Case) -> tuple[Item | None, str]:
    made, item = case.transform, case.before
    try:
        if isinstance(made, Transform):
            values = apply(made, dict(item))
        else:
            work = Work(object="", reads=made.reads, writes=made.writes)
            values = decide(work, _MEMORY, made)(Stored(None, item))
    except Poison as poison:
        return None, str(poison)
    found = {**item, **(values or {})}
    return {name: value for name, value in found.items() if value is not REMOVED}, ""
