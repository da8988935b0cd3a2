"""Proofs of patterns that read several entities in one request."""

from collections.abc import Iterator
from typing import Any

from keywright.access.query import arguments_of_parts
from keywright.ir.text import counted
from keywright.runtime.errors import InvalidValue
from keywright.runtime.validate.arguments import Arguments

from .answer import matching, misplaced, surplus
from .choose import CallValues, choose
from .proof_case import ProofCase
from .reads import compared, walk


def prove_read_together(trial: ProofCase) -> None:
    """Call the pattern with values of each entity, and compare its pages with the items of all entities."""
    for call in _calls(trial):
        expected = [_expected(part, _own_values(trial, number, call)) for number, part in enumerate(trial.parts)]
        try:
            _prove_pages(trial, call, expected)
        except InvalidValue:
            if not call.is_missing:  # the field may reject a value that no item has
                raise
    if not trial.proof.calls:
        trial.proof.disagrees("no generated item has values for the call: raise --scale")


def _calls(trial: ProofCase) -> Iterator[CallValues]:
    """Calls with values of the items of each entity in turn."""
    arguments = arguments_of_parts(trial.pattern.parts)
    for part, names in zip(trial.parts, arguments, strict=True):
        for call in choose(part.query, part.dataset.instances, part.plain_read, part.rng):
            values = {names.get(path, path): value for path, value in call.values.items()}
            if _complete(trial, values):
                yield CallValues(values, call.is_missing)


def _complete(trial: ProofCase, values: dict[str, Any]) -> bool:
    """Add values for the conditions of the other entities, from their own items; False if there is no value."""
    for part, names in zip(trial.parts, arguments_of_parts(trial.pattern.parts), strict=True):
        conditions = {names.get(each.field, each.field): each for each in part.query.conditions if each.is_given}
        lacking = {name: condition for name, condition in conditions.items() if name not in values}
        calls = choose(part.query, part.dataset.instances, part.plain_read, part.rng) if lacking else iter(())
        own = next(calls, CallValues({}))
        for name, condition in lacking.items():
            open_ends = (None, None) if condition.kind == "between" else None
            value = own.values.get(condition.field, open_ends)
            if value is None:
                return False
            values[name] = value
    return True


def _own_values(trial: ProofCase, number: int, call: CallValues) -> CallValues:
    """The values of one entity in a call of all of them."""
    names = arguments_of_parts(trial.pattern.parts)[number]
    fields = (condition.field for condition in trial.parts[number].query.conditions if condition.is_given)
    return CallValues({field: call.values[names.get(field, field)] for field in fields})


def _expected(part: ProofCase, call: CallValues) -> list[Any]:
    return matching(part.dataset.instances, part.query, Arguments(call.values), part.read)


def _prove_pages(trial: ProofCase, call: CallValues, expected_by_part: list[list[Any]]) -> None:
    proof, limit = trial.proof, trial.pattern.limit
    page = trial.call(call.values)
    proof.returned += len(page)
    if not proof.is_compared:
        return
    expected = [instance for instances in expected_by_part for instance in instances]
    proof.expected += len(expected)
    if len(page) != min(len(expected), limit or len(expected)):
        proof.disagrees(f"a page contains {len(page)} of {counted(len(expected), 'item')}")
    if page.cursor is None and len(page) != len(expected):
        proof.disagrees(f"a page of {counted(len(page), 'item')} has no cursor, but {len(expected)} are expected")
    items = list(page)
    if len(expected) > 1:
        third = max(1, len(expected) // 3)
        items = walk(trial, call, min(third, limit or third), len(expected))
        if items[: len(page)] != list(page):
            proof.disagrees("pages of another size are in another order")
        if missing := surplus(expected, items)[0]:
            proof.disagrees(
                f"{len(missing)} of {counted(len(expected), 'item')} missing, such as {_shown(trial, missing)}"
            )
    if extra := surplus(items, expected)[0]:
        proof.disagrees(f"{counted(len(extra), 'item')} more than expected, such as {_shown(trial, extra)}")
    for part, instances in zip(trial.parts, expected_by_part, strict=True):
        own = [item for item in items if any(item == instance for instance in instances)]
        if misplaced(own, part.query.order, part.read):
            proof.disagrees(f"items of {part.planned.binding.name} are in the wrong order")


def _shown(trial: ProofCase, instances: list[Any]) -> str:
    """Masked text of the first of some instances."""
    instance = instances[0]
    parts = (part for part in trial.parts if any(instance == own for own in part.dataset.instances))
    return next(parts, trial).shown(instance)


def prove_transact_get(trial: ProofCase) -> None:
    """Get items of all parts, and then missing ones."""
    chosen = [list(choose(part.query, part.dataset.instances, part.plain_read, part.rng)) for part in trial.parts]
    if not all(chosen):
        trial.proof.disagrees("no generated item has values for the call: raise --scale")
        return
    for number in range(max(map(len, chosen))):
        calls = [calls_of_part[number % len(calls_of_part)] for calls_of_part in chosen]
        try:
            answer = trial.call(*(call.values for call in calls))
        except InvalidValue:
            if not any(call.is_missing for call in calls):
                raise
            continue
        trial.proof.returned += sum(item is not None for item in answer)
        for part, call, item in zip(trial.parts, calls, answer, strict=True):
            expected = _expected(part, call) if trial.proof.is_compared else [item]
            trial.proof.expected += bool(expected)
            if not _is_one_of(part, item, expected):
                trial.proof.disagrees(
                    f"{part.pattern.name} returns another item than expected, such as {part.shown(item)}"
                )


def _is_one_of(part: ProofCase, item: Any, expected: list[Any]) -> bool:
    if item is None or not expected:
        return item is None and not expected
    return any(compared(part, item) == compared(part, instance) for instance in expected)
