"""Aggregates: documents are chosen by an index first, then taken apart and grouped."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.request import Request

from .calls import Aggregated, Figured, Grouped
from .choose import chosen
from .chosen import Chosen
from .paths_read import residual_of
from .view import View, parsed

_BY_SERVER = frozenset(("iso", "date", "month", "week", "hour"))
"""Filters that the server can apply."""


def group_paths(view: View, by: By, asked: Request) -> Iterator[Candidate]:
    """Every way in which an aggregate could be answered, the nearest first where none serves."""
    call = _grouping(view, asked)
    if isinstance(call, str):
        yield Rejected(by, call)
        return
    unwinds, groups, figures = call
    found: list[tuple[int, Candidate]] = []
    for one in chosen(view, by, asked):
        if not isinstance(one, Chosen):
            found.append(one)
            continue
        residual = residual_of(asked, one)
        sent = Aggregated(one.selection, unwinds, groups, figures)
        found.append((9, AccessPath(one.by, sent, residual=residual, notes=one.notes)))
    yield from (one for _, one in sorted(found, key=lambda pair: -pair[0]))


def _grouping(view: View, asked: Request) -> tuple[tuple[str, ...], tuple[Grouped, ...], tuple[Figured, ...]] | str:
    """(lists to take apart, groups, figures), or why the server cannot compute them."""
    pattern = asked.pattern
    if pattern.joins:
        return "an aggregate shows no field of another entity: join after grouping, by the keys of the groups"
    groups: list[Grouped] = []
    names: list[str] = []
    for text in pattern.group:
        template = parsed(text)
        for one in template.placeholders:
            filters = {filter.name for filter in one.filters}
            if filters - _BY_SERVER:
                return f'the server does not compute "{text}": group by the field, or by a form of time'
            if filters and view.types.get(one.path) not in ("date", "string"):
                return (
                    f'"{one.path}" is stored as {view.types.get(one.path)}, of which the server makes no form of time'
                )
            names.append(one.path)
        paths = ((one.path, view.path(one.path), view.types.get(one.path, "string")) for one in template.placeholders)
        groups.append(Grouped(template, tuple(paths)))
    names += (measure.of for measure in pattern.measures)
    unknown = next((name for name in names if not view.knows(name)), None)
    if unknown:
        return f'collection "{view.collection.physical_name}" holds no "{unknown}"'
    lists = dict.fromkeys(path for name in names for path in view.arrays(name))
    unwinds = tuple(view.path(name) for name in sorted(lists, key=lambda name: name.count(".")))
    figures = tuple(Figured(measure, view.path(measure.of)) for measure in pattern.measures)
    return unwinds, tuple(groups), figures
