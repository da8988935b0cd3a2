"""Proofs of patterns that return figures: counts and aggregates."""

from collections.abc import Sequence
from typing import Any

from keywright.ir.binding import Binding
from keywright.ir.personal import is_personal_path
from keywright.ir.template import parse
from keywright.ir.text import counted

from .answer import aggregated, is_close
from .choose import CallValues
from .masking import MASK, masked_values
from .proof_case import ProofCase


def prove_count(trial: ProofCase, call: CallValues, expected: list[Any]) -> None:
    """Compare a number of items, which for some structures is an estimate."""
    count = trial.call(call.values)
    trial.proof.returned += count
    expected_count = _members(trial, expected)
    if _is_estimate(trial.planned.binding):
        trial.proof.tolerance = "an estimate: within 3 % and 1"
        if abs(count - expected_count) > max(1, 0.03 * expected_count):
            trial.proof.disagrees(f"estimates {count}, expected {expected_count}")
    elif count != expected_count:
        arguments = masked_values(trial.planned.binding, call.values)
        trial.proof.disagrees(f"counts {count} with {arguments}, expected {expected_count}")


def prove_aggregate(trial: ProofCase, call: CallValues, expected: list[Any]) -> None:
    """Compare the measures of each group."""
    answer = trial.call(call.values)
    trial.proof.returned += len(answer)
    expected_rows = aggregated(expected, trial.query, trial.planned.binding, trial.read)
    names = [measure.name for measure in trial.pattern.measures]
    rows_by_group = {_group(row, trial): [row[name] for name in names] for row in answer}
    for row in expected_rows:
        figures = rows_by_group.pop(_group(row, trial), None)
        if figures is None:
            trial.proof.disagrees(f"group {_named(trial, row)} is missing")
        elif not all(is_close(figure, row[name]) for figure, name in zip(figures, names, strict=True)):
            expected_figures = _figures(trial, [row[name] for name in names])
            problem = f"has {_figures(trial, figures)}, expected {expected_figures}"
            trial.proof.disagrees(f"group {_named(trial, row)} {problem}")
    if rows_by_group:
        row = dict(zip(trial.pattern.group, next(iter(rows_by_group)), strict=True))
        trial.proof.disagrees(
            f"{counted(len(rows_by_group), 'group')} more than expected, such as {_named(trial, row)}"
        )


def _members(trial: ProofCase, expected: list[Any]) -> int:
    """Number of expected instances; for an estimate, of distinct members."""
    binding = trial.planned.binding
    if not _is_estimate(binding):
        return len(expected)
    paths = [placeholder.path for placeholder in binding.templates["member"].placeholders]
    return len({tuple(trial.read(instance, path)[0] for path in paths) for instance in expected})


def _is_estimate(binding: Binding) -> bool:
    return binding.spec.is_estimate


def _group(row: dict[str, Any], trial: ProofCase) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in trial.pattern.group)


def _named(trial: ProofCase, row: dict[str, Any]) -> str:
    """Text of a row's group for problems, masked if a field is personal."""
    binding = trial.planned.binding
    parts = [part for text in trial.pattern.group for part in parse(text).placeholders]
    is_hidden = any(is_personal_path(binding, part.path) for part in parts)
    return MASK if is_hidden else ", ".join(_group(row, trial))


def _figures(trial: ProofCase, figures: Sequence[Any]) -> str:
    """Text of a group's figures by name, masked if the field is personal."""
    binding, measures = trial.planned.binding, trial.pattern.measures
    hidden = {measure.name for measure in measures if is_personal_path(binding, measure.of)}
    pairs = ((measure.name, figure) for measure, figure in zip(measures, figures, strict=True))
    return ", ".join(f"{name} {MASK if name in hidden else figure}" for name, figure in pairs)
