"""Access patterns that keys and indexes propose: somebody made them for a read."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
    NotExpressed,
    Proposal,
    Sample,
)
from keywright.engines.contract.naming import joined, key_words, plural, snake_case, without_criterion
from keywright.engines.contract.observer import LiveIndex
from keywright.engines.contract.requests import SeenRequest
from keywright.engines.environment import EngineEnvironment
from keywright.engines.interface import Engine
from keywright.errors import NOWHERE
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted, one_line
from keywright.record import replace

from .requests import READS, described, is_request_for, pattern_of


def with_patterns(
    engine: Engine[Any, Any],
    adoption: Adoption,
    adopted: Adopted,
    environment: EngineEnvironment,
    samples: Mapping[str, Sample],
) -> Adopted:
    """The declarations with the patterns that keys, indexes and structures serve; comments name the evidence.

    An index that the server has not used for a week proposes nothing, nor do files that have patterns of their own.
    Requests that a server remembers give patterns too, or are evidence for those of keys.
    """
    if adopted.design.patterns:
        return adopted
    proposed = _Proposed(engine, dict(adopted.comments))
    targets = {target.name: engine.place(target, environment) for target in engine.lower(adopted.design)}
    for binding in adopted.design.bindings:
        target = targets[binding.physical.name]
        sample = samples.get(getattr(binding.spec, "name", target.name), NO_SAMPLE)
        keys = tuple(adoption.key_orders(target, binding))
        for proposal in (*_of_keys(keys, binding, sample), *adoption.proposals(binding, sample)):
            proposed.add(target, binding, proposal)
        for request in sorted(adoption.requested(binding, sample), key=lambda request: request.kind not in READS):
            proposed.request(target, binding, request, keys)
        proposed.rates(binding, sample.rates)
    design = replace(adopted.design, patterns=tuple(proposed.patterns.values()))
    missing = (*adopted.not_expressed, *proposed.not_served)
    return replace(adopted, design=design, comments=proposed.comments, not_expressed=missing)


class _Proposed:
    """The patterns of one target, with their evidence."""

    def __init__(self, engine: Engine[Any, Any], comments: dict[tuple[str, str], str]) -> None:
        self.patterns: dict[str, Pattern] = {}
        self.comments = comments
        self.not_served: list[NotExpressed] = []
        self._engine = engine
        self._indexes: dict[str, str] = {}
        self._requested: set[str] = set()
        self._measured: set[tuple[str, str, str, str]] = set()

    def add(self, target: Any, binding: Binding[Any], proposal: Proposal) -> None:
        """Add a pattern that a key alone serves, unless another one is the same."""
        for pattern in _forms(proposal):
            path = _served_path(self._engine, target, binding, pattern)
            if path is not None:
                if not any(_is_same(pattern, other) for other in self.patterns.values()):
                    is_new = proposal.is_of_index or proposal.evidence not in self.comments.values()
                    self._named(pattern, path, proposal.evidence if is_new else "")
                return

    def request(self, target: Any, binding: Binding[Any], request: SeenRequest, keys: Sequence[KeyOrder]) -> None:
        """Add the pattern of a request, or name the request as evidence for a pattern that selects the same."""
        pattern = pattern_of(binding, request, keys)
        if pattern is None:
            return
        same = next((name for name, other in self.patterns.items() if is_request_for(pattern, other)), None)
        if same is not None:
            if same not in self._requested:
                limit = request.limit or self.patterns[same].limit
                self.patterns[same] = replace(self.patterns[same], limit=limit if pattern.kind == "read" else None)
                self._requested.add(same)
                self._comment(same, request.evidence)
            return
        path = plan(self._engine, target, binding, pattern).path
        if isinstance(path, AccessPath):
            self._requested.add(self._named(pattern, path, request.evidence))
        else:
            reason = f"no key or index serves {described(pattern)}, {request.evidence}"
            self.not_served.append(NotExpressed(f"requests/{binding.name}", reason))

    def rates(self, binding: Binding[Any], rates: Mapping[tuple[str, str], str]) -> None:
        """Name measured rates at the first pattern of their kind and index, else at the first one of the table."""
        own = [pattern for pattern in self.patterns.values() if pattern.binding == binding.name]
        for (kind, index), rate in rates.items():
            place = (binding.physical.name, str(getattr(binding.spec, "name", "")), kind, index)
            if place in self._measured:
                continue  # another entity of the same table has it
            of_index = [pattern for pattern in own if self._indexes[pattern.name] == index] or own
            of_kind = [pattern for pattern in of_index if (pattern.kind in READS) == (kind == "read")]
            for pattern in (of_kind or of_index)[:1]:
                self._measured.add(place)
                self._comment(pattern.name, rate)

    def _named(self, pattern: Pattern, path: AccessPath, evidence: str) -> str:
        """Add a pattern under a name that no other one has."""
        name = _free(pattern.name, self.patterns)
        self.patterns[name] = replace(pattern, name=name)
        self._indexes[name] = "" if path.by.kind in ("table", "structure") else path.by.name
        self._comment(name, evidence)
        return name

    def _comment(self, name: str, evidence: str) -> None:
        if evidence:
            self.comments["", name] = "; ".join(filter(None, (self.comments.get(("", name)), one_line(evidence))))


def _of_keys(keys: Iterable[KeyOrder], binding: Binding[Any], sample: Sample) -> Iterator[Proposal]:
    """The reads of keys and indexes in use."""
    live_indexes = {index.name: index for index in sample.indexes}
    for key in keys:
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


def _served_path(engine: Engine[Any, Any], target: Any, binding: Binding[Any], pattern: Pattern) -> AccessPath | None:
    """The path of one request without a filter on fields of the items; a discriminator of the table is none."""
    path = plan(engine, target, binding, pattern).path
    if not isinstance(path, AccessPath) or path.fan_out != 1:
        return None
    stored = {attribute.stored for attribute in binding.entity.attributes}
    is_filtered = any(condition.field.partition(".")[0] in stored for condition in path.residual)
    return None if is_filtered else path


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
