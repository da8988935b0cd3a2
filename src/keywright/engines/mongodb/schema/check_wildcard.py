"""Wildcard indexes that MongoDB rejects in every environment."""

from collections.abc import Iterator
from itertools import permutations

from keywright.declare.names import names, ordered
from keywright.ir.binding import Binding

from ..declare.indexes import WHOLE, WildcardIndex
from ..declare.options import AnyCollection
from .fields import stored
from .projection import contains
from .target import IndexTarget

Problem = tuple[str, str, str]


def check_wildcard(binding: Binding[AnyCollection], index: WildcardIndex, target: IndexTarget) -> Iterator[Problem]:
    """(code, problem, help) of each error of a wildcard index.

    Source: https://www.mongodb.com/docs/manual/core/indexes/index-types/index-wildcard/, 2026-11-28.
    """
    if getattr(index, "unique", False):
        yield "MDB108", "a wildcard index is never unique", "add a unique Index over the field"
    yield from _projection(index)
    inside = [name for name in ordered(index.before) if _is_inside(binding, index, target, name)]
    if inside and index.on == WHOLE:
        problem = f'over the whole document it contains "{inside[0]}" of before= a second time'
        yield "MDB108", problem, f'write without="{inside[0]}", or name the field of the index'
    elif inside:
        yield "MDB108", f'"{inside[0]}" in before= is part of "{index.on}"', "remove it from before="


def _is_inside(binding: Binding[AnyCollection], index: WildcardIndex, target: IndexTarget, name: str) -> bool:
    if index.on == WHOLE:
        return contains(target.projection, stored(binding, name))
    return f"{name}.".startswith(f"{index.on}.")


def _projection(index: WildcardIndex) -> Iterator[Problem]:
    only, without = names(index.only), names(index.without)
    if only and without:
        yield "MDB108", "it has only= and without=, and only= leaves out all other fields", "remove without="
    if index.on != WHOLE and (paths := only or without):
        option = "only" if only else "without"
        problem = f'{option}= chooses among the fields of a whole document, and it is over "{index.on}"'
        yield "MDB108", problem, f'write kw.WildcardIndex("{WHOLE}", {option}="{paths[0]}")'
    for inner, outer in permutations(only or without, 2):
        if f"{inner}.".startswith(f"{outer}."):
            yield "MDB108", f'"{inner}" is part of "{outer}"', f'remove "{inner}"'
