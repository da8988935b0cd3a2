"""The lines of the access matrix: every pattern with its path, its cost, and what to paste where nothing serves it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from keywright.access.path import AccessPath, Fix, Rejected
from keywright.compiler import AccessPlan
from keywright.compiler.plan import Row
from keywright.errors import Place
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.physical import Physical
from keywright.report import matrix
from keywright.report.matrix import Line, Paste

from .edits import insertion

Relative = Callable[[str], str]
"""A path as the user would name it."""


def lines(plan: AccessPlan, relative: Relative = str, wanted: Iterable[str] = ()) -> Iterator[Line]:
    """A line for each pattern, in declared order.

    wanted: names of patterns; all by default.
    """
    names = set(wanted)
    design = plan.compiled.project.design
    return (line(row, design, relative) for row in plan.rows if not names or row.pattern.name in names)


def access(plan: AccessPlan) -> str:
    """The text of `access.json`: no costs and no fixes, so that it is made with every compile."""
    return matrix.access(_bare(row) for row in plan.rows)


def _bare(row: Row) -> Line:
    planned, engine = row.planned, row.placed.engine
    query = engine.query(planned) if planned.is_served else None
    return Line(row.pattern, row.binding.name, engine.name, row.placed.store, planned.path, query)


def line(row: Row, design: Design, relative: Relative = str) -> Line:
    """One pattern's line."""
    planned, engine = row.planned, row.placed.engine
    is_served = planned.is_served
    pattern = replace(row.pattern, at=replace(row.pattern.at, file=relative(row.pattern.at.file)))
    return Line(
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


def _rejected(row: Row) -> Iterator[tuple[str, str]]:
    path = row.planned.path
    others = row.planned.others if isinstance(path, AccessPath) else path.rejected
    for one in others:
        yield str(one.by), one.reason if isinstance(one, Rejected) else "serves it too, and costs more"


def _paste(row: Row, design: Design, relative: Relative) -> Paste | None:
    fix = row.fix
    if fix is None:
        return None
    at, word = _declaration(design, fix)
    edit = insertion(at, word, fix.argument, fix.text)
    place = f"{relative(at.file)}:{at.line}"
    described: dict[str, Any] | None = None
    if edit is not None:
        described = {"file": relative(edit.file), "line": edit.line, "column": edit.column, "insert": edit.text}
    return Paste(fix.text, f"{place} {fix.subject}: {fix.argument}", described)


def _declaration(design: Design, fix: Fix[Any]) -> tuple[Place, str]:
    """Place of the declaration that a fix is for, and the class that made it."""
    things: tuple[Binding | Physical, ...] = (*design.bindings, *design.physicals)
    thing = next(one for one in things if one.name == fix.subject)
    return thing.at, type(thing.spec).__name__
