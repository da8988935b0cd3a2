"""Access paths of the nearest vectors: one statement with a storage-attached index, in a partition or in all of them.

Other storage-attached indexes restrict the searched rows. The server has no other order, no further page and no higher
consistency than one copy.
"""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.query import Condition, Query
from keywright.ir.text import counted
from keywright.record import replace

from ...schema.capabilities import NEAREST_ROWS
from ..calls import NearestVectors, Select
from ..layout import Layout
from ..order import is_collection
from ..relation import Indexed
from .index import IndexedConditions, index_answer
from .key_match import KeyMatch, keyed
from .key_read import served
from .row_order import Arranged

_APPROXIMATE = "approximate: the index may miss some of the nearest rows"


def nearest_paths(layout: Layout, query: Query, near: Condition) -> Iterator[Candidate]:
    """A candidate for each index of the vector."""
    indexes = [index for index in layout.indexes if index.similarity and index.part.cell.field == near.field]
    if not indexes:
        reason = f'no storage-attached index contains "{near.field}": declare kw.CqlIndex("{near.field}")'
        yield Rejected(By("table", layout.table.name), reason)
    for index in indexes:
        yield _candidate(layout, index, query, near)


def _candidate(layout: Layout, index: Indexed, query: Query, near: Condition) -> Candidate:
    by = By("index", index.name)
    if reason := _unsupported(query):
        return Rejected(by, reason)
    keys = keyed(layout.table, query, layout.attributes)
    match = KeyMatch(()) if isinstance(keys, str) else keys
    if not match.is_single:
        return Rejected(by, "a search of the nearest vectors reads one partition, or all of them: remove the others")
    answer = _restricting(layout, query, {near, *match.decided})
    decided = {near, *match.decided, *answer.decided}
    if remaining := next((condition for condition in query.conditions if condition not in decided), None):
        return Rejected(by, f'"{remaining.field}" has no storage-attached index that answers the condition')
    has_no_key = not match.partition
    open_match = replace(match, open=layout.table.clustering) if has_no_key else match
    path = served(layout, layout.table, query, open_match, Arranged(), (), by)
    if isinstance(path, Rejected):
        return path
    assert isinstance(path.call, Select)
    call = replace(
        path.call,
        matches=answer.matches,
        bounds=path.call.bounds + answer.bounds,
        keys=tuple(part.cell for part in layout.table.partition) if has_no_key else (),
        nearest=NearestVectors(index.part.cell, near, index.name),
    )
    notes = [*path.notes, _APPROXIMATE]
    if index.similarity == "dot_product":
        notes.append("by the dot product, vectors of a length other than one are found unreliably")
    if has_no_key:
        notes.append("every node is queried, because an index does not contain the partitions of its rows")
    cells = {match.cell.name for match in answer.matches} | {bound.cell.name for bound in answer.bounds}
    also = tuple(By("index", other.name) for other in layout.indexes if other.part.name in cells and other.is_attached)
    return AccessPath(
        by,
        call,
        order="index",
        notes=tuple(notes),
        also=also,
        similarity=index.similarity,
    )


def _unsupported(query: Query) -> str | None:
    """The reason why the server does not run a search; None if it does."""
    pattern = query.pattern
    if pattern.kind != "read":
        return f"the nearest vectors are read, and the pattern is a {pattern.kind}"
    if query.order:
        return f'results are in the order of similarity, not of "{query.order[0].field}"'
    if pattern.limit is None:
        return "a search of the nearest vectors needs limit="
    if pattern.limit > NEAREST_ROWS.value:
        most = counted(NEAREST_ROWS.value, "row", spec=",")
        return f"a search finds up to {most}, and the pattern has limit={pattern.limit}"
    if pattern.consistency != "eventual":
        return f'a search reads one copy, and the read requires consistency "{pattern.consistency}"'
    return None


def _restricting(layout: Layout, query: Query, decided: set[Condition]) -> IndexedConditions:
    """The conditions beside the key that other storage-attached indexes answer exactly, with one value each."""
    answers = IndexedConditions()
    for index in layout.indexes:
        answer = index_answer(index, query) if index.is_attached and not index.similarity else ""
        if isinstance(answer, str) or answer.residual or set(answer.decided) <= decided:
            continue
        if any(match.condition.kind == "one_of" for match in answer.matches):
            continue
        if layout.statics and is_collection(index.part.cell):
            continue  # 5.0.9 fails to answer, unless it returns the static columns
        answers += answer
        decided = decided | set(answer.decided)
    return answers
