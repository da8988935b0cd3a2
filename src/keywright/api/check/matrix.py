"""Rows of the access matrix: every pattern with its path and cost, or the declaration that would serve it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from keywright.access.path import AccessPath, PatternFix, Rejected
from keywright.compiler import AccessPlan
from keywright.compiler.plan import PlannedPattern
from keywright.errors import Place
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.record import replace
from keywright.report import matrix
from keywright.report.matrix import MatrixRow, Paste

from .edits import insertion

Relative = Callable[[str], str]
"""Returns a path as the user would write it."""


def lines(plan: AccessPlan, relative: Relative = str, selected: Iterable[str] = ()) -> Iterator[MatrixRow]:
    """A row for each pattern, in declared order.

    selected: names of patterns; all by default.
    """
    names = set(selected)
    design = plan.compiled.project.design
    return (line(row, design, relative) for row in plan.rows if not names or row.pattern.name in names)


def access(plan: AccessPlan) -> str:
    """The text of `access.json`, without costs and fixes so that every compile can write it."""
    return matrix.access(_row_without_cost(row) for row in plan.rows)


def _row_without_cost(row: PlannedPattern) -> MatrixRow:
    planned, engine = row.planned, row.placed.engine
    query = engine.query(planned) if planned.is_served else None
    return MatrixRow(row.pattern, row.binding.name, engine.name, row.placed.store, planned.path, query)


def line(row: PlannedPattern, design: Design, relative: Relative = str) -> MatrixRow:
    """One pattern's row."""
    planned, engine = row.planned, row.placed.engine
    is_served = planned.is_served
    pattern = replace(row.pattern, at=replace(row.pattern.at, file=relative(row.pattern.at.file)))
    return MatrixRow(
        pattern=pattern,
        entity=row.binding.name,
        engine=engine.name,
        store=row.placed.store,
        path=planned.path,
        query=engine.query(planned) if is_served else None,
        cost=engine.cost(planned) if is_served else None,
        rejected=tuple(_rejected(row)),
        paste=None if is_served else _paste(row, design, relative),
    )


def _rejected(row: PlannedPattern) -> Iterator[tuple[str, str]]:
    path = row.planned.path
    alternatives = row.planned.others if isinstance(path, AccessPath) else path.rejected
    for alternative in alternatives:
        yield (
            str(alternative.by),
            alternative.reason if isinstance(alternative, Rejected) else "serves it too, at a higher cost",
        )


def _paste(row: PlannedPattern, design: Design, relative: Relative) -> Paste | None:
    fix = row.fix
    if fix is None:
        return None
    at, class_name = _declaration(design, fix)
    edit = insertion(at, class_name, fix.argument, fix.text)
    place = f"{relative(at.file)}:{at.line}"
    described: dict[str, Any] | None = None
    if edit is not None:
        described = {"file": relative(edit.file), "line": edit.line, "column": edit.column, "insert": edit.text}
    return Paste(fix.text, f"{place} {fix.subject}: {fix.argument}", described)


def _declaration(design: Design, fix: PatternFix[Any]) -> tuple[Place, str]:
    """Place and class of the declaration that a fix changes."""
    declarations: tuple[Binding | Physical, ...] = (*design.bindings, *design.physicals)
    declaration = next(declaration for declaration in declarations if declaration.name == fix.subject)
    return declaration.at, type(declaration.spec).__name__
