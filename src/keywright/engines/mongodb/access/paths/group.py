"""Aggregates: an index selects documents first; then their lists are unwound and grouped."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.query import Query

from ..calls import Aggregated, Grouped, GroupFigure
from ..layout import Layout, parsed
from .candidate import DocumentChoice
from .candidates import chosen
from .collations import compared_by
from .read import residual_of

_BY_SERVER = frozenset(("iso", "date", "month", "week", "hour"))
"""Filters that the server can apply."""


def group_paths(view: Layout, by: By, query: Query) -> Iterator[Candidate]:
    """Every candidate for an aggregate, the nearest first if none serves."""
    call = _grouping(view, query)
    if isinstance(call, str):
        yield Rejected(by, call)
        return
    unwinds, groups, figures = call
    candidates: list[tuple[int, Candidate]] = []
    for choice in chosen(view, by, query):
        if not isinstance(choice, DocumentChoice):
            candidates.append(choice)
            continue
        if compared_by(view, choice.selection) is not None and choice.selection.collation is not None:
            reason = f'index "{choice.by.name}" has a collation, by which groups would be merged too'
            candidates.append((1, Rejected(choice.by, reason)))
            continue
        residual = residual_of(query, choice)
        sent = Aggregated(choice.selection, unwinds, groups, figures)
        candidates.append((9, AccessPath(choice.by, sent, residual=residual, notes=choice.notes)))
    yield from (candidate for _, candidate in sorted(candidates, key=lambda pair: -pair[0]))


def _grouping(view: Layout, query: Query) -> tuple[tuple[str, ...], tuple[Grouped, ...], tuple[GroupFigure, ...]] | str:
    """(lists to unwind, groups, figures), or the reason why the server cannot compute them."""
    pattern = query.pattern
    if pattern.joins:
        return "an aggregate returns no field of another entity: join by the keys of the groups afterwards"
    groups: list[Grouped] = []
    names: list[str] = []
    for text in pattern.group:
        template = parsed(text)
        for placeholder in template.placeholders:
            filters = {filter.name for filter in placeholder.filters}
            if filters - _BY_SERVER or any(filter.format for filter in placeholder.filters):
                return f'the server does not compute "{text}": group by the field, or by a form of time'
            if filters and view.types.get(placeholder.path) not in ("date", "string"):
                return (
                    f'"{placeholder.path}" is stored as {view.types.get(placeholder.path)}, from which '
                    "the server computes no form of time"
                )
            names.append(placeholder.path)
        paths = (
            (placeholder.path, view.path(placeholder.path), view.types.get(placeholder.path, "string"))
            for placeholder in template.placeholders
        )
        groups.append(Grouped(template, tuple(paths)))
    names += (measure.of for measure in pattern.measures)
    unknown = next((name for name in names if not view.knows(name)), None)
    if unknown:
        return f'collection "{view.collection.physical_name}" has no field "{unknown}"'
    lists = dict.fromkeys(path for name in names for path in view.arrays(name))
    unwinds = tuple(view.path(name) for name in sorted(lists, key=lambda name: name.count(".")))
    figures = tuple(GroupFigure(measure, view.path(measure.of)) for measure in pattern.measures)
    return unwinds, tuple(groups), figures
