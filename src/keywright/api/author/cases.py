"""Tests of a migration's transforms in memory: an item before and the expected item after."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from keywright.engines.contract.pages import StoredItem as Stored
from keywright.engines.contract.pages import Work
from keywright.errors import UsageError, did_you_mean
from keywright.ir.apply_transform import REMOVED, Poison, apply, as_it_is
from keywright.ir.text import counted
from keywright.ir.transform import Transform, parse
from keywright.migrations.backfill.item_transform import PythonTransform, code, decide
from keywright.migrations.migration import Migration, Step
from keywright.project.migrations.folder import Folder
from keywright.record import Record

CaseItem = Mapping[str, Any]


class Case(Record):
    """A case of a test file."""

    migration: Migration
    """Migration of the case."""
    step: Step
    """Tested backfill."""
    file: Path
    """File of the case."""
    number: int
    """Number in the file, from 1."""
    before: CaseItem
    """Item as stored before the migration."""
    after: CaseItem | None
    """Expected item; None if it goes to quarantine."""

    def __str__(self) -> str:
        return f"{self.migration.folder}/{self.file.name} case {self.number}"

    @property
    def transform(self) -> Transform | PythonTransform:
        """Transform of the items, declared or in Python."""
        words: Any = self.step.more
        if "transform" in words:
            return parse(words["transform"])
        module = self.file.parent / words["module"]
        return code(module.read_text(encoding="utf-8"), str(module))


class CaseResult(Record, kw_only=True):
    """Result of a case."""

    case: Case
    """Executed case."""
    expected: CaseItem | None
    """Expected item; None if it should be rejected."""
    after: CaseItem | None
    """Actual item; None if it was rejected."""
    reason: str = ""
    """Reason of the rejection, or another note."""
    again: tuple[str, ...] = ()
    """Fields that a second application would change; in a pass, marks or versions prevent it."""
    is_live: bool = False
    """Whether the case ran on a server."""

    @property
    def is_right(self) -> bool:
        """Whether the actual item equals the expected one."""
        return self.expected == self.after


def read_cases(folder: Folder, number: str | None) -> list[Case]:
    """Cases of one migration, or of all; UsageError if a file cannot be read."""
    numbers = [migration.number for migration in folder.migrations]
    if number is not None and number not in numbers:
        raise UsageError(f'there is no migration "{number}"', did_you_mean(number, numbers))
    chosen = [migration for migration in folder.migrations if number in (None, migration.number)]
    return [case for migration in chosen for case in _of_migration(folder.path / migration.folder, migration)]


def _of_migration(path: Path, migration: Migration) -> Iterator[Case]:
    for file in sorted(path.glob("test_*.py")):
        with _errors_of(file):
            names: dict[str, Any] = {"__name__": file.stem, "__file__": str(file)}
            exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
            step = _step(migration, names.get("STEP"))
            for position, (before, after) in enumerate(names["CASES"], start=1):
                yield Case(migration, step, file, position, before, after)


@contextmanager
def _errors_of(file: Path) -> Iterator[None]:
    """Raise every exception of the block as an error of the file."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        problem = f"{file}: {type(error).__name__}: {error}"
        raise UsageError(problem, "define CASES = [(item before, item after), ...], and STEP = 20 if needed") from error


def _step(migration: Migration, number: int | None) -> Step:
    backfills = [step for step in migration.steps if step.op == "backfill" and number in (None, step.n)]
    if len(backfills) != 1:
        problem = f"{migration.folder} has {counted(len(backfills), 'backfill')} that the cases could test"
        raise UsageError(
            problem, f"write STEP = one of {[step.n for step in migration.steps if step.op == 'backfill']}"
        )
    return backfills[0]


def try_cases(cases: list[Case]) -> list[CaseResult]:
    """Results of cases in memory; UsageError if a transform itself is wrong."""
    results: list[CaseResult] = []
    for case in cases:
        with _errors_of(case.file):
            item, reason = _transformed(case, case.before)
            again = () if item is None else _changed(item, _transformed(case, item)[0])
        results.append(CaseResult(case=case, expected=case.after, after=item, reason=reason, again=again))
    return results


def _changed(item: CaseItem, again: CaseItem | None) -> tuple[str, ...]:
    """Fields that a second application changes; none if it is rejected, since nothing is written then."""
    if again is None:
        return ()
    missing = object()
    return tuple(name for name in sorted({*item, *again}) if item.get(name, missing) != again.get(name, missing))


class _Memory:
    """A store in memory, which holds every value unchanged."""

    form = staticmethod(as_it_is)


_MEMORY: Any = _Memory()


def _transformed(case: Case, item: CaseItem) -> tuple[CaseItem | None, str]:
    transform = case.transform
    try:
        if isinstance(transform, Transform):
            values = apply(transform, dict(item))
        else:
            work = Work(object="", reads=transform.reads, writes=transform.writes)
            values = decide(work, _MEMORY, transform)(Stored(None, item))
    except Poison as poison:
        return None, str(poison)
    values_after = {**item, **(values or {})}
    return {name: value for name, value in values_after.items() if value is not REMOVED}, ""
