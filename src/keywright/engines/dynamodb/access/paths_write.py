"""How writes find their item, and what an update must carry so that keys and computed attributes stay right."""

from functools import lru_cache

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.nested import unreachable
from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.request import Asked, Request, request
from keywright.access.search import Planned
from keywright.errors import NOWHERE
from keywright.ir.attribute import Attribute, Many
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern

from ..capabilities import TRANSACTION_WRITES
from ..target import TableTarget
from .calls import Delete, Filling, Made, Place, Put, TransactWrite, Update, Write
from .derived import derived_of, key_sources, touches
from .filters import unjudged
from .halves import template_of
from .layout import Entity


def put_path(entity: Entity, pattern: Pattern) -> Candidate:
    """How whole items are written."""
    return _put(entity, pattern.if_absent)


@lru_cache(maxsize=4096)
def _put(entity: Entity, if_absent: bool) -> Candidate:
    key = tuple(Filling(part.attribute, part.native, Filled(part.template)) for part in entity.key.key)
    if if_absent and (drawn := _drawn(entity)):
        reason = f"its key is drawn from {drawn} shards: that one is free says nothing of the others"
        return Rejected(entity.key.by, reason)
    call = Put(Place(entity.table.name, key, entity.shape.copies), if_absent)
    return AccessPath(entity.key.by, call, consistency="strong", notes=_copied(entity))


def change_path(entity: Entity, pattern: Pattern) -> Candidate:
    """How one item is changed or removed: by its key in the table, all of it."""
    asked, by = request(pattern, entity.key_fields), entity.key.by
    # What names no field means the whole key, which is the same for all such patterns.
    place = _place(entity, asked) if pattern.eq or entity.computed else _usual_place(entity)
    if isinstance(place, str):
        return Rejected(by, place)
    guards: tuple[Asked, ...] = ()
    if pattern.eq or pattern.where:
        decided = {one.field for filling in place.key for one in filling.filled.decides}
        guards = tuple(
            one for one in asked.asked if not (one.how == "equals" and one.constants is None and one.field in decided)
        )
    for one in guards:
        if reason := unjudged(entity, one):
            return Rejected(by, reason)
    if pattern.kind == "delete":
        return _delete(entity, place, guards)
    if not _changed(pattern):
        return Rejected(by, "it changes nothing: say sets=, unset= or pushes=")
    made = _made(entity, asked)
    if isinstance(made, Rejected):
        return made
    for path in _changed(pattern):
        if reason := _unchangeable(entity, pattern, path):
            return Rejected(by, reason)
    call = Update(
        place,
        sets=pattern.sets,
        removes=pattern.unset,
        pushes=pattern.pushes,
        most=_most(entity, pattern.pushes),
        adds=pattern.field if pattern.kind == "increment" else None,
        made=made,
        guards=guards,
    )
    return AccessPath(by, call, consistency="strong", notes=_copied(entity))


def _delete(entity: Entity, place: Place, guards: tuple[Asked, ...]) -> Candidate:
    by, drawn = entity.key.by, _drawn(entity)
    if guards and drawn:
        return Rejected(by, f"its key is drawn from {drawn} shards, each of which the condition may hold for")
    return AccessPath(by, Delete(place, guards), drawn or 1, consistency="strong", notes=_copied(entity))


@lru_cache(maxsize=4096)
def _usual_place(entity: Entity) -> Place | str:
    """The place of an item whose whole key the caller gives."""
    asked = tuple(Asked(path, "equals") for path in entity.key_fields)
    return _place(entity, Request(_NO_PATTERN, asked))


_NO_PATTERN = Pattern("", "get", "", "", NOWHERE)


def together(target: TableTarget, parts: tuple[Planned[TableTarget], ...]) -> Candidate:
    """See `Engine.together`."""
    by = By("table", target.name)
    writes: list[Write] = []
    actions = 0
    for part in parts:
        call = part.path.call if isinstance(part.path, AccessPath) else None
        if not isinstance(call, (Put, Update, Delete)):
            return Rejected(by, f"{part.pattern.name} is no write of a single item")
        if isinstance(call, Delete) and part.path.fan_out > 1:  # type: ignore[union-attr]  # it is a path by then
            return Rejected(by, f"{part.pattern.name} removes an item from every shard, which are not one item")
        writes.append(call)
        actions += call.place.copies * part.pattern.batch
    if actions > TRANSACTION_WRITES.value:
        most = TRANSACTION_WRITES.value
        return Rejected(
            by, f"it writes {actions} items, DynamoDB allows {most} in a transaction: split it, or lower batch="
        )
    return AccessPath(by, TransactWrite(tuple(writes)), consistency="strong")


def _place(entity: Entity, asked: Request) -> Place | str:
    """The key that a pattern chooses its item by, or what it lacks."""
    key: list[Filling] = []
    lacking: list[str] = []
    for part in entity.key.key:
        template, kept = template_of(entity, part, asked)
        filled = fill(template, asked, entity.attributes, is_write=True)
        if isinstance(filled, Unfilled):
            paths = (one.path for one in template.placeholders if one.path and asked.fixed(one.path) is None)
            lacking += [path for path in paths if path not in lacking]
            continue
        if any(kept.vague):
            path = template.placeholders[kept.vague.index(True)].path
            return f'one value of "{path}" has several texts in a key'
        key.append(Filling(part.attribute, part.native, filled))
    if lacking:
        return f"a write needs the whole key: add {_quoted(lacking)} to eq="
    return Place(entity.table.name, tuple(key), entity.shape.copies)


def _drawn(entity: Entity) -> int:
    """Shards from which the key is drawn; 0 for none."""
    found = 1
    for part in entity.key.key:
        for one in part.template.placeholders:
            if not one.path:
                found *= one.shards or 1
    return found if found > 1 else 0


def _copied(entity: Entity) -> tuple[str, ...]:
    copies = entity.shape.copies
    return (f"{copies} read copies, written in one transaction",) if copies > 1 else ()


def _changed(pattern: Pattern) -> tuple[str, ...]:
    """The fields that an update or an increment changes."""
    further = (pattern.pushes, pattern.field if pattern.kind == "increment" else None)
    return (*pattern.sets, *pattern.unset, *(path for path in further if path is not None))


def _unchangeable(entity: Entity, pattern: Pattern, path: str) -> str | None:
    """Why an update cannot change a field."""
    if touches(path, key_sources(entity)):
        return f'"{path}" is part of the key, which never changes: delete the item and put another'
    found = resolve(entity.attributes, path)
    if found is None:
        return f'"{path}" is no field'
    if (reason := unreachable(found)) is not None:
        return reason
    last = found[-1]
    if path in pattern.unset:
        is_empty_set = entity.native(path) in ("SS", "NS", "BS")
        return (
            None
            if last.is_nullable or not last.is_required or is_empty_set
            else f'"{path}" has no default, and cannot be removed'
        )
    if path == pattern.pushes:
        return _unpushable(entity, path, last)
    if pattern.kind == "increment" and path == pattern.field and entity.native(path) != "N":
        return f'"{path}" is stored as {entity.native(path)}, and only numbers are added to'
    if path in (pattern.pushes, pattern.field) and last.is_nullable and not last.is_required:
        return f'"{path}" may be stored as null, to which nothing is added'
    return None


def _unpushable(entity: Entity, path: str, last: Attribute) -> str | None:
    if not isinstance(last.type, Many):
        return f'"{path}" is no list'
    if last.type.kind == "set" and entity.native(path) == "L":
        return f'"{path}" is a set that is stored as a list, where an element could be twice'
    if last.is_nullable and not last.is_required:
        return f'"{path}" may be stored as null, to which nothing is added'
    return None


def _most(entity: Entity, path: str | None) -> int | None:
    found = resolve(entity.attributes, path) if path else None
    kind = found[-1].type if found else None
    return kind.max_items if isinstance(kind, Many) else None


def _made(entity: Entity, asked: Request) -> tuple[Made, ...] | Rejected:
    """What follows from an update's changes, or what it lacks to follow."""
    by = entity.key.by
    pattern = asked.pattern
    if not derived_of(entity):
        return ()
    changed = _changed(pattern)
    known = {one.field for one in asked.asked if one.how == "equals"} | set(pattern.sets) | set(pattern.unset)
    unknown = [path for path in changed if path not in known]  # what is pushed to or added to
    found: list[Made] = []
    lacking: dict[str, str] = {}
    for made, used in derived_of(entity):
        if not any(touches(one, used) for one in changed):
            continue
        for path in unknown:
            if touches(path, used):
                reason = f'{_called(made)} is made of "{path}", whose new value the call does not know'
                return Rejected(by, f"{reason}: set it in an update", (path,))
        lacking |= {path: _called(made) for path in used if not _is_known(path, known) and path not in lacking}
        found.append(made)
    if lacking:
        it = "it" if len(lacking) == 1 else "them"
        whatever = " and ".join(dict.fromkeys(lacking.values()))
        reason = f"{whatever} cannot be made anew without {_quoted(list(lacking))}: add {it} to eq= or sets="
        return Rejected(by, reason, tuple(lacking))
    return tuple(found)


def _is_known(path: str, known: set[str]) -> bool:
    names = path.split(".")
    return any(".".join(names[:end]) in known for end in range(1, len(names) + 1))


def _called(made: Made) -> str:
    return f'the key in index "{made.index}"' if made.index else f'attribute "{made.attributes[0][0]}"'


def _quoted(names: list[str]) -> str:
    return " and ".join(", ".join(f'"{name}"' for name in names).rsplit(", ", 1))
