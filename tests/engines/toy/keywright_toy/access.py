"""How patterns are served: by the key of an item, or by reading every item of a box."""

from collections.abc import Iterator
from typing import Literal

from keywright.access.cost import ONE, Band, Cost
from keywright.access.path import AccessPath, By, Candidate, PatternFix, Rejected
from keywright.access.query import Condition, request
from keywright.access.search import Planned
from keywright.engines.contract.storage_facts import StorageFacts, Traits
from keywright.engines.interface import ClientEvent
from keywright.ir.binding import Binding
from keywright.ir.json import Json
from keywright.ir.pattern import Pattern
from keywright.record import Record

from .target import BoxTarget

TRAITS = Traits(keeps_documents=True)
"""See `Engine.traits`."""

Operation = Literal["get", "scan", "put", "update", "delete"]


class Call(Record):
    """The call for a pattern."""

    operation: Operation
    """The operation of the file."""
    box: str
    """Physical name of the box."""
    key: str = ""
    """Template of the key; empty if every item is read."""


_KEYED: dict[str, Operation] = {"get": "get", "update": "update", "delete": "delete"}
"""Operations on one item, by kind of pattern."""

_UNKNOWN = ("search", "near", "rank", "aggregate", "increment", "take", "transact")
"""Kinds of patterns and conditions for which a box has no operation."""


def key_fields(box: BoxTarget, binding: Binding) -> tuple[str, ...]:
    """See `Engine.key_fields`."""
    return tuple(placeholder.path for placeholder in binding.templates["key"].placeholders)


def paths(box: BoxTarget, binding: Binding, pattern: Pattern) -> Iterator[Candidate]:
    """See `Engine.paths`: there is one candidate, the box."""
    by, query = By("table", box.name), request(pattern, key_fields(box, binding))
    if problem := _problem(pattern, query.conditions):
        yield Rejected(by, problem)
    elif pattern.kind == "put":
        yield AccessPath(by, Call("put", box.name))
    elif pattern.kind in _KEYED:
        yield _keyed(by, box, binding, pattern, query.conditions)
    else:
        scan = Call("scan", box.name)
        yield AccessPath(by, scan, order="memory" if query.order else "none", residual=query.conditions)


def _problem(pattern: Pattern, conditions: tuple[Condition, ...]) -> str:
    """The reason why a box cannot serve a pattern; empty if it can."""
    words = {pattern.kind, *(condition.kind for condition in conditions)}
    if unknown := sorted(words & {*_UNKNOWN}):
        return f"a box has no {unknown[0]}"
    if pattern.joins:
        return "a box reads no other box"
    return "a box has no push" if pattern.pushes else ""


def _keyed(by: By, box: BoxTarget, binding: Binding, pattern: Pattern, conditions: tuple[Condition, ...]) -> Candidate:
    """A path by the key, if the pattern gives every field of it."""
    fields = key_fields(box, binding)
    chosen = {condition.field for condition in conditions if condition.is_single and condition.is_given}
    if missing := [field for field in fields if field not in chosen]:
        return Rejected(by, f"its key needs {missing[0]}")
    residual = tuple(condition for condition in conditions if condition.field not in fields)
    return AccessPath(by, Call(_KEYED[pattern.kind], box.name, binding.templates["key"].text), residual=residual)


def together(box: BoxTarget, parts: tuple[Planned[BoxTarget], ...]) -> Candidate:
    """See `Engine.together`."""
    return Rejected(By("table", box.name), "a box writes one item at a time")


def _call(planned: Planned[BoxTarget]) -> Call:
    assert isinstance(planned.path, AccessPath)
    assert isinstance(planned.path.call, Call)
    return planned.path.call


def query(planned: Planned[BoxTarget]) -> Json:
    """See `Engine.query`."""
    call = _call(planned)
    return {call.operation: call.box, **({"key": call.key} if call.key else {})}


def cost(planned: Planned[BoxTarget]) -> Cost:
    """See `Engine.cost`: the items that are read."""
    if _call(planned).operation != "scan":
        return Cost("items", ONE, examined=ONE, returned=ONE)
    count = planned.binding.spec.expected
    items = Band(0, count, None, frozenset() if count else frozenset(("expected=",)))
    return Cost("items", items, examined=items, returned=items)


def fixes(box: BoxTarget, binding: Binding, pattern: Pattern) -> Iterator[PatternFix[BoxTarget]]:
    """See `Engine.fixes`: nothing can be added to a box."""
    yield from ()


def storage_facts(box: BoxTarget, binding: Binding) -> StorageFacts | None:
    """See `Engine.storage_facts`; the size of an item has no limit."""
    is_there = any(shape.name == binding.name for shape in box.shape)
    return StorageFacts("item", Band(0, None, None)) if is_there else None


def verify_evidence(planned: Planned[BoxTarget], events: tuple[ClientEvent, ...], returned: int) -> Iterator[str]:
    """See `Engine.verify_evidence`: the recorded operations are those of the plan."""
    call = _call(planned)
    for event in events:
        if (event["operation"], event["box"]) != (call.operation, call.box):
            yield f"{event['operation']} of {event['box']} instead of {call.operation} of {call.box}"
