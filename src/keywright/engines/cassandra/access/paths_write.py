"""How writes are served: always by the key of the table, its views and indexes follow by themselves."""

from collections.abc import Iterator

from keywright.access.fill import Unfilled, fill_attribute
from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.request import Asked, Request

from .assigned import assignments
from .calls import Level, Term
from .calls_write import Delete, Guard, Increment, Insert, Update
from .guarded import guards
from .keyed import decides
from .layout import Layout

WRITE_LEVELS: dict[str, Level] = {"eventual": "LOCAL_ONE", "session": "LOCAL_QUORUM", "strong": "LOCAL_QUORUM"}
"""Consistency levels of writes."""

AGREED = "a lightweight transaction: the copies agree in four round trips"
"""Source: https://cassandra.apache.org/doc/latest/cassandra/architecture/guarantees.html, 2026-11-21."""


def put_paths(known: Layout, asked: Request) -> Iterator[Candidate]:
    """How whole items are written."""
    by, pattern = By("table", known.table.name), asked.pattern
    if known.counters:
        name = min(known.counters)
        yield Rejected(by, f'"{name}" is a counter, which is never set: use kw.Increment')
        return
    if pattern.where:
        yield Rejected(by, f'a put with a condition on "{pattern.where[0].field}": use kw.Update')
        return
    call = Insert(
        known.keyspace, known.table.name, known.written, tuple(part.name for part in known.keys),
        len(known.table.partition), pattern.if_absent, known.ttl is not None, WRITE_LEVELS[pattern.consistency],
    )  # fmt: skip
    notes = [AGREED] if pattern.if_absent else []
    if known.statics:
        notes.append("its static columns change for all rows of the partition")
    if pattern.if_absent and pattern.batch > 1:
        notes.append("each item by itself: some may be written before one is refused")
    yield AccessPath(by, call, fan_out=max(1, pattern.batch), consistency=pattern.consistency, notes=tuple(notes))


def update_paths(known: Layout, asked: Request) -> Iterator[Candidate]:
    """How fields of an item are changed."""
    by, pattern = By("table", known.table.name), asked.pattern
    if known.counters:
        yield Rejected(by, "a counter is never set, and its table holds nothing else: use kw.Increment")
        return
    key = one_row(known, asked)
    if isinstance(key, str):
        yield Rejected(by, key)
        return
    changed = assignments(known, asked)
    if isinstance(changed, str):
        yield Rejected(by, changed)
        return
    free = tuple(_free(known, pattern.pushes)) if pattern.pushes else ()
    is_static = all(one.cell.name in known.statics for one in changed)
    held = guards(known, guarding(known, asked, key), needs_row=is_static or bool(free))
    if isinstance(held, str):
        yield Rejected(by, held)
        return
    ttl = known.ttl
    part = known.parts.get(ttl.name) if ttl else None
    call = Update(
        known.keyspace, known.table.name, key, len(known.table.partition), changed, (*held, *free),
        part.cell if part else None,
        ttl.ttl_after_seconds or 0 if ttl else 0, WRITE_LEVELS[pattern.consistency],
    )  # fmt: skip
    notes = [AGREED]
    if any(one.cell.name in known.statics for one in changed):
        notes.append("a static column changes for all rows of the partition")
    yield AccessPath(by, call, consistency=pattern.consistency, notes=tuple(notes))


def increment_paths(known: Layout, asked: Request) -> Iterator[Candidate]:
    """How a counter is incremented; no other number is, without being read."""
    by, pattern = By("table", known.table.name), asked.pattern
    part = known.parts.get(pattern.field or "")
    if part is None or part.name not in known.counters:
        yield Rejected(
            by,
            f'"{pattern.field}" is no counter, and Cassandra adds to nothing else: say counters="{pattern.field}", '
            "or use kw.Update with where= on the value that was read",
        )
        return
    key = one_row(known, asked, draws=True)
    if isinstance(key, str):
        yield Rejected(by, key)
        return
    if guarding(known, asked, key):
        yield Rejected(by, "a counter takes no condition: keep a limit outside, or the number in a plain column")
        return
    call = Increment(known.keyspace, known.table.name, key, part.name, WRITE_LEVELS[pattern.consistency])
    yield AccessPath(
        by, call, consistency=pattern.consistency, notes=("a step that is sent again after a timeout may count twice",)
    )


def delete_paths(known: Layout, asked: Request) -> Iterator[Candidate]:
    """How the rows under a key, or under its beginning, are removed."""
    by, pattern = By("table", known.table.name), asked.pattern
    terms: list[Term] = []
    for at, part in enumerate(known.keys):
        filled = fill_attribute(part.cell.field, part.template, asked, known.attributes)
        is_partition = at < len(known.table.partition)
        if isinstance(filled, Unfilled):
            if is_partition:
                yield Rejected(by, filled.reason)
                return
            break
        if not is_partition and any(slot.kind not in ("value", "values") for slot in filled.slots):
            break
        terms.append(Term(part.cell, filled))
    key = tuple(terms)
    guard = guarding(known, asked, key)
    keys = {part.cell.field for part in known.keys}
    if wrong := next((one for one in guard if one.field in keys), None):
        yield Rejected(by, f'"{wrong.field}" follows a part of the key that the pattern does not say by equality')
        return
    if guard and (len(key) < len(known.keys) or not all(term.filled.is_single for term in key)):
        yield Rejected(by, f'a condition on "{guard[0].field}" needs the full primary key in eq=')
        return
    held = guards(known, guard, needs_row=False)
    if isinstance(held, str):
        yield Rejected(by, held)
        return
    call = Delete(
        known.keyspace, known.table.name, key, len(known.table.partition), held,
        any(one.constants is not None for one in guard), WRITE_LEVELS[pattern.consistency],
    )  # fmt: skip
    notes = [AGREED] if held else []
    if len(key) < len(known.keys):
        is_all = len(key) == len(known.table.partition)
        notes.append("removes the whole partition" if is_all else "removes a part of the partition by one tombstone")
    yield AccessPath(by, call, _fan_out(key), consistency=pattern.consistency, notes=tuple(notes))


def one_row(known: Layout, asked: Request, *, draws: bool = False) -> tuple[Term, ...] | str:
    """The key of the one row that a write is about, or what the call lacks for it.

    draws: whether a shard that no field gives may be drawn, as each shard is a part of the whole.
    """
    terms: list[Term] = []
    lacking: dict[str, None] = {}
    for part in known.keys:
        filled = fill_attribute(part.cell.field, part.template, asked, known.attributes, is_write=True)
        if isinstance(filled, Unfilled):
            lacking |= dict.fromkeys(_unsaid(part.cell.field, asked, filled, known))
        elif not draws and any(slot.kind == "draw" for slot in filled.slots):
            return f'"{part.name}" is drawn when an item is written, so that none is found again by its fields'
        else:
            terms.append(Term(part.cell, filled))
    if lacking:
        return f"the key needs {_listed(tuple(lacking))}: add it to eq="
    return tuple(terms)


def _unsaid(field: str, asked: Request, unfilled: Unfilled, known: Layout) -> Iterator[str]:
    part = known.parts.get(field)
    paths = [one.path for one in part.template.placeholders] if part and part.template else [field]
    yield from (path for path in paths if path and asked.fixed(path) is None)


def guarding(known: Layout, asked: Request, key: tuple[Term, ...]) -> tuple[Asked, ...]:
    """The conditions that the key does not decide: a shard or bucket of a field is shared by other values of it."""
    decided = {one for term in key for one in decides(term, known.attributes)}
    return tuple(one for one in asked.asked if one not in decided)


def _free(known: Layout, pushed: str) -> Iterator[Guard]:
    """The place that must be free for a list to keep its bound: a set cannot say how large it is."""
    attribute = next(one for one in known.attributes if one.name == pushed)
    kind = attribute.type
    most = getattr(kind, "max_items", None)
    if most and getattr(kind, "kind", "") == "list":
        yield Guard(known.parts[pushed].cell, element=most - 1)


def _fan_out(key: tuple[Term, ...]) -> int:
    found = 1
    for term in key:
        found *= term.filled.fan_out or 1
    return found


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f'"{name}"' for name in names)
