"""Proofs of patterns that return ranks: of one member, or of the members around it."""

from collections.abc import Sequence
from typing import Any

from keywright.declare.answers import Around
from keywright.ir.text import counted

from .answer import places
from .choose import CallValues
from .proof_case import ProofCase


def prove_rank(trial: ProofCase, call: CallValues, expected: list[Any]) -> None:
    """Compare the rank of a member; members with equal values may have any of their ranks, unless they share one."""
    rank = trial.call(call.values)
    if not expected:
        if rank is not None:
            trial.proof.disagrees(f"returns rank {rank} of an absent member")
        return
    trial.proof.returned += 1
    instance = expected[0]
    allowed = _ranks(trial, instance, _rivals(trial, instance))
    if rank not in allowed:
        trial.proof.disagrees(
            f"returns rank {rank} of {trial.shown(instance)}, expected {allowed.start} to {allowed.stop - 1}"
        )


def prove_rank_around(trial: ProofCase, call: CallValues, expected: list[Any]) -> None:
    """Compare the members around a member, and their ranks."""
    around: Around[Any] | None = trial.call(call.values)
    if not expected or around is None:
        if around is not None or expected:
            trial.proof.disagrees(f"returns {around and 'members'} around {'a' if expected else 'an absent'} member")
        return
    trial.proof.returned += len(around)
    instance, rivals = expected[0], _rivals(trial, expected[0])
    if around.items[around.position] != instance:
        trial.proof.disagrees(f"returns {trial.shown(around.items[around.position])} for {trial.shown(instance)}")
    elif any(item not in rivals for item in around.items) or len({*map(str, around.items)}) < len(around):
        trial.proof.disagrees("returns other members than those of the ranking, or one twice")
    elif not _is_window(trial, around, rivals):
        trial.proof.disagrees(f"returns {counted(len(around), 'member')}, not those around {trial.shown(instance)}")
    for item, rank in zip(around.items, around.ranks, strict=True):
        if rank not in (allowed := _ranks(trial, item, rivals)):
            trial.proof.disagrees(
                f"returns rank {rank} of {trial.shown(item)}, expected {allowed.start} to {allowed.stop - 1}"
            )


def _is_window(trial: ProofCase, around: Around[Any], rivals: Sequence[Any]) -> bool:
    """Whether the values of the order are those around the member, as many as the pattern returns."""
    order, limit = trial.query.order[0], trial.pattern.limit or 1
    ordered = sorted((trial.read(rival, order.field)[0] for rival in rivals), reverse=order.is_descending)
    values = [trial.read(item, order.field)[0] for item in around.items]
    middles = places(around.items[around.position], rivals, order, trial.read)
    starts = {max(0, min(middle - limit // 2, len(rivals) - limit)) for middle in middles}
    return any(ordered[start : start + limit] == values for start in starts)


def _rivals(trial: ProofCase, instance: Any) -> list[Any]:
    """The instances under the same key."""
    key = {part.path for part in trial.planned.binding.templates["key"].placeholders}
    return [
        rival
        for rival in trial.dataset.instances
        if all(trial.read(rival, path) == trial.read(instance, path) for path in key)
    ]


def _ranks(trial: ProofCase, instance: Any, rivals: Sequence[Any]) -> range:
    """The ranks that an instance may have."""
    allowed = places(instance, rivals, trial.query.order[0], trial.read)
    return range(allowed.start, allowed.start + 1) if trial.pattern.shares_ranks else allowed
