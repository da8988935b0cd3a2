"""How reads are served: by the key of the table, of a view, or by an index."""

from collections.abc import Iterator

from keywright.access.path import By, Candidate, Rejected
from keywright.access.request import Asked, Request

from .arranged import arranged
from .keyed import Keyed, keyed
from .layout import Layout
from .order import is_ordered
from .paths_index import index_paths
from .relation import Relation
from .residual import is_judged
from .selected import served


def read_paths(known: Layout, asked: Request) -> Iterator[Candidate]:
    """Every relation and index that could serve a get, a read or a count."""
    if asked.pattern.joins:
        yield Rejected(By("table", known.table.name), "Cassandra joins nothing: copy the fields, or embed them")
        return
    if impossible := _impossible(asked):
        yield Rejected(By("table", known.table.name), impossible)
        return
    yield _by_key(known, known.table, asked)
    yield from (_by_key(known, view, asked) for view in known.views)
    yield from index_paths(known, asked)


def _impossible(asked: Request) -> str | None:
    for one in asked.asked:
        if one.how == "search":
            return f'Cassandra has no word search: keep "{one.field}" in a MongoDB collection with a text index'
        if one.how == "near":
            return f'Cassandra finds nothing near "{one.field}": keep it in a RedisGeo, or in MongoDB'
    return None


def _by_key(known: Layout, relation: Relation, asked: Request) -> Candidate:
    by = By(relation.kind, relation.name)
    if relation.kind == "view" and (reason := _stale(relation, asked)):
        return Rejected(by, reason)
    found = keyed(relation, asked, known.attributes)
    if isinstance(found, str):
        return Rejected(by, found)
    residual = tuple(one for one in asked.asked if one not in found.decided)
    if reason := unjudged(known, found, residual):
        return Rejected(by, reason)
    order = arranged(found, asked, known.parts, known.attributes)
    if isinstance(order, str):
        return Rejected(by, order)
    return served(known, relation, asked, found, order, residual, by)


def _stale(view: Relation, asked: Request) -> str | None:
    """Why a view cannot answer."""
    if view.lacks:
        return view.lacks
    if asked.pattern.consistency != "eventual":
        return f'a view follows its table a little later, and the read is to be "{asked.pattern.consistency}"'
    return None


def unjudged(known: Layout, found: Keyed, residual: tuple[Asked, ...]) -> str | None:
    """Why conditions that no key decides are not judged on what was read: a whole partition is never filtered."""
    if not residual:
        return None
    one = residual[0]
    if found.open:
        part = known.part(one.field)
        if part is not None and part.name in [other.name for other in found.open]:
            before = found.open[0].cell.field
            if before == part.cell.field and not is_ordered(part.cell):
                return f'the server orders "{one.field}" otherwise than Python: say types= for a text'
            if before == part.cell.field:
                how = one.how.replace("_", " ")
                return f'rows are kept by "{one.field}", which does not help where it is asked as "{how}"'
            return f'"{one.field}" follows "{before}" in the key, which the pattern does not say by equality'
        return f'"{one.field}" is not in the key, and a partition is never filtered: add an index or a table'
    return next(
        (f'"{one.field}" cannot be judged once it is read' for one in residual if not is_judged(known, one)), None
    )
