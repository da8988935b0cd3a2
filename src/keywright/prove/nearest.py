"""Proofs of searches of the nearest vectors, which the server answers approximately.

Proofs have few items, of which the server's graph misses hardly any: the nearest one and most others must be found. By
the dot product, graphs are reliable only for vectors of length one, which generated vectors do not have.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import isclose, sqrt
from typing import Any

from keywright.access.path import AccessPath, Similarity
from keywright.declare.answers import Page
from keywright.ir.text import counted

from .answer import surplus
from .choose import CallValues
from .proof_case import ProofCase

SHARE = 0.8
"""Share of the nearest items that a search must find."""

_TOLERANCE = 1e-4
"""Difference of similarities that the server computes with numbers of 32 bits."""


def similarity_of(trial: ProofCase) -> Similarity | None:
    """The measure of a search of vectors; None for other reads."""
    path = trial.planned.path
    return path.similarity if isinstance(path, AccessPath) else None


def prove_nearest(
    trial: ProofCase, page: Page[Any], expected: list[Any], call: CallValues, measure: Similarity
) -> None:
    """Compare a page with the items that are nearest by an exact computation."""
    trial.proof.tolerance = f"approximate: the nearest item and {SHARE:.0%} of the nearest must be found"
    limit = min(trial.pattern.limit or len(expected), len(expected))
    if len(page) != limit:
        trial.proof.disagrees(f"{counted(len(page), 'item is', 'items are')} found, {limit} expected")
    if page.cursor is not None:
        trial.proof.disagrees("the page has a cursor, but a search has one page")
    if trial.pattern.fields:
        return  # items without their vectors
    extra, _ = surplus(list(page), expected)
    if extra:
        trial.proof.disagrees(f"{counted(len(extra), 'item')} more than expected, such as {trial.shown(extra[0])}")
    field = trial.pattern.near or ""
    vector = call.values[field]
    actual = [similarity(measure, vector, trial.read(item, field)[0]) for item in page]
    best = sorted((similarity(measure, vector, trial.read(item, field)[0]) for item in expected), reverse=True)[:limit]
    if any(second > first and not _is_close(first, second) for first, second in pairwise(actual)):
        trial.proof.disagrees("the found items are not in the order of similarity")
    if measure == "dot_product":
        trial.proof.tolerance = "approximate: generated vectors have other lengths than one, so that any may be found"
        return
    if best and (not actual or not _is_close(actual[0], best[0])):
        trial.proof.disagrees("the nearest item is not found")
    near = sum(value >= best[-1] or _is_close(value, best[-1]) for value in actual)
    if near < SHARE * len(best):
        trial.proof.disagrees(f"the page has {near} of the {counted(len(best), 'nearest item')}")


def similarity(measure: Similarity, first: Sequence[float], second: Sequence[float]) -> float:
    """The similarity of two vectors, greater for nearer ones."""
    if measure == "euclidean":
        return -sqrt(sum((a - b) ** 2 for a, b in zip(first, second, strict=True)))
    product = _dot(first, second)
    if measure == "dot_product":
        return product
    length = sqrt(_dot(first, first) * _dot(second, second))
    return product / length if length else 0.0


def _dot(first: Sequence[float], second: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


def _is_close(first: float, second: float) -> bool:
    return isclose(first, second, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
