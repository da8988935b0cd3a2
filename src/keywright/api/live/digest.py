"""Sampled items of one entity, page by page, into what rules are told of them; the items themselves are let go."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from keywright.engines.flaws.context import fields
from keywright.engines.flaws.observation import Items, Sample
from keywright.engines.observer import Copied, Taken
from keywright.ir.attribute import Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.runtime.codec import Codec

KEPT = 50
"""Instances that are kept, to lend patterns their values."""

KEPT_BYTES = 1024 * 1024
"""The largest item that is kept."""


@dataclass
class Digest:
    """One entity's items so far."""

    binding: Binding
    """The entity in its store."""
    codec: Codec[Any]
    """Reads its items."""
    references: dict[str, str] = field(default_factory=dict)
    """Stored paths of references that are looked up, by Python path."""
    copied: tuple[Copied, ...] = ()
    """Fields that are compared with what they are copied from."""
    pairs: dict[str, list[tuple[Any, Any]]] = field(default_factory=lambda: defaultdict(list))
    """Some (key of what a value is copied from, value), by Python path."""
    kept: list[tuple[Any, Any]] = field(default_factory=list)
    """Some (instance, native item)."""
    referred: dict[str, dict[Any, None]] = field(default_factory=lambda: defaultdict(dict))
    """Different native values of references, by Python path."""
    _read: int = 0
    _bytes: list[int] = field(default_factory=list)
    _lists: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _misfits: Counter[str] = field(default_factory=Counter)
    _versions: Counter[int] = field(default_factory=Counter)
    _expiries: Counter[str] = field(default_factory=Counter)
    _wrong: Counter[str] = field(default_factory=Counter)
    _misplaced: int = 0
    _types: Counter[str] = field(default_factory=Counter)
    _lengths: list[int] = field(default_factory=list)
    _pending: list[int] = field(default_factory=list)

    def add(self, taken: Taken) -> None:
        """One more item."""
        self._read += 1
        self._bytes.append(taken.bytes)
        if taken.expiry:
            self._expiries[taken.expiry] += 1
        if taken.version is not None:
            self._versions[taken.version] += 1
        self._wrong.update(taken.wrong)
        self._misplaced += taken.is_misplaced
        if taken.facts:
            self._types[str(taken.facts["type"])] += 1
            self._lengths.append(int(taken.facts["length"]))
            self._pending += taken.facts["pending"]
        if taken.item is not None:
            self._item(taken)

    def _item(self, taken: Taken) -> None:
        if taken.version == getattr(self.binding.spec, "schema_version", 1):  # others are for their upgrades to read
            self._instance(taken.item, taken.bytes)
        for path, stored in self._stored_lists:
            self._lists[path] += _lengths(taken.item, stored)
        for path, name in self.references.items():
            self.referred[path].update((value, None) for value in _values(taken.item, name.split(".")))
        for copy in self.copied:
            if len(self.pairs[copy.path]) < KEPT:
                self.pairs[copy.path] += _pairs(taken.item, copy.reference.split("."), copy.stored.split("."))

    def _instance(self, item: Any, size: int) -> None:
        """Keep the instance of an item, or note why the model does not take it."""
        try:
            instance = self.codec.from_item(item)
        except ValidationError as error:
            self._misfits.update({_told(one) for one in error.errors(include_input=False, include_url=False)})
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            self._misfits[f"a value is not of the type that is stored ({type(error).__name__})"] += 1
        else:
            if len(self.kept) < KEPT and size <= KEPT_BYTES:
                self.kept.append((instance, item))

    @cached_property
    def _stored_lists(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(Python path, stored names) of every list."""
        attributes = self.binding.entity.attributes
        paths = [path for path, one in fields(attributes) if isinstance(one.type, Many)]
        return tuple((path, tuple(one.stored for one in resolve(attributes, path) or ())) for path in paths)

    @property
    def count(self) -> int:
        """Items so far."""
        return self._read

    def items(
        self,
        about: int | None,
        noun: str,
        orphans: dict[str, tuple[int, int]],
        stale: dict[str, tuple[int, int]],
    ) -> Items:
        """What rules are told.

        about: about how many of them there are; None where nobody knows. noun: what one is called.
        """
        return Items(
            sample=Sample(self._read, about, noun),
            bytes=tuple(self._bytes),
            lists={path: tuple(found) for path, found in self._lists.items() if found},
            misfits=dict(self._misfits.most_common()),
            versions=dict(sorted(self._versions.items())),
            expiries=dict(self._expiries),
            wrong=dict(self._wrong.most_common()),
            misplaced=self._misplaced,
            orphans=orphans,
            stale=stale,
            types=dict(self._types.most_common()),
            lengths=tuple(self._lengths),
            pending=tuple(self._pending),
        )


def _told(error: Any) -> str:
    """What is wrong with a field, without any value of it."""
    path = ".".join("[]" if isinstance(part, int) else str(part) for part in error["loc"]).replace(".[]", "[]")
    return f'"{path}": {error["type"].replace("_", " ")}' if path else str(error["type"]).replace("_", " ")


def _lengths(value: Any, names: Sequence[str]) -> Iterator[int]:
    """The length of every list at a stored path, where documents hold plain ones."""
    if not names:
        if isinstance(value, list):
            yield len(value)
    elif isinstance(value, list):
        for one in value:
            yield from _lengths(one, names)
    elif isinstance(value, dict):
        yield from _lengths(value.get(names[0]), names[1:])


def _values(value: Any, names: Sequence[str]) -> Iterator[Any]:
    """Native values at a stored path, those of lists one by one."""
    if isinstance(value, list):
        for one in value:
            yield from _values(one, names)
    elif names:
        if isinstance(value, dict):
            yield from _values(value.get(names[0]), names[1:])
    elif value is not None and not isinstance(value, dict):
        yield value


def _pairs(value: Any, reference: Sequence[str], copy: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """(key, value) of every copy that stands beside a reference."""
    if isinstance(value, list):
        for one in value:
            yield from _pairs(one, reference, copy)
    elif isinstance(value, dict):
        if len(reference) > 1:
            yield from _pairs(value.get(reference[0]), reference[1:], copy[1:])
        elif value.get(reference[0]) is not None and copy[0] in value:
            yield value[reference[0]], value[copy[0]]
