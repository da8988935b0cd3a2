"""Which structure serves a pattern, or why it does not: an entity has one, and its key must be said."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.request import request
from keywright.access.search import Planned
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from ..target import ServerTarget
from .calls import Change, Increase, Keys, Put, Remove, Together, Write
from .held import Held, held, key_fields
from .paths_read import read
from .paths_take import take
from .paths_write import write

__all__ = ["key_fields", "paths", "together"]

_WRITES = frozenset(("put", "update", "increment", "delete"))


def paths(target: ServerTarget, binding: Binding, pattern: Pattern) -> Iterator[Candidate]:
    """See `Engine.paths`: the one structure of the entity."""
    found = held(target, binding)
    if found is None:
        yield Rejected(By("structure", binding.name), f'server "{target.name}" does not hold "{binding.name}"')
        return
    yield _path(found, binding, pattern)


def _path(found: Held, binding: Binding, pattern: Pattern) -> Candidate:
    asked = request(pattern, found.key_fields)
    if pattern.kind == "aggregate":
        reason = "Redis computes no figures over groups: keep a RedisCounter or RedisHash for each, counted on writes"
        return Rejected(found.by, reason)
    if pattern.joins:
        return Rejected(found.by, "Redis joins nothing: read the other entity by its key, or keep a copy of its fields")
    if pattern.kind in _WRITES:
        return write(found, asked)
    if pattern.kind == "take":
        return take(found, binding, asked)
    if pattern.consistency == "strong" and found.freshness != "strong":
        reason = (
            "a strong read needs a server without replicas, or MemoryDB: a failover loses what copies do not have yet"
        )
        return Rejected(found.by, reason)
    return read(found, asked)


def together(target: ServerTarget, parts: tuple[Planned[ServerTarget], ...]) -> Candidate:
    """See `Engine.together`: MULTI and EXEC, or one script where a write has a condition."""
    by = By("structure", ", ".join(dict.fromkeys(_path_of(part).by.name for part in parts)))
    writes = tuple(call for part in parts if isinstance(call := _path_of(part).call, Write))
    if len(writes) != len(parts):
        return Rejected(by, "only writes are part of a transaction")
    drawn = next((one for one in writes if isinstance(one, Remove) and not one.keys.filled.is_single), None)
    if drawn is not None:
        return Rejected(by, f'"{drawn.keys.text}" is several keys: delete them with a pattern of its own')
    found = held(target, parts[0].binding)
    if any(isinstance(one, Remove) and one.guards and not one.is_strict for one in writes):
        return Rejected(
            by, "a delete that may find nothing does not stop a transaction: say the rest of its eq= in where="
        )
    is_cluster = found is not None and found.is_cluster
    tags = {tag_of(one) for one in writes}
    if is_cluster and (len(tags) > 1 or "" in tags):
        return Rejected(
            by, "on a cluster the keys of a transaction need one slot: put the same {field:tag} into each key"
        )
    is_script = any(needs_script(one) for one in writes)
    notes: tuple[str, ...] = ("one Lua script, as there are conditions" if is_script else "MULTI and EXEC",)
    if is_cluster:
        notes += (f'all calls must give the same "{tags.pop()}", which decides the node',)
    else:
        notes += ("on one node; a cluster would need the same {field:tag} in each key",)
    level = min((_path_of(part).consistency for part in parts), key=("eventual", "session", "strong").index)
    return AccessPath(by, Together(writes, is_script, is_cluster), consistency=level, notes=notes)


def _path_of(part: Planned[ServerTarget]) -> AccessPath:
    assert isinstance(part.path, AccessPath)  # the search lets nothing else through
    return part.path


def needs_script(call: Write) -> bool:
    """Whether a write has a condition, so that it is a script when it is not alone."""
    match call:
        case Put():
            return bool(call.if_absent)
        case Change():
            return True
        case Increase():
            return bool(call.guards) or call.must_exist
        case Remove():
            return bool(call.guards)


def tag_of(call: Write) -> str:
    """The field in the braces of the key that a write has; empty where there is none."""
    return call.tag if isinstance(call, Put) else tag(call.keys)


def tag(keys: Keys) -> str:
    """The field in the braces of a key that decides its slot; empty where there is none."""
    return next((one.placeholder.path for one in keys.filled.slots if one.placeholder.is_tag), "")
