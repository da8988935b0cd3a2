"""Limits of partial writes: schema versions that they cannot mix with another form, and nested fields."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from keywright.ir.attribute import Attribute, Many, Map, Type, Union
from keywright.ir.binding import Binding
from keywright.ir.entity import stored_path
from keywright.ir.transform import of_upgrade
from keywright.record import Record

from .query import Query


class Versions(Record):
    """The versions that a partial write accepts; an item without a version has version 1."""

    least: int
    """The lowest version; upgrades from it on do not touch the fields of the write."""
    most: int
    """The version of the code, which does not know newer forms."""


ANY_OF_ONE = Versions(1, 1)
"""The limits for code of the first version."""


def versions_of(binding: Binding, attribute: str, keys: Collection[str], query: Query) -> Versions | None:
    """The limits of an update or increment; None if a model's field has the stored name of the version.

    attribute: stored name of the version. keys: fields of the key, which no upgrade changes. A version without a
    declared upgrade can be converted in any way, so the write accepts no version before it.
    """
    fields = binding.entity.attributes
    if any(field.stored == attribute for field in fields):
        return None
    most = binding.spec.schema_version
    if most == 1:
        return ANY_OF_ONE
    pattern = query.pattern
    changed = (*pattern.sets, *pattern.unset, *filter(None, (pattern.pushes, pattern.field)))
    guarded = (condition.field for condition in query.conditions if condition.field not in keys)
    touched = {_top(stored_path(fields, path)) for path in (*changed, *guarded)}
    upgrades = binding.spec.upgrades
    least = most
    while least > 1 and _is_apart(binding, upgrades.get(least - 1), touched):
        least -= 1
    return Versions(least, most)


def _is_apart(binding: Binding, upgrade: Any, touched: set[str]) -> bool:
    """Whether an upgrade does not touch the fields of a write."""
    return upgrade is not None and not touched & {*_touched(binding, upgrade)}


def _touched(binding: Binding, upgrade: Any) -> Iterator[str]:
    """Stored names of the fields that an upgrade reads or writes, with those that it renames."""
    fields = binding.entity.attributes
    transform = of_upgrade(upgrade, lambda path: stored_path(fields, path))
    renamed: Iterable[str] = (
        name for field in fields if field.renamed_from is not None for name in (field.stored, field.renamed_from)
    )
    yield from map(_top, (*transform.reads, *transform.writes, *renamed))


def _top(path: str) -> str:
    return path.partition(".")[0]


def unreachable(attributes: Sequence[Attribute]) -> str | None:
    """The reason why a write cannot change a nested field alone; None if it can.

    attributes: the attributes along its path.
    """
    path, outer = ".".join(attribute.name for attribute in attributes), attributes[:-1]
    if any(isinstance(attribute.type, (Many, Map)) for attribute in outer):
        return f'"{path}" is inside a list or map: set the whole field'
    if any(not _is_same_in_all(part.type, inner) for part, inner in zip(outer, attributes[1:], strict=False)):
        return f'"{path}" depends on the class of the value that contains it: set the whole field'
    if any(attribute.is_nullable for attribute in outer):
        return f'"{path}" is inside a field that may be None: set the whole field'
    return None


def _is_same_in_all(type: Type, inner: Attribute) -> bool:
    """Whether a part of a union has one type in every member, so that a write of it needs no knowledge of the class."""
    if not isinstance(type, Union):
        return True
    parts = [part for member in type.members for part in member.attributes if part.name == inner.name]
    return inner.name != type.discriminator and all(part.type == inner.type for part in parts)
