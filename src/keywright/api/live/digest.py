"""Summarises sampled items of an entity for rules, page by page; the items themselves are not stored."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from keywright.engines.contract.observer import Copied, SampledItem
from keywright.engines.contract.pages import Work
from keywright.engines.findings.context import fields
from keywright.engines.findings.observation import Items, SampleSize
from keywright.ir.attribute import Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.runtime.items.codec import Codec

from .misfits import MisfitCounts, misfits, unknown

KEPT = 50
"""Number of instances that are stored to provide values for access patterns."""

KEPT_BYTES = 1024 * 1024
"""Size of the largest item that is stored."""


@dataclass
class Digest:
    """Summary of an entity's items so far."""

    binding: Binding
    """Binding of the entity."""
    codec: Codec[Any]
    """Codec of the items."""
    work: Work
    """Selection of the entity's items, with their paths."""
    plain: Callable[[Any, Work], Any]
    """Converts an item to dictionaries and lists by stored names."""
    is_personal: bool
    """Whether keys contain personal data."""
    references: dict[str, str] = field(default_factory=dict)
    """Stored paths of references that are looked up, by Python path."""
    copied: tuple[Copied, ...] = ()
    """Copied fields that are compared with their sources."""
    pairs: dict[str, list[tuple[Any, Any]]] = field(default_factory=lambda: defaultdict(list))
    """Some (key of the source, copied value), by Python path."""
    kept_items: list[tuple[Any, Any]] = field(default_factory=list)
    """Some (instance, native item)."""
    referred: dict[str, dict[Any, None]] = field(default_factory=lambda: defaultdict(dict))
    """Different native values of references, by Python path."""
    _read: int = 0
    _bytes: list[int] = field(default_factory=list)
    _lists: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _versions: Counter[int] = field(default_factory=Counter)
    _expiries: Counter[str] = field(default_factory=Counter)
    _misplaced: int = 0
    _types: Counter[str] = field(default_factory=Counter)
    _lengths: list[int] = field(default_factory=list)
    _pending: list[int] = field(default_factory=list)
    _dead: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._odd = MisfitCounts(self.codec.key_in, self.is_personal)

    def add(self, sampled: SampledItem) -> None:
        """Add an item."""
        if "dead" in sampled.facts:
            self._dead[self._odd.key(sampled.key)] = int(sampled.facts["dead"])
            return
        self._read += 1
        self._bytes.append(sampled.bytes)
        if sampled.expiry:
            self._expiries[sampled.expiry] += 1
        if sampled.version is not None:
            self._versions[sampled.version] += 1
        if sampled.item is not None:
            self._odd.note("wrong", sampled.wrong, sampled.item)
            self._odd.note("misplaced", [""] * sampled.is_misplaced, sampled.item)
        self._misplaced += sampled.is_misplaced
        if sampled.facts:
            self._types[str(sampled.facts["type"])] += 1
            self._odd.note("types", [str(sampled.facts["type"])], sampled.key)
            self._lengths.append(int(sampled.facts["length"]))
            self._pending += sampled.facts["pending"]
        if sampled.item is not None:
            self._item(sampled)
        if sampled.elements:
            self._check(sampled.elements, 0)

    def _item(self, sampled: SampledItem) -> None:
        self._check(((sampled.version, sampled.item),), sampled.bytes)
        for path, stored, bound in self._stored_lists:
            lengths = list(_lengths(sampled.item, stored))
            self._lists[path] += lengths
            if bound is not None and any(length > bound for length in lengths):
                self._odd.note("lists", [path], sampled.item)
        for path, name in self.references.items():
            self.referred[path].update((value, None) for value in _values(sampled.item, name.split(".")))
        for copy in self.copied:
            if len(self.pairs[copy.path]) < KEPT:
                self.pairs[copy.path] += _pairs(sampled.item, copy.reference.split("."), copy.stored.split("."))

    def _check(self, items: Iterable[tuple[int | None, Any]], size: int) -> None:
        """Note misfits and unknown paths of items under one key; store the instances of valid items."""
        misfits_of_items: list[str] = []
        unknown_paths: list[str] = []
        last: Any = None
        for version, item in items:
            last = item
            if version != self.binding.spec.schema_version:
                continue  # its upgrade reads it
            unknown_paths += unknown(self.plain(item, self.work), self.binding, self.work)
            try:
                instance = self.codec.from_item(item)
            except Exception as error:  # noqa: BLE001  # what is stored may be anything, and validators are the user's
                misfits_of_items += misfits(error, self.codec, self.binding, item)
            else:
                if len(self.kept_items) < KEPT and size <= KEPT_BYTES:
                    self.kept_items.append((instance, item))
        self._odd.note("misfits", misfits_of_items, last)
        self._odd.note("unknown", unknown_paths, last)

    @cached_property
    def _stored_lists(self) -> tuple[tuple[str, tuple[str, ...], int | None], ...]:
        """(Python path, stored names, maximum of elements) of every list."""
        attributes = self.binding.entity.attributes
        return tuple(
            (path, tuple(part.stored for part in resolve(attributes, path) or ()), attribute.type.max_items)
            for path, attribute in fields(attributes)
            if isinstance(attribute.type, Many)
        )

    @property
    def count(self) -> int:
        """Number of items so far."""
        return self._read

    def items(
        self,
        about: int | None,
        noun: str,
        orphans: dict[str, tuple[int, int]],
        stale: dict[str, tuple[int, int]],
    ) -> Items:
        """Summary for rules.

        about: estimated number of all items; None if unknown. noun: the word for an item.
        """
        return Items(
            sample=SampleSize(self._read, about, noun),
            bytes=tuple(self._bytes),
            lists={path: tuple(lengths) for path, lengths in self._lists.items() if lengths},
            misfits=self._odd.counts("misfits"),
            unknown=self._odd.counts("unknown"),
            examples={kind: dict(example) for kind, example in self._odd.examples.items()},
            versions=dict(sorted(self._versions.items())),
            expiries=dict(self._expiries),
            wrong=self._odd.counts("wrong"),
            misplaced=self._misplaced,
            orphans=orphans,
            stale=stale,
            types=dict(self._types.most_common()),
            lengths=tuple(self._lengths),
            pending=tuple(self._pending),
            dead=dict(sorted(self._dead.items())),
        )


def _lengths(value: Any, names: Sequence[str]) -> Iterator[int]:
    """Lengths of all lists at a stored path in documents."""
    if not names:
        if isinstance(value, list):
            yield len(value)
    elif isinstance(value, list):
        for element in value:
            yield from _lengths(element, names)
    elif isinstance(value, dict):
        yield from _lengths(value.get(names[0]), names[1:])


def _values(value: Any, names: Sequence[str]) -> Iterator[Any]:
    """Native values at a stored path, with lists flattened."""
    if isinstance(value, list):
        for element in value:
            yield from _values(element, names)
    elif names:
        if isinstance(value, dict):
            yield from _values(value.get(names[0]), names[1:])
    elif value is not None and not isinstance(value, dict):
        yield value


def _pairs(value: Any, reference: Sequence[str], copy: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """(key, value) of every copy beside a reference."""
    if isinstance(value, list):
        for element in value:
            yield from _pairs(element, reference, copy)
    elif isinstance(value, dict):
        if len(reference) > 1:
            yield from _pairs(value.get(reference[0]), reference[1:], copy[1:])
        elif value.get(reference[0]) is not None and copy[0] in value:
            yield value[reference[0]], value[copy[0]]
