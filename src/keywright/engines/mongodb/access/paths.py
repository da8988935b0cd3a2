"""Which keys and indexes serve a pattern, with the native query, or why they do not."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.request import Request, request
from keywright.access.search import Planned
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from ..target import DatabaseTarget
from .calls import Delete, Increment, Put, Together, Update
from .paths_group import group_paths
from .paths_read import read_paths
from .paths_write import put_path, write_paths
from .view import View, view


def key_fields(target: DatabaseTarget, binding: Binding) -> tuple[str, ...]:
    """See `Engine.key_fields`: the fields of `_id`; none where the server makes it, and for a time series."""
    found = view(target, binding)
    return found.key_fields if found else ()


def paths(target: DatabaseTarget, binding: Binding, pattern: Pattern) -> Iterator[Candidate]:
    """See `Engine.paths`."""
    found = view(target, binding)
    if found is None:
        yield Rejected(By("table", target.name), f'database "{target.name}" has no collection of "{binding.name}"')
        return
    by = By("table", found.name)
    asked = request(pattern, found.key_fields)
    reason = _unknown(found, asked) or _refused(found, pattern)
    if reason:
        yield Rejected(by, reason)
        return
    match pattern.kind:
        case "put":
            yield put_path(found, by, pattern)
        case "get" | "read" | "count":
            yield from read_paths(found, by, asked)
        case "aggregate":
            yield from group_paths(found, by, asked)
        case _:
            yield from write_paths(found, by, asked)


def together(target: DatabaseTarget, parts: tuple[Planned[DatabaseTarget], ...]) -> Candidate:
    """See `Engine.together`: a transaction of one replica set or cluster takes writes of any collections."""
    by = By("table", target.name)
    writes: list[Put | Update | Increment | Delete] = []
    for part in parts:
        assert isinstance(part.path, AccessPath)
        found = view(target, part.binding)
        if found is not None and found.collection.series is not None:
            return Rejected(
                by, f'{part.pattern.name}: a transaction does not write into the time series "{part.path.by.name}"'
            )
        if not isinstance(part.path.call, (Put, Update, Increment, Delete)):
            return Rejected(by, f"{part.pattern.name}: it is no write")
        writes.append(part.path.call)
    is_strong = any(part.pattern.consistency == "strong" for part in parts)
    return AccessPath(by, Together(tuple(writes)), consistency="strong" if is_strong else "eventual")


def _unknown(found: View, asked: Request) -> str | None:
    """A field that the pattern names and the collection does not hold, such as in an older version."""
    for one in asked.asked:
        for field in one.field.split(" ") if one.how == "search" else (one.field,):
            if not found.knows(field):
                return f'collection "{found.name}" holds no "{field}"'
    missing = next((one.field for one in asked.order if not found.knows(one.field)), None)
    return f'collection "{found.name}" holds no "{missing}"' if missing else None


def _refused(found: View, pattern: Pattern) -> str | None:
    name = found.collection.physical_name
    if pattern.kind == "rank":
        return f'an index of "{name}" keeps no places: those ahead would be counted one by one; keep a Redis sorted set'
    if pattern.kind == "take":
        return f'collection "{name}" hands nothing out for good: take from a Redis list, stream or rate limit'
    if pattern.kind not in ("put", "read", "count", "aggregate", "get") and not pattern.eq and not found.key_fields:
        return f'documents of "{found.binding.name}" have no key of their own: say eq= with a unique index, or give id='
    return None
