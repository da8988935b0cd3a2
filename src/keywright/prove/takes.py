"""Proofs of patterns that take: elements of a queue, entries of a stream for one group, permits of a rate limit."""

import time
from typing import Any

from .answer import surplus
from .trial import Trial
from .world import Kept


def prove_take(trial: Trial) -> None:
    """Take, and hold what is taken against what was put there, first come, first served."""
    spec = trial.planned.binding.spec
    if hasattr(spec, "per"):
        _permits(trial, int(getattr(spec, "limit", 1)))
        return
    groups: dict[tuple[Any, ...], list[Kept]] = {}
    for one in trial.world.kept:
        groups.setdefault(_key(trial, one.instance), []).append(one)
    if not groups:
        trial.proof.disagrees("no generated item lends it values: raise --scale")
    for key, kept in sorted(groups.items(), key=lambda pair: (-len(pair[1]), str(pair[0])))[:2]:
        _take(trial, dict(zip(_fields(trial), key, strict=True)), kept)


def _fields(trial: Trial) -> list[str]:
    return [one.field for one in trial.asked.asked if one.is_given]


def _key(trial: Trial, instance: Any) -> tuple[Any, ...]:
    return tuple(trial.read(instance, field)[0] for field in _fields(trial))


def _take(trial: Trial, values: dict[str, Any], kept: list[Kept]) -> None:
    limit = trial.pattern.limit or 1
    found = list(trial.call(values))
    wanted = [one.instance for one in kept[:limit]]
    trial.proof.returned += len(found)
    trial.proof.expected += len(wanted)
    extra, missing = surplus(found, wanted)
    if extra or missing:
        trial.proof.disagrees(f"took {len(found)} of {len(kept)} waiting, and the first {len(wanted)} were due")
    elif found != wanted:
        trial.proof.disagrees("what was taken is not in the order in which it was put there")
    if trial.pattern.consumer_group:
        trial.proof.tolerance = "a group may be given an entry again after a crash"
    else:
        for one in kept[:limit]:
            trial.world.kept.remove(one)


def _permits(trial: Trial, limit: int) -> None:
    """Ask for one permit more than there are; again, if the calendar's window turned meanwhile."""
    per = trial.planned.binding.spec.per.total_seconds()  # type: ignore[attr-defined]
    for key in _callers(trial):
        began = time.time() // per
        answers, used = _ask(trial, key, limit), sum(_key(trial, one.instance) == key for one in trial.world.kept)
        if time.time() // per != began:
            continue
        trial.proof.returned += sum(answers)
        trial.proof.expected += limit
        if answers[: limit - used] != [True] * (limit - used):
            trial.proof.disagrees(f"a permit within the limit of {limit} is refused")
        if answers[-1]:
            trial.proof.disagrees(f"permit {limit + 1} of {limit} is given")
        return
    trial.proof.disagrees("no generated item lends it values: raise --scale")


def _callers(trial: Trial) -> list[tuple[Any, ...]]:
    """Keys of some callers, those without a call first."""
    return [_key(trial, one) for one in trial.world.spares] + [_key(trial, one.instance) for one in trial.world.kept]


def _ask(trial: Trial, key: tuple[Any, ...], limit: int) -> list[bool]:
    values = dict(zip(_fields(trial), key, strict=True))
    return [bool(trial.call(values, judged=number == 0)) for number in range(limit + 1)]
