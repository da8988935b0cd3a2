"""Types of fields from sampled items: nothing is guessed, and values that differ in type stay open."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

from keywright.ir.attribute import Attribute, Facts, Many, Map, Precision, Scalar, ScalarKind, Struct, Type
from keywright.ir.entity import element
from keywright.ir.text import counted
from keywright.record import Record

from .contract.naming import class_name, field_name, snake_case
from .personal_fields import is_personal

CHOICES = 12
"""Most values of a `Literal`."""

SIGHTINGS = 20
"""Least average number of sightings of each value of a `Literal`, and of objects for the share that has a field."""

OPEN_KEYS = 8
"""Number of different keys from which an object is a mapping, if few objects have each."""

LONG_TEXT = 100
"""Average characters from which the size of a text is declared."""

_CLOSED = re.compile(
    r"(?:^|_)(?:category|channel|currency|event|format|kind|language|level|locale|method|mode|outcome|phase|plan|platform|"
    r"priority|result|role|severity|stage|state|status|tier|type|unit|visibility)$"
)
"""Endings of names whose values are a closed set. Values of other fields may be personal, and are not written."""

_PLACE = frozenset(("city", "country", "postal_code", "postcode", "state", "street", "zip", "zip_code"))
"""Fields of an embedded address, which is no address of a computer."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,30}")


class ValueKind(Record):
    """The kind of a stored value."""

    kind: ScalarKind
    """The logical kind."""
    native: str | None = None
    """The native type, if it is not the default of the kind."""
    is_text: bool = False
    """Whether it is stored as text in a form of its own; beside other texts it is text."""
    precision: Precision | None = None
    """Of a datetime: the smallest part that all have."""


KindOf = Callable[[Any], ValueKind | None]
"""The kind of a single value; None for a list, a mapping or null."""


class Inferred(Record):
    """The fields of sampled items."""

    attributes: tuple[Attribute, ...]
    """Fields in the order of their first appearance."""
    comments: Mapping[tuple[str, str], str]
    """Evidence by (class, field)."""
    types: Mapping[str, str]
    """Native types other than the default by path in Python."""


@dataclass(slots=True)
class _Seen:
    """Values that were seen at one place."""

    count: int = 0
    nulls: int = 0
    kinds: Counter[ValueKind] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    characters: int = 0
    longest: int = 0
    objects: int = 0
    fields: "dict[str, _Seen]" = field(default_factory=dict)
    lists: int = 0
    sets: int = 0
    elements: "_Seen | None" = None

    def add(self, value: Any, kind_of: KindOf) -> None:
        """Count a value."""
        self.count += 1
        if value is None:
            self.nulls += 1
        elif (kind := kind_of(value)) is not None:
            self.kinds[kind] += 1
            if kind.kind == "string" and isinstance(value, str):
                self._add_text(value)
        elif isinstance(value, Mapping):
            self.objects += 1
            for name, inner in value.items():
                self.fields.setdefault(str(name), _Seen()).add(inner, kind_of)
        else:
            self.sets += isinstance(value, (set, frozenset))
            self.lists += not isinstance(value, (set, frozenset))
            self.elements = self.elements or _Seen()
            for element in value:
                self.elements.add(element, kind_of)

    def _add_text(self, text: str) -> None:
        self.characters += len(text)
        self.longest = max(self.longest, len(text))
        if len(self.texts) <= CHOICES:
            self.texts[text] += 1


class ClassNames:
    """The classes of one file."""

    def __init__(self, entities: Collection[str]) -> None:
        """entities: names of the entities, which no embedded model has."""
        self._entities = entities
        self._structs: dict[str, tuple[Attribute, ...]] = {}

    def claim(self, name: str, attributes: tuple[Attribute, ...]) -> bool:
        """Use a name for an embedded model with these fields; False if another class has it."""
        return name not in self._entities and self._structs.setdefault(name, attributes) == attributes

    def ending(self, name: str) -> list[str]:
        """The embedded models whose names end with a name, such as `OrderAddress` for `Address`."""
        return [struct for struct in self._structs if struct.endswith(name) and struct != name]


def infer(items: Sequence[Mapping[str, Any]], owner: str, kind_of: KindOf, names: ClassNames) -> Inferred:
    """The fields of items of one class.

    owner: the class. names: the classes of the same file, to which embedded models are added. Items are mappings by
    stored names.
    """
    seen = _Seen()
    for item in items:
        seen.add(item, kind_of)
    reader = _Reader(names)
    attributes = reader.attributes(seen, owner, "")
    return Inferred(attributes, reader.comments, reader.types)


class _Reader:
    """Turns sightings into types, and collects comments."""

    def __init__(self, names: ClassNames) -> None:
        self.comments: dict[tuple[str, str], str] = {}
        self.types: dict[str, str] = {}
        self._names = names

    def attributes(self, seen: _Seen, owner: str, path: str) -> tuple[Attribute, ...]:
        """The fields of an object."""
        attributes: list[Attribute] = []
        for stored, inner in seen.fields.items():
            name = field_name(stored, {attribute.name for attribute in attributes})
            type, conflict = self._type(inner, name, owner, f"{path}{name}")
            is_missing, is_null = inner.count < seen.objects, inner.nulls > 0
            is_collection = isinstance(type, (Many, Map)) and not is_null
            note = "; ".join(
                filter(None, (conflict, _share(inner, seen) if is_missing and seen.objects >= SIGHTINGS else ""))
            )
            if note:
                self.comments[owner, name] = note
            attributes.append(
                Attribute(
                    name, stored, stored, type,
                    is_nullable=is_null or (is_missing and not is_collection),
                    is_required=not is_missing,
                    is_none_by_default=is_missing and not is_collection,
                )
            )  # fmt: skip
        return tuple(attributes)

    def _type(self, seen: _Seen, name: str, owner: str, path: str) -> tuple[Type, str]:
        """(type, comment about values of several types)."""
        shapes = [bool(seen.kinds), bool(seen.objects), bool(seen.lists or seen.sets)]
        if sum(shapes) > 1 or (seen.lists and seen.sets):
            return Scalar("json"), _conflict(seen)
        if seen.objects:
            return self._object(seen, name, owner, path), ""
        if seen.elements is not None:
            element, conflict = self._type(seen.elements, name, owner, path)
            has_nulls = seen.elements.nulls > 0
            return Many("set" if seen.sets else "list", element, has_null_elements=has_nulls), conflict
        return self._scalar(seen, name, owner, path)

    def _scalar(self, seen: _Seen, name: str, owner: str, path: str) -> tuple[Scalar, str]:
        if not seen.kinds:
            return Scalar("json"), "null only" if seen.nulls else ""
        kind = _common(seen.kinds)
        if kind is None:
            return Scalar("json"), _conflict(seen)
        if kind.native:
            self.types[path] = kind.native
            return Scalar(kind.kind), ""
        is_marked = is_personal(owner, path, name, kind.kind)
        if _CLOSED.search(name) and not is_marked and (choices := _choices(seen)):
            return Scalar("string", constants=choices), ""
        facts = _facts(seen, is_personal=is_marked)
        return Scalar(kind.kind, precision=kind.precision, facts=facts), ""

    def _object(self, seen: _Seen, name: str, owner: str, path: str) -> Type:
        if _is_mapping(seen):
            values = _Seen()
            for inner in seen.fields.values():
                _merge(values, inner)
            value, _ = self._type(values, name, owner, path)
            return Map(value, has_null_values=values.nulls > 0)
        own, comments = class_name(name), dict(self.comments)
        others = [*_postal(own, seen), *_shorter(own, owner, name), *self._names.ending(own), f"{owner}{own}"]
        candidates = chain([] if own == name else [own], others, (f"{owner}{own}{n}" for n in count(2)))
        for struct in candidates:
            self.comments = dict(comments)
            attributes = self.attributes(seen, struct, f"{path}.")
            if self._names.claim(struct, attributes):
                return Struct(struct, attributes)
        raise AssertionError(name)  # there is always another number


def _postal(own: str, seen: _Seen) -> list[str]:
    """A class name for a field `Address` with a postal address."""
    names = {snake_case(name) for name in seen.fields}
    return ["PostalAddress"] if own == "Address" and len(names & _PLACE) > 1 else []


def _shorter(own: str, owner: str, field: str) -> list[str]:
    """Class names for a field with the name of a class: `Reward` of `Order.OrderReward`, `Item` of `ItemList`."""
    names = [own.removeprefix(owner), own.removesuffix("List")] if own == field else []
    return [name for name in names if name[:1].isupper() and name != own]


def _common(kinds: Iterable[ValueKind]) -> ValueKind | None:
    """The kind that contains all these; None if there is none."""
    first, *others = kinds
    names = {first.kind, *(kind.kind for kind in others)}
    if not others:
        return first
    if names in ({"integer", "float"}, {"integer", "decimal"}):
        return ValueKind("float" if "float" in names else "decimal")
    is_text = all(kind.is_text or kind == ValueKind("string") for kind in (first, *others))
    return ValueKind("string") if is_text else None


def _is_mapping(seen: _Seen) -> bool:
    """Whether an object's keys are data: many different ones, each in few objects, or names of no field."""
    average = sum(inner.count for inner in seen.fields.values()) / len(seen.fields) if seen.fields else 0
    return not seen.fields or (len(seen.fields) >= OPEN_KEYS and average < seen.objects / 5)


def _merge(into: _Seen, other: _Seen) -> None:
    into.count += other.count
    into.nulls += other.nulls
    into.kinds += other.kinds
    into.objects += other.objects
    into.lists += other.lists
    into.sets += other.sets
    for name, inner in other.fields.items():
        _merge(into.fields.setdefault(name, _Seen()), inner)
    if other.elements is not None:
        into.elements = into.elements or _Seen()
        _merge(into.elements, other.elements)


def _choices(seen: _Seen) -> tuple[str, ...]:
    """The values of a field with few different words; empty for any other."""
    count = sum(seen.texts.values())
    if not 2 <= len(seen.texts) <= CHOICES or count < SIGHTINGS * len(seen.texts):
        return ()
    return tuple(sorted(seen.texts)) if all(map(_WORD.fullmatch, seen.texts)) else ()


def _facts(seen: _Seen, *, is_personal: bool) -> Facts:
    texts = sum(count for kind, count in seen.kinds.items() if kind.kind == "string")
    average = round(seen.characters / texts) if texts else 0
    return Facts(
        average_bytes=average if average >= LONG_TEXT else None,
        max_bytes=seen.longest if average >= LONG_TEXT else None,
        is_personal=is_personal,
    )


def _share(inner: _Seen, outer: _Seen) -> str:
    """The share of objects that have a field."""
    percent = inner.count / outer.objects * 100
    return f"in {'under 1' if percent < 1 else f'{percent:.0f}'} % of {counted(outer.objects, 'item')}"


def _conflict(seen: _Seen) -> str:
    """The kinds of values with their shares."""
    total = seen.count - seen.nulls
    kinds: Counter[str] = Counter()
    for kind, number in seen.kinds.items():
        kinds[kind.native or kind.kind] += number
    kinds.update({"object": seen.objects, "list": seen.lists, "set": seen.sets})
    shares = (f"{kind} {count / total * 100:.0f} %" for kind, count in kinds.most_common() if count)
    return ", ".join(shares)


def python_paths(attributes: Sequence[Attribute], stored: str = "", python: str = "") -> Iterator[tuple[str, str]]:
    """(stored path, path in Python) of every field, at any depth."""
    for attribute in attributes:
        stored_path, python_path = f"{stored}{attribute.stored}", f"{python}{attribute.name}"
        yield stored_path, python_path
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            yield from python_paths(inner.attributes, f"{stored_path}.", f"{python_path}.")
