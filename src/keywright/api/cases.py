"""Tests of a version's transforms: what an item is before and after, tried in memory."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keywright.engines.pages import Item as Stored
from keywright.engines.pages import Work
from keywright.errors import UsageError, did_you_mean
from keywright.history.transforming import code, decide
from keywright.history.version import Stage, Version
from keywright.ir.transform import parse
from keywright.ir.transformed import REMOVED, Poison, apply, as_it_is
from keywright.project.migrations import Folder

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tried:
    """One case."""

    version: str
    """Folder of its version."""
    file: str
    """The file that it stands in."""
    number: int
    """Which one of the file, from 1."""
    expected: Item | None
    """What the item should become; None where it should be refused."""
    found: Item | None
    """What it becomes; None where it is refused."""
    reason: str = ""
    """Why it is refused."""

    @property
    def is_right(self) -> bool:
        """Whether it becomes what it should."""
        return self.expected == self.found


def try_cases(folder: Folder, number: str | None) -> list[Tried]:
    """Every case of one version, or of all; UsageError where a file cannot be read."""
    known = [one.number for one in folder.versions]
    if number is not None and number not in known:
        raise UsageError(f'there is no version "{number}"', did_you_mean(number, known))
    chosen = [one for one in folder.versions if number in (None, one.number)]
    return [tried for version in chosen for tried in _of_version(folder.path / version.folder, version)]


def _of_version(path: Path, version: Version) -> Iterator[Tried]:
    for file in sorted(path.glob("test_*.py")):
        names: dict[str, Any] = {"__name__": file.stem, "__file__": str(file)}
        try:
            exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
            cases = list(names["CASES"])
            stage = _stage(version, names.get("STEP"))
            for at, (before, after) in enumerate(cases, start=1):
                found, reason = _become(path, stage, before)
                yield Tried(version.folder, file.name, at, after, found, reason)
        except UsageError:
            raise
        except Exception as error:
            problem = f"{file}: {type(error).__name__}: {error}"
            raise UsageError(
                problem, "it has CASES = [(item before, item after), ...], and STEP = 20 if needed"
            ) from error


def _stage(version: Version, number: int | None) -> Stage:
    fills = [one for one in version.stages if one.op == "backfill" and number in (None, one.n)]
    if len(fills) != 1:
        problem = f"{version.folder} has {len(fills)} backfills that the cases could be about"
        raise UsageError(problem, f"say STEP = one of {[one.n for one in version.stages if one.op == 'backfill']}")
    return fills[0]


class _Memory:
    """Items in memory hold every value as it is."""

    form = staticmethod(as_it_is)


_MEMORY: Any = _Memory()


def _become(path: Path, stage: Stage, item: Item) -> tuple[Item | None, str]:
    told: Any = stage.more
    try:
        if "transform" in told:
            values = apply(parse(told["transform"]), dict(item))
        else:
            file = path / told["module"]
            python = code(file.read_text(encoding="utf-8"), str(file))
            work = Work(object="", reads=python.reads, writes=python.writes)
            values = decide(work, _MEMORY, python)(Stored(None, item))
    except Poison as poison:
        return None, str(poison)
    made = {**item, **(values or {})}
    return {name: value for name, value in made.items() if value is not REMOVED}, ""
