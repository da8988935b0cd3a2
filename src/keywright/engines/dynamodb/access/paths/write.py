"""Access paths of writes, and the attributes that an update must recompute: keys and computed attributes."""

from functools import lru_cache

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.partial_write import unreachable, versions_of
from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.query import Condition, Query, request
from keywright.access.search import Planned
from keywright.declare.store import VERSION
from keywright.errors import NOWHERE
from keywright.ir.attribute import Attribute, Many, has_fixed_length
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted

from ...schema.capabilities import TRANSACTION_WRITES
from ...schema.target import TableTarget
from ..calls import DeleteItem, Filling, ItemKey, PutItems, TemplateAttribute, TransactWrite, UpdateItem, Write
from ..derived import derived_of, key_sources, touches
from ..filters import unfilterable
from ..kept_keys import kept_key
from ..layout import Layout
from .key_match import template_of


def put_path(entity: Layout, pattern: Pattern) -> Candidate:
    """Path of writes of whole items."""
    return _put(entity, pattern.if_absent)


@lru_cache(maxsize=4096)
def _put(entity: Layout, if_absent: bool) -> Candidate:
    key = tuple(Filling(part.attribute, part.native, Filled(part.template)) for part in entity.key.key)
    if if_absent and (shards := _shards(entity)):
        reason = (
            f"its key contains one of {counted(shards, 'shard')} at random: a check of one does not cover the others"
        )
        return Rejected(entity.key.by, reason)
    call = PutItems(ItemKey(entity.table.name, key, entity.shape.copies), if_absent)
    return AccessPath(entity.key.by, call, consistency="strong", notes=_copy_notes(entity))


def change_path(entity: Layout, pattern: Pattern) -> Candidate:
    """Path of a change or removal of one item: by its complete key in the table."""
    query, by = request(pattern, entity.key_fields), entity.key.by
    # A pattern that names no field means the whole key, which is the same for all such patterns.
    item_key = _item_key(entity, query) if pattern.eq or entity.computed else _whole_key(entity)
    if isinstance(item_key, str):
        return Rejected(by, item_key)
    guards: tuple[Condition, ...] = ()
    if pattern.eq or pattern.where:
        decided = {condition.field for filling in item_key.key for condition in filling.filled.decides}
        guards = tuple(
            condition
            for condition in query.conditions
            if not (condition.kind == "equals" and condition.constants is None and condition.field in decided)
        )
    for guard in guards:
        if reason := unfilterable(entity, guard):
            return Rejected(by, reason)
    if pattern.kind == "delete":
        return _delete(entity, item_key, guards)
    if not _changed(pattern):
        return Rejected(by, "it changes nothing: add sets=, unset= or pushes=")
    derived = _derived_attributes(entity, query)
    if isinstance(derived, Rejected):
        return derived
    for path in _changed(pattern):
        if reason := _unchangeable(entity, pattern, path):
            return Rejected(by, reason)
    call = UpdateItem(
        item_key,
        sets=pattern.sets,
        removes=pattern.unset,
        pushes=pattern.pushes,
        most=_max_items(entity, pattern.pushes),
        adds=pattern.field if pattern.kind == "increment" else None,
        template_attributes=derived,
        guards=guards,
        versions=versions_of(entity.binding, VERSION, entity.key_fields, query),
    )
    return AccessPath(by, call, consistency="strong", notes=_copy_notes(entity))


def _delete(entity: Layout, item_key: ItemKey, guards: tuple[Condition, ...]) -> Candidate:
    by, shards = entity.key.by, _shards(entity)
    if guards and shards:
        return Rejected(
            by, f"its key contains one of {counted(shards, 'shard')} at random, and the condition may apply to each"
        )
    return AccessPath(by, DeleteItem(item_key, guards), shards or 1, consistency="strong", notes=_copy_notes(entity))


@lru_cache(maxsize=4096)
def _whole_key(entity: Layout) -> ItemKey | str:
    """Key of an item whose whole key the caller gives."""
    conditions = tuple(Condition(path, "equals") for path in entity.key_fields)
    return _item_key(entity, Query(_NO_PATTERN, conditions))


_NO_PATTERN = Pattern("", "get", "", "", NOWHERE)


def together(target: TableTarget, parts: tuple[Planned[TableTarget], ...]) -> Candidate:
    """See `Engine.together`."""
    by = By("table", target.name)
    writes: list[Write] = []
    actions = 0
    for part in parts:
        call = part.path.call if isinstance(part.path, AccessPath) else None
        if not isinstance(call, (PutItems, UpdateItem, DeleteItem)):
            return Rejected(by, f"{part.pattern.name} is not a write of a single item")
        if isinstance(call, DeleteItem) and part.path.fan_out > 1:  # type: ignore[union-attr]  # the call was read from a path
            return Rejected(by, f"{part.pattern.name} removes an item from every shard, which are not one item")
        writes.append(call)
        actions += call.place.copies * part.pattern.batch
    if actions > TRANSACTION_WRITES.value:
        most = TRANSACTION_WRITES.value
        return Rejected(
            by,
            f"it writes {counted(actions, 'item')}, DynamoDB allows {most} in a transaction: split it, or lower batch=",
        )
    return AccessPath(by, TransactWrite(tuple(writes)), consistency="strong")


def _item_key(entity: Layout, query: Query) -> ItemKey | str:
    """Key by which a pattern selects its item, or the reason why it is incomplete."""
    key: list[Filling] = []
    lacking: list[str] = []
    for part in entity.key.key:
        template, kept_values = template_of(entity, part, query)
        filled = fill(template, query, entity.attributes, is_write=True)
        if isinstance(filled, Unfilled):
            paths = (
                placeholder.path
                for placeholder in template.placeholders
                if placeholder.path and query.fixed(placeholder.path) is None
            )
            lacking += [path for path in paths if path not in lacking]
            continue
        if any(kept_values.is_ambiguous):
            path = template.placeholders[kept_values.is_ambiguous.index(True)].path
            return f'one value of "{path}" has several texts in a key'
        key.append(Filling(part.attribute, part.native, filled))
    if lacking:
        return f"a write needs the whole key: add {_quoted(lacking)} to eq="
    return ItemKey(entity.table.name, tuple(key), entity.shape.copies)


def _shards(entity: Layout) -> int:
    """Number of shards from which the key is drawn; 0 without shards."""
    shards = 1
    for part in entity.key.key:
        for placeholder in part.template.placeholders:
            if not placeholder.path:
                shards *= placeholder.shards or 1
    return shards if shards > 1 else 0


def _copy_notes(entity: Layout) -> tuple[str, ...]:
    copies = entity.shape.copies
    return (f"{counted(copies, 'read copy', 'read copies')}, written in one transaction",) if copies > 1 else ()


def _changed(pattern: Pattern) -> tuple[str, ...]:
    """Fields that an update or an increment changes."""
    others = (pattern.pushes, pattern.field if pattern.kind == "increment" else None)
    return (*pattern.sets, *pattern.unset, *(path for path in others if path is not None))


def _unchangeable(entity: Layout, pattern: Pattern, path: str) -> str | None:
    """Reason why an update cannot change a field."""
    if touches(path, key_sources(entity)):
        return f'"{path}" is part of the key, which never changes: delete the item and put another'
    attributes = resolve(entity.attributes, path)
    if attributes is None:
        return f'"{path}" is not a field'
    if (reason := unreachable(attributes)) is not None:
        return reason
    last = attributes[-1]
    if path in pattern.unset:
        is_empty_set = entity.native(path) in ("SS", "NS", "BS")
        return (
            None
            if last.is_nullable or not last.is_required or is_empty_set
            else f'"{path}" has no default, so it cannot be removed'
        )
    if path == pattern.pushes:
        return _unpushable(entity, path, last)
    if pattern.kind == "increment" and path == pattern.field and entity.native(path) != "N":
        return f'"{path}" is stored as {entity.native(path)}, and only numbers can be incremented'
    if path in (pattern.pushes, pattern.field) and last.is_nullable and not last.is_required:
        return f'"{path}" may be stored as null, which cannot be incremented'
    return None


def _unpushable(entity: Layout, path: str, last: Attribute) -> str | None:
    if has_fixed_length(last.type):
        return f'"{path}" has a fixed number of elements: write it as a whole with sets='
    if not isinstance(last.type, Many):
        return f'"{path}" is not a list'
    if last.type.kind == "set" and entity.native(path) == "L":
        return f'"{path}" is a set that is stored as a list, which could contain an element twice'
    if last.is_nullable and not last.is_required:
        return f'"{path}" may be stored as null, which cannot be incremented'
    return None


def _max_items(entity: Layout, path: str | None) -> int | None:
    attributes = resolve(entity.attributes, path) if path else None
    type_ = attributes[-1].type if attributes else None
    return type_.max_items if isinstance(type_, Many) else None


def _derived_attributes(entity: Layout, query: Query) -> tuple[TemplateAttribute, ...] | Rejected:
    """Attributes that depend on an update's changes, or a rejection if the update lacks their other fields."""
    by = entity.key.by
    pattern = query.pattern
    if not derived_of(entity):
        return ()
    changed = _changed(pattern)
    determined = (
        {condition.field for condition in query.conditions if condition.kind == "equals"}
        | set(pattern.sets)
        | set(pattern.unset)
    )
    incremented = [path for path in changed if path not in determined]  # fields with a pushed element or an increment
    attributes: list[TemplateAttribute] = []
    lacking: dict[str, str] = {}
    for template_attribute, sources in derived_of(entity):
        if not any(touches(path, sources) for path in changed):
            continue
        if (kept := kept_key(entity, query, template_attribute, changed)) is not None:
            attributes.append(kept)
            continue
        for path in incremented:
            if touches(path, sources):
                reason = f'{_description(template_attribute)} is computed from "{path}", whose new value is unknown'
                return Rejected(by, f"{reason}: set it in an update", (path,))
        lacking |= {
            path: _description(template_attribute)
            for path in sources
            if not _is_given(path, determined) and path not in lacking
        }
        attributes.append(template_attribute)
    if lacking:
        it = "it" if len(lacking) == 1 else "them"
        derived_names = " and ".join(dict.fromkeys(lacking.values()))
        reason = f"{derived_names} cannot be computed again without {_quoted(list(lacking))}: add {it} to eq= or sets="
        return Rejected(by, reason, tuple(lacking))
    return tuple(attributes)


def _is_given(path: str, determined: set[str]) -> bool:
    steps = path.split(".")
    return any(".".join(steps[:end]) in determined for end in range(1, len(steps) + 1))


def _description(attribute: TemplateAttribute) -> str:
    return f'the key in index "{attribute.index}"' if attribute.index else f'attribute "{attribute.attributes[0][0]}"'


def _quoted(names: list[str]) -> str:
    return " and ".join(", ".join(f'"{name}"' for name in names).rsplit(", ", 1))
