"""Upgrades of older items on reading, so that every instance has the form that a put writes."""

from collections.abc import Callable, Mapping
from typing import Any

from keywright.ir.apply_transform import REMOVED, ChangedValues, PlainItem, StoredFormOf, applied
from keywright.ir.binding import Binding
from keywright.ir.upgrades import upgrade_of
from keywright.record import Record, replace

from .codec import Codec, M


class ItemAccess(Record, kw_only=True):
    """Functions that read and rebuild the native items of an entity."""

    version: Callable[[Any], int | None]
    """The schema version of a native item; None if the item is a part without it."""
    plain: Callable[[Any], PlainItem]
    """Plain Python values of a native item by stored name."""
    native: Callable[[Any, Mapping[str, Any]], Any]
    """(native item, new values by stored name, REMOVED to delete): the native item with these values."""
    holds: Callable[[Any, tuple[str, ...]], bool] = lambda item, paths: True
    """Whether a native item includes the values at some paths: a Cassandra row contains only the selected columns."""
    form: StoredFormOf
    """The stored form of a value at a path; ValueError if the store cannot hold it."""


def upgrading(codec: Codec[M], binding: Binding, stored: Callable[[], ItemAccess]) -> Codec[M]:
    """A codec whose `from_item` upgrades items of older versions, as a backfill does; the same codec without upgrades.

    Counting back from the latest version, upgrading stops at the first version without a declared upgrade, because a
    backfill in Python may convert older items in any way. `from_item` raises Poison for an item that cannot be
    transformed.
    """
    latest = binding.spec.schema_version
    transforms = [(version, upgrade_of(binding, version)) for version in range(latest - 1, 0, -1)]
    if not transforms or transforms[0][1] is None:
        return codec
    access, read = stored(), codec.from_item
    steps: dict[int, Callable[[PlainItem], ChangedValues | None]] = {}
    reads: dict[int, tuple[str, ...]] = {latest: ()}
    for version, transform in transforms:
        if transform is None:
            break
        steps[version] = applied(transform, access.form)
        paths = {path for path in transform.writes if path not in transform.reads}
        reads[version] = tuple({*transform.reads, *reads[version + 1]} - paths)

    def from_item(item: Any) -> M:
        version = access.version(item)
        if version is None or version not in steps or not access.holds(item, reads[version]):
            return read(item)
        original = current = access.plain(item)
        for step in range(version, latest):
            current = _with(current, steps[step](current) or {})
        names = dict.fromkeys((*original, *current))
        changes = {name: current.get(name, REMOVED) for name in names if current.get(name) is not original.get(name)}
        return read(access.native(item, changes))

    return replace(codec, from_item=from_item, from_copy=read)


def _with(item: PlainItem, values: ChangedValues) -> PlainItem:
    """A copy of an item with new values at paths."""
    copy = dict(item)
    for path, value in values.items():
        top, _, rest = path.partition(".")
        if rest:
            copy[top] = _with(copy[top], {rest: value})
        elif value is REMOVED:
            copy.pop(top, None)
        else:
            copy[top] = value
    return copy
