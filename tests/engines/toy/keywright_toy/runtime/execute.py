"""Planned patterns as functions that an application calls with its own client."""

from collections.abc import Callable, Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.declare.answers import Page
from keywright.ir.pattern import Pattern
from keywright.ir.template import parse
from keywright.runtime.errors import InvalidCursor
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.residual_filter import residual_filter, value_of
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

from ..access import Call
from ..key import key_text
from ..shelf import Item, Shelf
from ..target import BoxTarget


def prepare(planned: Planned[BoxTarget], codecs: Mapping[str, Codec[Any]]) -> PatternFunction:
    """See `runtime.items.codec.PatternFunction`; the client is a `Shelf`."""
    assert isinstance(planned.path, AccessPath)
    call: Any = planned.path.call
    prepared = _Prepared(call, planned.pattern, codecs[planned.binding.name], planned.path)
    functions: dict[str, PatternFunction] = {
        "get": prepared.get, "scan": prepared.scan, "put": prepared.put, "update": prepared.update,
        "delete": prepared.delete,
    }  # fmt: skip
    return functions[call.operation]


class _Prepared:
    """One pattern, as functions of the client and the arguments of a call."""

    def __init__(self, call: Call, pattern: Pattern, codec: Codec[Any], path: AccessPath) -> None:
        self.call, self.pattern, self.codec = call, pattern, codec
        self.bind = residual_filter(path.residual, lambda condition: lambda value: value)

    def _key(self, arguments: Arguments) -> str:
        return key_text(parse(self.call.key), lambda path: arguments.values[path])

    def _fits(self, arguments: Arguments) -> Callable[[Any], bool]:
        """Whether an instance meets the conditions that are not part of the key."""
        return self.bind(arguments) if self.bind else lambda instance: True

    def get(self, shelf: Shelf, arguments: Arguments) -> Any:
        """The item under a key."""
        key = self._key(arguments)
        item = shelf.get(self.call.box, key)
        instance = None if item is None else self._read(key, item)
        return instance if instance is not None and self._fits(arguments)(instance) else None

    def _read(self, key: str, item: Item) -> Any:
        """The instance of an item, with the wanted fields only."""
        if not self.pattern.fields:
            return self.codec.from_item((key, item))
        full = self.codec.from_item((key, item))
        tops = {field.partition(".")[0] for field in self.pattern.fields}
        return self.codec.from_part((key, {name: getattr(full, name) for name in tops}))

    def scan(self, shelf: Shelf, arguments: Arguments) -> Any:
        """All matching items in order, page by page, or their number."""
        fits = self._fits(arguments)
        items = shelf.items(self.call.box)
        result = [key for key in sorted(items) if fits(self.codec.from_item((key, items[key])))]
        if self.pattern.kind == "count":
            return len(result)
        for name in reversed(self.pattern.order):
            value = value_of(name.removeprefix("-"))
            ranks = {key: _rank(value(self.codec.from_item((key, items[key])))) for key in result}
            result.sort(key=ranks.__getitem__, reverse=name.startswith("-"))
        return self._page(arguments, result, items)

    def _page(self, arguments: Arguments, keys: list[str], items: dict[str, Item]) -> Page[Any]:
        """The page behind the cursor, which is the number of items before it."""
        begin = self._begin(arguments.cursor)
        end = len(keys) if arguments.limit is None else begin + arguments.limit
        cursor = str(end) if end < len(keys) else None
        return Page(tuple(self._read(key, items[key]) for key in keys[begin:end]), cursor)

    def _begin(self, cursor: str | None) -> int:
        if cursor is not None and not cursor.isdecimal():
            raise InvalidCursor(self.pattern.name, "it is no number", cursor)
        return int(cursor or 0)

    def put(self, shelf: Shelf, arguments: Arguments) -> None:
        """Write whole items."""
        for instance in arguments.items:
            ((key, item),) = self.codec.to_items(instance)

            def replaced(former: Item | None, item: Item = item) -> Item:
                if former is not None and self.pattern.if_absent:
                    raise ConditionFailed("there is an item with that key")
                return item

            shelf.write("put", self.call.box, key, replaced)

    def update(self, shelf: Shelf, arguments: Arguments) -> None:
        """Set fields of the item under a key."""
        key, fits = self._key(arguments), self._fits(arguments)
        values = {name: arguments.values[name] for name in self.pattern.sets} | dict.fromkeys(self.pattern.unset)

        def updated(item: Item | None) -> Item:
            instance = None if item is None else self.codec.from_item((key, item))
            if instance is None or not fits(instance):
                raise ConditionFailed("there is no item with that key for which the conditions hold")
            changed: Item
            ((_, changed),) = self.codec.to_items(instance.model_copy(update=values))
            return changed

        shelf.write("update", self.call.box, key, updated)

    def delete(self, shelf: Shelf, arguments: Arguments) -> None:
        """Remove the item under a key, if there is one."""
        key, fits = self._key(arguments), self._fits(arguments)

        def removed(item: Item | None) -> Item | None:
            if item is not None and not fits(self.codec.from_item((key, item))):
                raise ConditionFailed("the conditions do not hold")
            return None

        shelf.write("delete", self.call.box, key, removed)


def _rank(value: Any) -> tuple[bool, Any]:
    """A value to sort by, None first."""
    return (value is not None, 0 if value is None else value)
