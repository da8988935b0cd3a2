"""Keys that differ in one word and have the same contents, as one family: `queue:emails`, `queue:reports`."""

from collections.abc import Collection, Sequence
from typing import Any

from keywright.engines.infer import ClassNames, infer
from keywright.ir.attribute import Scalar

from .contents import Contents, NoWord
from .families import Family, Value
from .key_shapes import is_word
from .lifetimes import lifetime_of
from .structures import contents_of
from .values import kind_of

LEAST = 3
"""Least number of keys that are one family."""


def with_siblings(families: Sequence[Family], apart: Collection[str] = ()) -> list[Family]:
    """The families, those that differ only in the last word as one.

    apart: shapes of keys that stay families of their own. Streams do, because each has groups of its own.
    """
    groups: dict[Any, list[Family]] = {}
    for family in families:
        groups.setdefault(_group(family), []).append(family)
    merged: list[Family] = []
    for group, members in groups.items():
        family = _merged(members)
        is_family = group is not None and len(members) >= LEAST and family.shape not in apart
        merged += [family] if is_family else members
    return merged


def _group(family: Family) -> Any:
    """The common shape of siblings; None for a family without siblings."""
    *before, last = family.parts
    words = [part for part in before if isinstance(part, str) and is_word(part)]
    is_constant = len(words) == 1 and all(isinstance(part, str) for part in family.parts) and is_word(str(last))
    if not is_constant or family.type == "stream" or family.count != 1:
        return None
    try:
        contents = contents_of(family)
    except NoWord:
        return None
    ttl = lifetime_of([key.seconds for key in family.keys]).ttl
    return family.type, tuple(before), contents.kind, ttl, contents.fields, _fields(contents)


def _fields(contents: Contents) -> tuple[tuple[str, object], ...]:
    """The names and kinds of the fields of items."""
    attributes = infer(contents.items, "Item", kind_of, ClassNames(())).attributes
    return tuple(
        (each.stored, each.type.kind if isinstance(each.type, Scalar) else type(each.type)) for each in attributes
    )


def _merged(families: Sequence[Family]) -> Family:
    first = families[0]
    words = tuple(sorted(str(family.parts[-1]) for family in families))
    return Family(
        first.type,
        (*first.parts[:-1], Value(frozenset(("<word>",)), words)),
        sum(family.count for family in families),
        tuple(key for family in families for key in family.keys),
        sum(family.large for family in families),
    )
