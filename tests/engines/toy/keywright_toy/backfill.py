"""The items of a box page by page, for backfills: in the order of their keys, each written if it is unchanged."""

from collections.abc import Mapping, Sequence
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.contract.pages import (
    CONTENDED,
    MARK,
    WRITTEN,
    ChangeOutcome,
    ItemChange,
    Marks,
    Pages,
    StoredItem,
    Work,
)
from keywright.ir.apply_transform import REMOVED
from keywright.ir.json import Json
from keywright.ir.template import parse

from .key import key_text
from .shelf import Item, Shelf


def pages(shelf: Shelf, work: Work) -> Pages:
    """The items of one box; one segment, whose cursors are keys."""
    box = _Box(shelf, work)
    return Pages(
        split=lambda count: ({},),
        page=box.page,
        find=box.find,
        write=lambda changes: tuple(map(box.write, changes)),
        marks=Marks(clear=box.clear),
        form=lambda path, value: value,
        estimate=lambda: len(shelf.items(work.object)),
        keyed_by=("key",),
        put=box.put,
        remove=lambda key: shelf.write("delete", work.object, str(key), lambda item: None),
    )


class _Box:
    """The operations of `Pages` on one box."""

    def __init__(self, shelf: Shelf, work: Work) -> None:
        self.shelf, self.work = shelf, work
        self.attribute = work.attribute or (MARK if work.once else VERSION)

    def page(self, segment: Json, cursor: Any, limit: int) -> tuple[tuple[StoredItem, ...], Json]:
        """See `Pages.page`."""
        items = self.shelf.items(self.work.object)
        keys = [key for key in sorted(items) if cursor is None or key > cursor]
        here = keys[:limit]
        return tuple(self._stored(key, items[key]) for key in here), here[-1] if len(keys) > limit else None

    def _stored(self, key: str, item: Item) -> StoredItem:
        return StoredItem(key, item, self.work.is_processed(item.get(self.attribute)))

    def find(self, keys: Sequence[Any]) -> tuple[StoredItem | None, ...]:
        """See `Pages.find`."""
        items = self.shelf.items(self.work.object)
        return tuple(self._stored(key, items[key]) if key in items else None for key in keys)

    def write(self, change: ItemChange) -> ChangeOutcome:
        """See `Pages.write`."""
        outcomes = [CONTENDED]
        guarded = (self.attribute, *self.work.guarded)

        def changed(item: Item | None) -> Item | None:
            if item is None or any(_at(item, path) != _at(change.item.values, path) for path in guarded):
                return item
            outcomes[0] = WRITTEN
            for path, value in change.values.items():
                _set(item, path, value)
            return item if self.work.stamp is None else {**item, self.attribute: self.work.stamp}

        self.shelf.write("update", self.work.object, str(change.item.key), changed)
        return outcomes[0]

    def clear(self, segment: Json, cursor: Json, limit: int) -> Json:
        """See `Marks.clear`."""
        items, after = self.page(segment, cursor, limit)
        for item in items:
            self.shelf.write(
                "update", self.work.object, str(item.key), lambda result: result and {**result, self.attribute: None}
            )
        return after

    def put(self, item: Mapping[str, Any]) -> Json:
        """See `Pages.put`."""
        key = key_text(parse(dict(self.work.keys)["key"]), lambda path: item[path])
        self.shelf.write("put", self.work.object, key, lambda former: dict(item))
        return key


def _at(item: Mapping[str, Any], path: str) -> Any:
    value: Any = item
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _set(item: Item, path: str, value: Any) -> None:
    *outer, last = path.split(".")
    for name in outer:
        item = item[name]
    if value is REMOVED:
        item.pop(last, None)
    else:
        item[last] = value
