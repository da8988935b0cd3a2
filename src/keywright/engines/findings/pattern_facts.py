"""What patterns say of the entities that they are about, put together for rules."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from keywright.access.search import Planned
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern

READS = frozenset(("get", "read", "count", "rank", "aggregate"))
"""Kinds of pattern that change nothing."""


def single(design: Design) -> Iterator[Pattern]:
    """Every pattern on one entity, those inside of transactions too."""
    for pattern in design.patterns:
        yield from pattern.parts if pattern.kind == "transact" else (pattern,)


def reads(design: Design) -> Mapping[str, list[Pattern]]:
    """The patterns that read, by the name of the binding."""
    found = defaultdict[str, list[Pattern]](list)
    for pattern in design.patterns:
        if pattern.kind in READS:
            found[pattern.binding].append(pattern)
    return found


def planned_reads(plans: Iterable[Planned[Any]]) -> Mapping[str, list[Planned[Any]]]:
    """The same with what serves them."""
    found = defaultdict[str, list[Planned[Any]]](list)
    for plan in plans:
        if plan.pattern.kind in READS:
            found[plan.binding.name].append(plan)
    return found


def changed(pattern: Pattern) -> tuple[str, ...]:
    """The fields that an update or an increment changes."""
    added = pattern.field if pattern.kind == "increment" else None
    return (*pattern.sets, *pattern.unset, *(path for path in (pattern.pushes, added) if path is not None))


def identity(binding: Binding) -> frozenset[str]:
    """The fields that an item is found by in its store, as far as templates or options name them."""
    found = {
        one.path
        for argument, template in binding.templates.items()
        if argument in ("pk", "sk", "id", "key", "member")
        for one in template.placeholders
        if one.path
    }
    for option in ("partition", "clustering"):
        said = getattr(binding.spec, option, ())
        found |= {name.removeprefix("-") for name in ([said] if isinstance(said, str) else said)}
    return frozenset(found)


def expected(binding: Binding) -> int | None:
    """How many there will be at the least: as declared, else the values of the key's most varied field; None if nobody
    says."""
    said: int | None = getattr(binding.spec, "expected", None)
    if said is not None:
        return said
    found = (resolve(binding.entity.attributes, path) for path in identity(binding))
    return max((one[-1].type.facts.distinct or 0 for one in found if one), default=0) or None
