"""Facts about entities from their access patterns, for rules."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from keywright.access.search import Planned
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import element, resolve
from keywright.ir.pattern import COMBINED, Pattern

from .context import fields

READS = frozenset(("get", "read", "count", "rank", "rank_around", "aggregate"))
"""Kinds of pattern that only read."""


def callers(design: Design) -> Iterator[Pattern]:
    """Every pattern that is called by itself: all but parts of transactions that declare no rate of their own."""
    parts = {(part.at, part.kind) for pattern in design.patterns for part in pattern.parts}
    for pattern in design.patterns:
        if (pattern.at, pattern.kind) not in parts or pattern.load.per_second is not None:
            yield pattern


def single(design: Design) -> Iterator[Pattern]:
    """Every pattern on a single entity, including the parts of combined patterns."""
    for pattern in design.patterns:
        yield from pattern.parts if pattern.kind in COMBINED else (pattern,)


def reads(design: Design) -> Mapping[str, list[Pattern]]:
    """The reading patterns by the name of the binding."""
    by_binding = defaultdict[str, list[Pattern]](list)
    for pattern in single(design):
        if pattern.kind in READS:
            by_binding[pattern.binding].append(pattern)
    return by_binding


def planned_reads(plans: Iterable[Planned[Any]]) -> Mapping[str, list[Planned[Any]]]:
    """The plans of reading patterns by the name of the binding."""
    by_binding = defaultdict[str, list[Planned[Any]]](list)
    for part in (part for plan in plans for part in plan.parts or (plan,)):
        if part.pattern.kind in READS:
            by_binding[part.binding.name].append(part)
    return by_binding


def is_put_for_a_time(design: Design, binding: Binding[Any]) -> bool:
    """Whether every put of an entity has a time to live of its own, so that all its items expire."""
    puts = [pattern for pattern in single(design) if pattern.kind == "put" and pattern.binding == binding.name]
    return bool(puts) and all(put.is_ttl_given or put.ttl_seconds is not None for put in puts)


def changed(pattern: Pattern) -> tuple[str, ...]:
    """The fields that an update or an increment writes."""
    added = pattern.field if pattern.kind == "increment" else None
    return (*pattern.sets, *pattern.unset, *(path for path in (pattern.pushes, added) if path is not None))


def identity(binding: Binding) -> frozenset[str]:
    """The key fields of an item in its store: in templates, named by options, or named as the key of its table."""
    paths = {
        placeholder.path
        for argument, template in binding.templates.items()
        if argument in ("pk", "sk", "id", "key", "member")
        for placeholder in template.placeholders
        if placeholder.path
    }
    for option in ("partition", "clustering"):
        names = getattr(binding.spec, option, ())
        paths |= {name.removeprefix("-") for name in ([names] if isinstance(names, str) else names)}
    for argument in ("pk", "sk"):
        name = getattr(binding.physical.spec, argument, None)
        if argument not in binding.templates and name and binding.entity.attribute(name):
            paths.add(name)
    return frozenset(paths)


def expected(binding: Binding) -> int | None:
    """The least expected number of items: declared, else the largest number of distinct values of a key field; None if
    unknown."""
    declared: int | None = binding.spec.expected
    if declared is not None:
        return declared
    resolved = (resolve(binding.entity.attributes, path) for path in identity(binding))
    return max((attributes[-1].type.facts.distinct or 0 for attributes in resolved if attributes), default=0) or None


def refers(binding: Binding, other: Binding, max_referrers: int | None = None) -> bool:
    """Whether an entity refers to another one.

    max_referrers: declared number of items that refer to one; any by default.
    """
    kinds = (element(attribute.type) for _, attribute in fields(binding.entity.attributes))
    references = (kind.facts.reference for kind in kinds if isinstance(kind, Scalar))
    return any(
        reference.entity == other.entity.name and max_referrers in (None, reference.max_referrers)
        for reference in references
        if reference
    )
