"""How reads are served by secondary indexes: of a storage-attached kind several at once, of the old kind one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.reading import RANGES
from keywright.access.request import Asked, Request

from .arranged import Arranged, arranged
from .calls import Bound, Cell, Match, Select
from .keyed import Keyed, is_bound, keyed
from .layout import Layout
from .order import is_collection
from .relation import Indexed, Part
from .residual import is_judged
from .selected import served

_RANGED = (
    "tinyint", "smallint", "int", "bigint", "varint", "decimal", "float", "double", "timestamp", "date", "time",
)  # fmt: skip
"""Types of which a storage-attached index answers ranges: what has a place on a line, and no text.
Source: https://cassandra.apache.org/doc/latest/cassandra/developing/cql/indexing/sai/sai-concepts.html, 2026-11-21."""

_WHOLE = Keyed(())
"""No key at all: every node is asked."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What indexes answer of a request."""

    matches: tuple[Match, ...] = ()
    """Equality and elements of collections."""
    bounds: tuple[Bound, ...] = ()
    """Ranges."""
    judged: tuple[Asked, ...] = ()
    """Conditions that they answer in part, and that are judged on what was read."""
    decided: tuple[Asked, ...] = ()
    """Conditions that hold for all that is found."""

    def __add__(self, other: "Answer") -> "Answer":
        return Answer(
            self.matches + other.matches,
            self.bounds + other.bounds,
            self.judged + other.judged,
            self.decided + other.decided,
        )


def index_paths(known: Layout, asked: Request) -> Iterator[Candidate]:
    """A candidate for each index that the request speaks about."""
    for index in known.indexes:
        by = By("index", index.name)
        answer = _answer(index, asked)
        if isinstance(answer, str):
            yield Rejected(by, answer)
        else:
            yield _by_index(known, index, answer, asked, by)


def _answer(index: Indexed, asked: Request) -> Answer | str:
    """What one index answers, or why nothing."""
    cell = index.part.cell
    lone = index.part.template.lone if index.part.template else None
    on = asked.on(lone.path if lone else cell.field)
    if not on:
        return f'the pattern does not ask for "{cell.field}"'
    if any(one.constants is not None and None in one.constants for one in on):
        return f'no index finds rows without "{cell.field}"'
    if is_collection(cell):
        return _of_collection(index, cell, on)
    equal = next((one for one in on if one.how in ("equals", "one_of")), None)
    if equal is not None:
        found = Match(cell, equal, "=", index.name)
        # An index that does not tell letters apart finds more than what is equal.
        return Answer((found,), (), (equal,)) if index.folds else Answer((found,), decided=(equal,))
    ranges = tuple(one for one in on if index.is_attached and answers_range(index.part, one))
    if ranges:
        return Answer((), tuple(Bound(cell, one) for one in ranges), (), ranges)
    how = on[0].how.replace("_", " ")
    kind = "a storage-attached index" if index.is_attached else "an index of the old kind"
    return f'{kind} on "{cell.field}" does not answer "{how}"'


def _of_collection(index: Indexed, cell: Cell, on: tuple[Asked, ...]) -> Answer | str:
    one = on[0]
    if index.of == "values" and one.how in ("contains", "all_of", "exactly"):
        match = Match(cell, one, "CONTAINS", index.name)
        # Of several elements the server is asked for the first: how many there are differs from call to call.
        return Answer((match,), decided=(one,)) if one.how == "contains" else Answer((match,), (), (one,))
    if index.of == "full" and one.how == "equals":
        return Answer((Match(cell, one, "=", index.name),), decided=(one,))
    return f'the index holds {index.of or "whole values"} of "{cell.field}", and does not answer "{one.how}"'


def _by_index(known: Layout, index: Indexed, answer: Answer, asked: Request, by: By) -> Candidate:
    if index.part.name in known.statics:
        return Rejected(by, f'"{index.part.cell.field}" is static: it says something of partitions, not of rows')
    found = keyed(known.table, asked, known.attributes)
    is_whole = isinstance(found, str)
    found = _WHOLE if isinstance(found, str) else found
    decided = {*answer.decided, *answer.judged, *found.decided}
    if set(answer.decided) | set(answer.judged) <= set(found.decided):
        return Rejected(by, f'the key says "{index.part.cell.field}" already')
    if index.is_attached:
        for other in known.indexes:
            more = _answer(other, asked) if other.is_attached and other is not index else ""
            if isinstance(more, Answer) and not {*more.decided, *more.judged} <= decided:
                answer = answer + more
                decided |= {*more.decided, *more.judged}
    rest = tuple(one for one in asked.asked if one not in decided)
    if rest:
        word = "two indexes of the old kind" if not index.is_attached else "an index and a filter"
        return Rejected(by, f'"{rest[0].field}" is not in it, and {word} are not asked together')
    if wrong := next((one for one in answer.judged if not is_judged(known, one)), None):
        return Rejected(by, f'"{wrong.field}" cannot be judged once it is read')
    order = _order(known, found, asked, is_whole=is_whole)
    if isinstance(order, str):
        return Rejected(by, order)
    return _served(known, asked, found, order, answer, by, is_whole=is_whole)


def _order(known: Layout, found: Keyed, asked: Request, *, is_whole: bool) -> Arranged | str:
    """Rows of a partition come as the table keeps them; those of all partitions by token, which is no order."""
    if not is_whole:
        return arranged(found, asked, known.parts, known.attributes, is_fixed=True)
    constant = {one.field for one in asked.asked if one.how == "equals"}
    wanted = [one.field for one in asked.order if one.field not in constant]
    if wanted:
        return f'an index over all partitions keeps no order, and "{wanted[0]}" is wanted'
    return Arranged()


def _served(
    known: Layout, asked: Request, found: Keyed, order: Arranged, answer: Answer, by: By, *, is_whole: bool
) -> Candidate:
    several = any(one.asked.how == "one_of" for one in answer.matches)
    if several and order.kind != "none":
        return Rejected(by, "rows of several indexed values are not in order")
    opened = replace(found, open=known.table.clustering) if is_whole else found
    path = served(known, known.table, asked, opened, order, answer.judged, by)
    if isinstance(path, Rejected):
        return path
    assert isinstance(path.call, Select)
    keys = tuple(part.cell for part in known.table.partition) if is_whole else ()
    columns = tuple(dict.fromkeys((*(cell.name for cell in keys), *path.call.columns)))
    call = replace(
        path.call, columns=columns, keys=keys, matches=answer.matches, bounds=path.call.bounds + answer.bounds
    )
    notes = list(path.notes)
    if answer.judged:
        notes = [
            *(one for one in notes if "judged" not in one),
            "the index finds more than is wanted: judged after reading",
        ]
    if is_whole:
        notes.append("every node is asked, for an index does not say in which partitions the rows are")
    fan_out = call.fan_out or max(1, asked.pattern.fan_out)
    return AccessPath(by, call, fan_out, path.order, answer.judged, path.consistency, tuple(notes))


def answers_range(part: Part, asked: Asked) -> bool:
    """Whether a storage-attached index on a column answers a range."""
    return asked.how in RANGES and part.cell.native in _RANGED and is_bound(asked, part)
