"""Access patterns that keys and indexes propose: somebody made them for a read."""

from collections.abc import Collection, Iterator, Mapping
from itertools import chain, count
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import plan
from keywright.engines.contract.adoption import (
    IDLE_DAYS,
    NO_SAMPLE,
    PAGE_ITEMS,
    Adopted,
    Adoption,
    KeyOrder,
    Proposal,
    Sample,
)
from keywright.engines.contract.naming import joined, key_words, plural, snake_case, without_criterion
from keywright.engines.contract.observer import LiveIndex
from keywright.engines.environment import EngineEnvironment
from keywright.engines.interface import Engine
from keywright.errors import NOWHERE
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted
from keywright.record import replace


def with_patterns(
    engine: Engine[Any, Any],
    adoption: Adoption,
    adopted: Adopted,
    environment: EngineEnvironment,
    samples: Mapping[str, Sample],
) -> Adopted:
    """The declarations with the patterns that keys, indexes and structures serve; comments name the evidence.

    An index that the server has not used for a week proposes nothing, nor do files that have patterns of their own.
    """
    if adopted.design.patterns:
        return adopted
    patterns: dict[str, Pattern] = {}
    comments = dict(adopted.comments)
    targets = {target.name: engine.place(target, environment) for target in engine.lower(adopted.design)}
    for binding in adopted.design.bindings:
        target = targets[binding.physical.name]
        sample = samples.get(getattr(binding.spec, "name", target.name), NO_SAMPLE)
        for proposal in (*_of_keys(adoption, target, binding, sample), *adoption.proposals(binding, sample)):
            served = (form for form in _forms(proposal) if _is_served(engine, target, binding, form))
            pattern = next(served, None)
            if pattern is not None and not any(_is_same(pattern, other) for other in patterns.values()):
                name = _free(pattern.name, patterns)
                patterns[name] = replace(pattern, name=name)
                is_new = proposal.is_of_index or proposal.evidence not in comments.values()
                comments |= {("", name): proposal.evidence} if proposal.evidence and is_new else {}
    design = replace(adopted.design, patterns=tuple(patterns.values()))
    return replace(adopted, design=design, comments=comments)


def _of_keys(adoption: Adoption, target: Any, binding: Binding[Any], sample: Sample) -> Iterator[Proposal]:
    """The reads of keys and indexes in use."""
    live_indexes = {index.name: index for index in sample.indexes}
    for key in adoption.key_orders(target, binding):
        live = live_indexes.get(key.index)
        for pattern in _proposed(binding, key) if live is None or not _is_idle(live) else ():
            yield Proposal(pattern, _comment(key, live), bool(key.index), not key.index and bool(key.equal))


def _proposed(binding: Binding[Any], key: KeyOrder) -> Iterator[Pattern]:
    """A read of one item by a unique key, and a read of several by its first fields."""
    noun = without_criterion(snake_case(binding.entity.name))
    order = key.order[:1]
    if key.near is not None:
        name = f"{plural(noun)}_near_{joined((key.near,))}"
        yield Pattern(name, "read", "", binding.name, NOWHERE, near=key.near, limit=PAGE_ITEMS)
        return
    if key.is_unique:
        fields = (*key.equal, *(path.removeprefix("-") for path in key.order))
        name = f"{noun}_by_{key_words(fields)}"
        yield Pattern(name, "get", "", binding.name, NOWHERE, eq=fields, where=key.where)
    if not key.is_unique or key.order:
        name = f"{plural(noun)}_by_{joined(key.equal or order)}"
        span = order[0].removeprefix("-") if order and not key.equal else None
        read = Pattern(name, "read", "", binding.name, NOWHERE, eq=key.equal, where=key.where, limit=PAGE_ITEMS)
        yield replace(read, range=span, order=order)


def _forms(proposal: Proposal) -> Iterator[Pattern]:
    """A proposed pattern, then without its order if it may be."""
    yield proposal.pattern
    if proposal.may_be_unordered and proposal.pattern.order:
        yield replace(proposal.pattern, order=())


def _is_served(engine: Engine[Any, Any], target: Any, binding: Binding[Any], pattern: Pattern) -> bool:
    """Whether one request gives the items, without a filter on their fields; a discriminator of the table is none."""
    path = plan(engine, target, binding, pattern).path
    if not isinstance(path, AccessPath) or path.fan_out != 1:
        return False
    stored = {attribute.stored for attribute in binding.entity.attributes}
    return not any(condition.field.partition(".")[0] in stored for condition in path.residual)


def _is_idle(index: LiveIndex) -> bool:
    return index.uses == 0 and index.days >= IDLE_DAYS and not index.is_needed


def _comment(key: KeyOrder, live: LiveIndex | None) -> str:
    """The evidence for a pattern; empty for the primary key, which the pattern names."""
    if live is None or live.uses is None:
        return f'from index "{key.index}"' if key.index else ""
    days = counted(max(1, round(live.days)), "day")
    return f'from index "{key.index}", used {counted(live.uses, "time", spec=",")} in {days}'


def _is_same(pattern: Pattern, other: Pattern) -> bool:
    return replace(pattern, name=other.name) == other


def _free(name: str, taken: Collection[str]) -> str:
    numbered = (f"{name}_{number}" for number in count(2))
    return next(free for free in chain([name], numbered) if free not in taken)
