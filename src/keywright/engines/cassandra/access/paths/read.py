"""Access paths of reads: by the key of the table, the key of a view, or an index."""

from collections.abc import Iterator

from keywright.access.path import By, Candidate, Rejected
from keywright.access.query import Condition, Query
from keywright.ir.attribute import is_vector

from ..layout import Layout
from ..order import is_ordered
from ..relation import Relation
from .index import index_paths
from .key_match import KeyMatch, keyed
from .key_read import served
from .nearest import nearest_paths
from .residual_filter import is_exact
from .row_order import arranged


def read_paths(layout: Layout, query: Query) -> Iterator[Candidate]:
    """A candidate for each relation and index that could serve a get, a read or a count."""
    if query.pattern.joins:
        yield Rejected(By("table", layout.table.name), "Cassandra has no joins: copy the fields, or embed them")
        return
    if reason := _unsupported(layout, query):
        yield Rejected(By("table", layout.table.name), reason)
        return
    if near := next((condition for condition in query.conditions if condition.kind == "near"), None):
        yield from nearest_paths(layout, query, near)
        return
    yield _key_candidate(layout, layout.table, query)
    yield from (_key_candidate(layout, view, query) for view in layout.views)
    yield from index_paths(layout, query)


def _unsupported(layout: Layout, query: Query) -> str | None:
    for condition in query.conditions:
        if condition.kind == "search":
            return f'Cassandra has no word search: store "{condition.field}" in a MongoDB collection with a text index'
        part = layout.parts.get(condition.field)
        if condition.kind == "near" and (part is None or not is_vector(part.cell.type)):
            return f'Cassandra has no search by distance from "{condition.field}": use a RedisGeo, or MongoDB'
    return None


def _key_candidate(layout: Layout, relation: Relation, query: Query) -> Candidate:
    by = By(relation.kind, relation.name)
    if relation.kind == "view" and (reason := _view_problem(relation, query)):
        return Rejected(by, reason)
    match = keyed(relation, query, layout.attributes)
    if isinstance(match, str):
        starts = {
            part.template.lone.path if part.template and part.template.lone else part.cell.field
            for part in relation.partition
        }
        return Rejected(by, match, is_unrelated=not any(query.on(path) for path in starts))
    residual = tuple(condition for condition in query.conditions if condition not in match.decided)
    if reason := unjudged(layout, match, residual):
        return Rejected(by, reason)
    order = arranged(match, query, layout.parts, layout.attributes)
    if isinstance(order, str):
        return Rejected(by, order)
    return served(layout, relation, query, match, order, residual, by)


def _view_problem(view: Relation, query: Query) -> str | None:
    """The reason why a view cannot answer; None if it can."""
    if view.lacks:
        return view.lacks
    if query.pattern.consistency != "eventual":
        return f'a view is updated after its table, and the read requires consistency "{query.pattern.consistency}"'
    return None


def unjudged(layout: Layout, match: KeyMatch, residual: tuple[Condition, ...]) -> str | None:
    """The reason why conditions cannot be residual filters, because a whole partition is never filtered."""
    if not residual:
        return None
    condition = residual[0]
    if match.open:
        part = layout.part(condition.field)
        if part is not None and part.name in [other.name for other in match.open]:
            first_open = match.open[0].cell.field
            if first_open == part.cell.field and not is_ordered(part.cell):
                return f'the server orders "{condition.field}" differently from Python: declare a text type in types='
            if first_open == part.cell.field:
                how = condition.kind.replace("_", " ")
                return f'rows are ordered by "{condition.field}", which does not serve the condition "{how}"'
            return f'"{condition.field}" follows "{first_open}" in the key, which has no equality condition'
        return f'"{condition.field}" is not in the key, and a partition is never filtered: add an index or a table'
    return next(
        (f'"{other.field}" cannot be checked after reading' for other in residual if not is_exact(layout, other)), None
    )
