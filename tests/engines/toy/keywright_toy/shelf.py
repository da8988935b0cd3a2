"""The client of an application: a JSON file with boxes, changed by one process at a time."""

import fcntl
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
Item = dict[str, Any]


class ShelfError(Exception):
    """The file cannot execute an operation."""


class Shelf:
    """One file; `{"boxes": {name: {"settings": {}, "items": {key: item}}}, "histories": {}}`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self.path.with_suffix(".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def read(self) -> dict[str, Any]:
        """Everything in the file."""
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        content: dict[str, Any] = json.loads(text or "{}")
        return {"boxes": {}, "histories": {}, **content}

    def change(self, by: Callable[[dict[str, Any]], T]) -> T:
        """Change the content by a function, alone, and return what the function returns."""
        with self._locked():
            content = self.read()
            result = by(content)
            self.path.write_text(json.dumps(content), encoding="utf-8")
            return result

    def items(self, box: str) -> dict[str, Item]:
        """All items of a box by key."""
        results: dict[str, Item] = _box(self.read(), box)["items"]
        return results

    def get(self, box: str, key: str) -> Item | None:
        """The item under a key."""
        return self.items(box).get(key)

    def write(self, operation: str, box: str, key: str, by: Callable[[Item | None], Item | None]) -> None:
        """Replace the item under a key by the result of a function; None for no item.

        operation: its name in records. Raises ShelfError if the box is full.
        """

        def replace(content: dict[str, Any]) -> None:
            outcome = _box(content, box)
            items, capacity = outcome["items"], outcome["settings"].get("capacity")
            item = by(items.get(key))
            if item is None:
                items.pop(key, None)
            elif key not in items and capacity is not None and len(items) >= capacity:
                raise ShelfError(f'box "{box}" is full')
            else:
                items[key] = item

        self.change(replace)


class RecordingShelf(Shelf):
    """A shelf that records its operations on items."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.events: list[dict[str, Any]] = []

    def items(self, box: str) -> dict[str, Item]:
        """See `Shelf.items`."""
        self.events.append({"operation": "scan", "box": box})
        return super().items(box)

    def get(self, box: str, key: str) -> Item | None:
        """See `Shelf.get`."""
        self.events.append({"operation": "get", "box": box, "key": key})
        return Shelf(self.path).get(box, key)

    def write(self, operation: str, box: str, key: str, by: Callable[[Item | None], Item | None]) -> None:
        """See `Shelf.write`."""
        self.events.append({"operation": operation, "box": box, "key": key})
        super().write(operation, box, key, by)


def _box(content: dict[str, Any], name: str) -> dict[str, Any]:
    try:
        box: dict[str, Any] = content["boxes"][name]
    except KeyError:
        raise ShelfError(f'there is no box "{name}"') from None
    return box
