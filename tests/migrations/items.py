"""Items in memory as pages, with a moment before each atomic action at which a test may do something else."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from keywright.engines.contract.pages import (
    CONTENDED,
    WRITTEN,
    ChangeOutcome,
    ItemChange,
    Pages,
    ServerSideBatch,
    StoredItem,
    Work,
)
from keywright.ir.apply_transform import REMOVED
from keywright.ir.json import Json

VERSION = "_kw_v"


@dataclass
class Items:
    """A store of flat items by key; each item is read and written as a whole, and nothing else is atomic."""

    work: Work
    stored: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The items."""
    before: Callable[[str], None] = lambda action: None
    """Called with "read", "find" or "write" before an item is read or written, or with "split"."""
    refused: frozenset[str] = frozenset()
    """Keys of items that the store refuses to write."""
    largest_page: int = 0
    """The most items that a page had."""
    written: list[str] = field(default_factory=list)
    """Keys of the items that were written, in order."""

    @property
    def pages(self) -> Pages:
        """What `history` takes; segments are ranges of keys."""
        return Pages(
            split=self._split,
            page=self._page,
            find=lambda keys: tuple(self._read(str(key), "find") for key in keys),
            write=lambda changes: tuple(map(self._write, changes)),
            form=lambda path, value: value,
            estimate=lambda: len(self.stored),
        )

    def _split(self, count: int) -> tuple[Json, ...]:
        self.before("split")
        keys = sorted(self.stored)
        bounds = ["", *(keys[len(keys) * at // count] for at in range(1, count) if keys), "~"]
        return tuple([low, high] for low, high in itertools.pairwise(bounds))

    def _page(self, segment: Any, cursor: Json, limit: int) -> tuple[tuple[StoredItem, ...], Json]:
        low, high = cursor or segment[0], segment[1]
        keys = [key for key in sorted(self.stored) if (key > low if cursor else key >= low) and key < high][:limit]
        self.largest_page = max(self.largest_page, len(keys))
        items = (self._read(key, "read") for key in keys)
        return tuple(item for item in items if item), keys[-1] if len(keys) == limit else None

    def _read(self, key: str, action: str) -> StoredItem | None:
        self.before(action)
        if key not in self.stored:
            return None
        values = dict(self.stored[key])
        is_new = self.work.version is not None and values.get(VERSION, 1) >= self.work.version
        return StoredItem(key, values, is_new, handle=values)

    def _write(self, change: ItemChange) -> ChangeOutcome:
        self.before("write")
        key = str(change.item.key)
        if key in self.refused:
            return ChangeOutcome("rejected", "it is refused")
        now, read = self.stored.get(key), change.item.handle
        guarded = (*self.work.guarded, *((VERSION,) if self.work.version is not None else ()))
        if now is None or any(now.get(path) != read.get(path) for path in guarded):
            return CONTENDED
        version = {} if self.work.version is None else {VERSION: self.work.version}
        merged = {**now, **change.values, **version}
        self.stored[key] = {path: value for path, value in merged.items() if value is not REMOVED}
        self.written.append(key)
        return WRITTEN


def ahead(items: Items, left: Sequence[str] = ()) -> Callable[[Json, Json, int], ServerSideBatch]:
    """A server that transforms pages by itself, but for some keys."""
    pages = items.pages

    def server_side(segment: Json, cursor: Json, limit: int) -> ServerSideBatch:
        stored_items, behind = pages.page(segment, cursor, limit)
        own = [item for item in stored_items if item.key not in left and not item.is_new]
        for stored_item in own:
            items.stored[str(stored_item.key)] |= {"by": "server", VERSION: 2}
        others = tuple(item for item in stored_items if item.key in left)
        return ServerSideBatch(behind, len(own), len(stored_items) - len(own) - len(others), others)

    return server_side
