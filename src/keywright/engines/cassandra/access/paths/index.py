"""Access paths of secondary indexes: several storage-attached indexes together, or one of the old kind."""

from collections.abc import Iterator

from keywright.access.key_range import RANGES
from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.query import Condition, Query
from keywright.ir.attribute import is_vector
from keywright.record import Record, replace

from ..calls import Cell, IndexCondition, RangeCondition, Select
from ..layout import Layout
from ..order import is_collection
from ..relation import Indexed, RelationColumn
from .key_match import KeyMatch, is_bound, keyed
from .key_read import served
from .residual_filter import is_exact
from .row_order import Arranged, arranged

_RANGED = (
    "tinyint", "smallint", "int", "bigint", "varint", "decimal", "float", "double", "timestamp", "date", "time",
)  # fmt: skip
"""Types for which a storage-attached index answers ranges: numbers and times, not texts.
Source: https://cassandra.apache.org/doc/latest/cassandra/developing/cql/indexing/sai/sai-concepts.html, 2026-11-21."""

_NO_KEY = KeyMatch(())
"""No key: the read goes to every node."""


class IndexedConditions(Record):
    """The conditions of a query that indexes answer."""

    matches: tuple[IndexCondition, ...] = ()
    """Equality and elements of collections."""
    bounds: tuple[RangeCondition, ...] = ()
    """Ranges."""
    residual: tuple[Condition, ...] = ()
    """Conditions that they answer partly, and that are checked after reading."""
    decided: tuple[Condition, ...] = ()
    """Conditions that every row found meets."""

    def __add__(self, other: "IndexedConditions") -> "IndexedConditions":
        return IndexedConditions(
            self.matches + other.matches,
            self.bounds + other.bounds,
            self.residual + other.residual,
            self.decided + other.decided,
        )


def index_paths(layout: Layout, query: Query) -> Iterator[Candidate]:
    """A candidate for each index of the table."""
    for index in layout.indexes:
        by = By("index", index.name)
        answer = index_answer(index, query)
        if isinstance(answer, str):
            yield Rejected(by, answer, is_unrelated=not _conditions(index, query))
        else:
            yield _index_candidate(layout, index, answer, query, by)


def _conditions(index: Indexed, query: Query) -> tuple[Condition, ...]:
    """The conditions on the indexed field."""
    lone = index.part.template.lone if index.part.template else None
    return tuple(query.on(lone.path if lone else index.part.cell.field))


def index_answer(index: Indexed, query: Query) -> IndexedConditions | str:
    """The conditions that an index answers, or the reason why it answers none."""
    cell = index.part.cell
    conditions = _conditions(index, query)
    if not conditions:
        return f'the pattern has no condition on "{cell.field}"'
    if any(condition.constants is not None and None in condition.constants for condition in conditions):
        return f'no index finds rows without "{cell.field}"'
    if is_vector(cell.type):
        return f'an index on the vector "{cell.field}" finds no equal values'
    if is_collection(cell):
        return _collection_answer(index, cell, conditions)
    equality = next((condition for condition in conditions if condition.kind in ("equals", "one_of")), None)
    if equality is not None:
        index_condition = IndexCondition(cell, equality, "=", index.name)
        # An index that ignores case or accents finds more than the equal values.
        return (
            IndexedConditions((index_condition,), (), (equality,))
            if index.folds
            else IndexedConditions((index_condition,), decided=(equality,))
        )
    ranges = tuple(condition for condition in conditions if index.is_attached and answers_range(index.part, condition))
    if ranges:
        return IndexedConditions((), tuple(RangeCondition(cell, condition) for condition in ranges), (), ranges)
    how = conditions[0].kind.replace("_", " ")
    kind = "a storage-attached index" if index.is_attached else "a legacy index"
    return f'{kind} on "{cell.field}" does not support "{how}"'


def _collection_answer(index: Indexed, cell: Cell, conditions: tuple[Condition, ...]) -> IndexedConditions | str:
    condition = conditions[0]
    if index.of == "values" and condition.kind in ("contains", "all_of", "exactly"):
        match = IndexCondition(cell, condition, "CONTAINS", index.name)
        # Of several elements the index looks up the first, because their number differs from call to call.
        return (
            IndexedConditions((match,), decided=(condition,))
            if condition.kind == "contains"
            else IndexedConditions((match,), (), (condition,))
        )
    if index.of == "full" and condition.kind == "equals":
        return IndexedConditions((IndexCondition(cell, condition, "=", index.name),), decided=(condition,))
    return f'the index contains {index.of or "whole values"} of "{cell.field}", and does not support "{condition.kind}"'


def _index_candidate(layout: Layout, index: Indexed, answer: IndexedConditions, query: Query, by: By) -> Candidate:
    if index.part.name in layout.statics:
        return Rejected(by, f'"{index.part.cell.field}" is static: it identifies partitions, not rows')
    match = keyed(layout.table, query, layout.attributes)
    has_no_key = isinstance(match, str)
    match = _NO_KEY if isinstance(match, str) else match
    decided = {*answer.decided, *answer.residual, *match.decided}
    if set(answer.decided) | set(answer.residual) <= set(match.decided):
        return Rejected(by, f'the key already contains "{index.part.cell.field}"')
    if index.is_attached:
        for other in layout.indexes:
            other_answer = index_answer(other, query) if other.is_attached and other is not index else ""
            if (
                isinstance(other_answer, IndexedConditions)
                and not {*other_answer.decided, *other_answer.residual} <= decided
            ):
                answer = answer + other_answer
                decided |= {*other_answer.decided, *other_answer.residual}
    remaining = tuple(condition for condition in query.conditions if condition not in decided)
    if remaining:
        word = "two legacy indexes" if not index.is_attached else "an index and a filter"
        return Rejected(by, f'"{remaining[0].field}" is not in {by}, and {word} cannot be combined')
    if inexact := next((condition for condition in answer.residual if not is_exact(layout, condition)), None):
        return Rejected(by, f'"{inexact.field}" cannot be checked after reading')
    order = _order(layout, match, query, has_no_key=has_no_key)
    if isinstance(order, str):
        return Rejected(by, order)
    return _index_path(layout, query, match, order, answer, by, has_no_key=has_no_key)


def _order(layout: Layout, match: KeyMatch, query: Query, *, has_no_key: bool) -> Arranged | str:
    """The order of rows: inside a partition that of the table; over all partitions by token, which is no order."""
    if not has_no_key:
        return arranged(match, query, layout.parts, layout.attributes, is_fixed=True)
    constant = {condition.field for condition in query.conditions if condition.kind == "equals"}
    fields = [ordering.field for ordering in query.order if ordering.field not in constant]
    if fields:
        return f'an index over all partitions has no order, and the pattern orders by "{fields[0]}"'
    return Arranged()


def _index_path(
    layout: Layout,
    query: Query,
    match: KeyMatch,
    order: Arranged,
    answer: IndexedConditions,
    by: By,
    *,
    has_no_key: bool,
) -> Candidate:
    has_several_values = any(index_condition.condition.kind == "one_of" for index_condition in answer.matches)
    if has_several_values and order.kind != "none":
        return Rejected(by, "rows of several indexed values are not in order")
    open_match = replace(match, open=layout.table.clustering) if has_no_key else match
    path = served(layout, layout.table, query, open_match, order, answer.residual, by, residual_note="")
    if isinstance(path, Rejected):
        return path
    assert isinstance(path.call, Select)
    keys = tuple(part.cell for part in layout.table.partition) if has_no_key else ()
    columns = tuple(dict.fromkeys((*(cell.name for cell in keys), *path.call.columns)))
    call = replace(
        path.call, columns=columns, keys=keys, matches=answer.matches, bounds=path.call.bounds + answer.bounds
    )
    notes = list(path.notes)
    if answer.residual:
        notes.append("the index returns more rows: a residual filter removes them")
    if has_no_key:
        notes.append("every node is queried, because an index does not contain the partitions of its rows")
    fan_out = call.fan_out or max(1, query.pattern.fan_out)
    cells = {matched.cell.name for matched in answer.matches} | {bound.cell.name for bound in answer.bounds}
    indexes = (By("index", index.name) for index in layout.indexes if index.part.name in cells)
    also = tuple(other for other in indexes if other != by)
    return AccessPath(by, call, fan_out, path.order, answer.residual, path.consistency, tuple(notes), also=also)


def answers_range(part: RelationColumn, condition: Condition) -> bool:
    """Whether a storage-attached index on a column answers a range."""
    return condition.kind in RANGES and part.cell.native in _RANGED and is_bound(condition, part)
