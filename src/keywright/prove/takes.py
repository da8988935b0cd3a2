"""Proofs of patterns that take: elements of a queue, entries of a stream for one group, permits of a rate limit."""

import time
from collections import Counter
from typing import Any

from keywright.ir.text import counted

from .answer import surplus
from .dataset import StoredInstance
from .proof_case import ProofCase
from .window import are_due


def prove_take(trial: ProofCase) -> None:
    """Take, and compare the taken instances with the stored ones: the earliest stored come first."""
    spec = trial.planned.binding.spec
    if getattr(spec, "window", "") == "bucket":
        _tokens(trial, spec.burst or spec.limit)
        return
    if hasattr(spec, "per"):
        _permits(trial, spec.limit)
        return
    groups: dict[tuple[Any, ...], list[StoredInstance]] = {}
    due = getattr(spec, "due", None)
    for stored_instance in trial.dataset.stored:
        if due and not are_due(trial.read(stored_instance.instance, due)):
            continue
        groups.setdefault(_key(trial, stored_instance.instance), []).append(stored_instance)
    if not groups:
        trial.proof.disagrees("no generated item has values for the call: raise --scale")
    for key, stored_instances in sorted(groups.items(), key=lambda pair: (-len(pair[1]), str(pair[0])))[:2]:
        _take(trial, dict(zip(_fields(trial), key, strict=True)), stored_instances)


def _fields(trial: ProofCase) -> list[str]:
    return [condition.field for condition in trial.query.conditions if condition.is_given]


def _key(trial: ProofCase, instance: Any) -> tuple[Any, ...]:
    return tuple(trial.read(instance, field)[0] for field in _fields(trial))


def _take(trial: ProofCase, values: dict[str, Any], stored_instances: list[StoredInstance]) -> None:
    limit, group = trial.pattern.limit or 1, trial.pattern.consumer_group
    used = trial.dataset.used[group]
    answer = trial.call(values)
    actual, expected = (
        list(answer),
        [stored_instance.instance for stored_instance in stored_instances[used : used + limit]],
    )
    trial.proof.returned += len(actual)
    trial.proof.expected += len(expected)
    extra, missing = surplus(actual, expected)
    if extra or missing:
        waiting = len(stored_instances) - used
        trial.proof.disagrees(f"took {len(actual)} of {waiting} waiting, not the first {len(expected)}")
    elif actual != expected:
        trial.proof.disagrees("the entries are not in the order in which they were put")
    if group:
        trial.proof.tolerance = "a group may receive an entry again after a crash"
        answer.ack()
        trial.dataset.used[group] += len(actual)
    else:
        for stored_instance in stored_instances[:limit]:
            trial.dataset.stored.remove(stored_instance)


def _permits(trial: ProofCase, limit: int) -> None:
    """Request one permit more than are left; try the next caller if the time window ended meanwhile."""
    per = trial.planned.binding.spec.per.total_seconds()
    permits = trial.pattern.limit or 1
    used_by = trial.dataset.used + Counter(_caller(trial, instance) for instance in trial.dataset.instances)
    callers = [*trial.dataset.spares, *trial.dataset.instances]
    for caller in sorted(callers, key=lambda instance: used_by[_caller(trial, instance)]):
        used = used_by[_caller(trial, caller)]
        allowed = max(0, limit - used) // permits
        calls = _calls(trial, caller, allowed + 1)
        window = time.time() // per
        answers = [bool(trial.call(values, verify=number == 0)) for number, values in enumerate(calls)]
        trial.dataset.used[_caller(trial, caller)] += sum(answers) * permits
        if time.time() // per != window:
            continue
        trial.proof.returned += sum(answers) * permits
        trial.proof.expected += allowed * permits
        if not all(answers[:allowed]):
            trial.proof.disagrees(f"a permit within the limit of {limit} is rejected")
        if len(answers) <= allowed:
            trial.proof.tolerance = (
                f"the limit of {limit} is not reached with {counted(len(answers), 'different member')}"
            )
        elif answers[allowed] and not used:  # permits of earlier proofs may have left the window
            trial.proof.disagrees(f"permit {(allowed + 1) * permits} of {limit} is granted")
        return
    trial.proof.disagrees("no generated item has values for the call: raise --scale")


def _tokens(trial: ProofCase, burst: int) -> None:
    """Empty the bucket of the caller that has used it least, and request one permit more than can have flowed in."""
    spec, permits = trial.planned.binding.spec, trial.pattern.limit or 1
    callers = [*trial.dataset.spares, *trial.dataset.instances]
    if not callers:
        trial.proof.disagrees("no generated item has values for the call: raise --scale")
        return
    caller = min(callers, key=lambda instance: trial.dataset.used[_caller(trial, instance)])
    used = trial.dataset.used[_caller(trial, caller)]
    values = {field: trial.read(caller, field)[0] for field in _fields(trial)}
    begin, granted = time.monotonic(), 0
    while trial.call(values, verify=granted == 0):
        granted += 1
        flowed = (time.monotonic() - begin) * spec.limit / spec.per.total_seconds()
        if granted * permits > burst + flowed + 1:
            trial.proof.disagrees(f"permit {granted * permits} of a bucket of {burst} is granted")
            break
    trial.dataset.used[_caller(trial, caller)] += granted * permits
    trial.proof.returned += granted * permits
    trial.proof.expected += granted * permits
    if not used and granted < burst // permits:
        trial.proof.disagrees(f"permit {(granted + 1) * permits} of a full bucket of {burst} is rejected")


def _caller(trial: ProofCase, instance: Any) -> tuple[Any, ...]:
    """The values in the key of a rate limit."""
    placeholders = trial.planned.binding.templates["key"].placeholders
    return tuple(trial.read(instance, placeholder.path)[0] for placeholder in placeholders)


def _calls(trial: ProofCase, caller: Any, count: int) -> list[dict[str, Any]]:
    """The values of `count` calls of one caller; at most one call for each member if members have names."""
    own_values = {field: trial.read(caller, field)[0] for field in _fields(trial)}
    member = trial.planned.binding.templates.get("member")
    if member is None:
        return [own_values] * count
    key = {placeholder.path for placeholder in trial.planned.binding.templates["key"].placeholders}
    member_paths = [placeholder.path for placeholder in member.placeholders if placeholder.path not in key]
    calls: dict[tuple[Any, ...], dict[str, Any]] = {}
    for spare in [*trial.dataset.spares, *trial.dataset.instances]:
        member_values = {field: trial.read(spare, field)[0] for field in member_paths}
        calls.setdefault(tuple(member_values.values()), own_values | member_values)
    return list(calls.values())[:count]
