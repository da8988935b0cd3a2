"""The access paths of a pattern, or the reasons why there are none: an entity has one structure, found by its key."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, By, Candidate, PatternFix, Rejected
from keywright.access.query import request
from keywright.access.search import Planned
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from ...declare.options import Structure
from ...schema.target import ServerTarget
from ..calls import CallKeys, Increase, PutItems, Remove, SetFields, Transaction, Write
from ..layout import Layout, key_fields, layout_of
from .read import read
from .search import search_paths
from .take import take
from .write import write

__all__ = ["fixes", "key_fields", "paths", "together"]

_WRITES = frozenset(("put", "update", "increment", "delete"))


def paths(target: ServerTarget, binding: Binding[Structure], pattern: Pattern) -> Iterator[Candidate]:
    """See `Engine.paths`: the one structure of the entity, and its indexes of Search."""
    layout = layout_of(target, binding)
    if layout is None:
        yield Rejected(By("structure", binding.name), f'server "{target.name}" does not contain "{binding.name}"')
        return
    yield _path(layout, binding, pattern)
    yield from search_paths(layout, target.indexes, request(pattern, layout.key_fields))


def _path(layout: Layout, binding: Binding[Structure], pattern: Pattern) -> Candidate:
    query = request(pattern, layout.key_fields)
    if pattern.kind == "aggregate":
        reason = "Redis has no aggregates over groups: maintain a RedisCounter or RedisHash for each group"
        return Rejected(layout.by, reason)
    if pattern.joins:
        return Rejected(
            layout.by, "Redis has no joins: read the other entity by its key, or store a copy of its fields"
        )
    if pattern.kind in _WRITES:
        return write(layout, query)
    if pattern.kind == "take":
        return take(layout, binding, query)
    if pattern.consistency == "strong" and layout.freshness != "strong":
        reason = "a strong read needs a server without replicas, or MemoryDB: a failover loses writes without a replica"
        return Rejected(layout.by, reason)
    return read(layout, query)


def together(target: ServerTarget, parts: tuple[Planned[ServerTarget], ...]) -> Candidate:
    """See `Engine.together`: MULTI and EXEC, or one script where a write has a condition."""
    by = By("structure", ", ".join(dict.fromkeys(_path_of(part).by.name for part in parts)))
    writes = tuple(call for part in parts if isinstance(call := _path_of(part).call, Write))
    if len(writes) != len(parts):
        return Rejected(by, "only writes can be part of a transaction")
    drawn_removal = next((call for call in writes if isinstance(call, Remove) and not call.keys.filled.is_single), None)
    if drawn_removal is not None:
        return Rejected(by, f'"{drawn_removal.keys.text}" is several keys: delete them with a separate pattern')
    layout = layout_of(target, parts[0].binding)
    if any(isinstance(call, Remove) and call.guards and not call.is_strict for call in writes):
        return Rejected(by, "a delete without a match does not stop a transaction: move the rest of its eq= to where=")
    is_cluster = layout is not None and layout.is_cluster
    tags = {tag_of(call) for call in writes}
    if is_cluster and (len(tags) > 1 or "" in tags):
        return Rejected(
            by, "on a cluster the keys of a transaction need one slot: put the same {field:tag} into each key"
        )
    is_script = any(needs_script(call) for call in writes)
    notes: tuple[str, ...] = ("one Lua script, because there are conditions" if is_script else "MULTI and EXEC",)
    if is_cluster:
        notes += (f'all calls must have the same "{tags.pop()}", which selects the node',)
    else:
        notes += ("on one node; a cluster would need the same {field:tag} in each key",)
    level = min((_path_of(part).consistency for part in parts), key=("eventual", "session", "strong").index)
    return AccessPath(by, Transaction(writes, is_script, is_cluster), consistency=level, notes=notes)


def _path_of(part: Planned[ServerTarget]) -> AccessPath:
    return part.access_path


def needs_script(call: Write) -> bool:
    """Whether a write has a condition, so that it needs a script inside a transaction."""
    match call:
        case PutItems():
            return bool(call.if_absent)
        case SetFields():
            return True
        case Increase():
            return bool(call.guards) or call.must_exist or call.stays_exact
        case Remove():
            return bool(call.guards)


def tag_of(call: Write) -> str:
    """The field in the braces of the key of a write; empty if there is none."""
    return call.tag if isinstance(call, PutItems) else tag(call.keys)


def tag(keys: CallKeys) -> str:
    """The field in the braces of a key, which determines its slot; empty if there is none."""
    return next((slot.placeholder.path for slot in keys.filled.slots if slot.placeholder.is_tag), "")


def fixes(target: ServerTarget, binding: Binding[Structure], pattern: Pattern) -> Iterator[PatternFix[ServerTarget]]:
    """See `Engine.fixes`: declarations that would let an unserved pattern be served, of which there are none.

    Redis has no indexes. Another access path is another structure with its own key, hence another entity that the
    application writes too, not an option in the declaration of the first. The reasons of `paths` name that structure.
    """
    yield from ()
