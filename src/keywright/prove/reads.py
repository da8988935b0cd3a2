"""Proofs of patterns that read: the expected items in the expected order, on one page and through all pages.

`figures` proves the patterns that return numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import asin, cos, radians, sin, sqrt
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.query import Ordering
from keywright.declare.answers import Page
from keywright.ir.distinct import distinct
from keywright.ir.text import counted
from keywright.runtime.errors import InvalidValue

from .answer import matching, misplaced, surplus
from .choose import CallValues, choose
from .collation import case_swapped, is_supported
from .figures import prove_aggregate, prove_count
from .masking import differing, masked_values
from .nearest import prove_nearest, similarity_of
from .proof_case import ProofCase, size
from .ranks import prove_rank, prove_rank_around
from .values import first_of, is_less
from .window import reached

MOST_PAGES = 60
"""Minimum limit of pages that a proof reads; more than twice the expected pages mean a cursor that never ends."""

_EARTH_METRES = 6_371_008.8
_NEAR_METRES = 2.0  # a place in a geohash of 52 bits is up to 0.6 m off


def prove_read(trial: ProofCase) -> None:
    """Call a read pattern with several values, and compare each answer with the one computed in Python."""
    path = trial.planned.path
    is_reached = reached(path.call if isinstance(path, AccessPath) else None, trial.read)
    instances = [instance for instance in trial.dataset.instances if is_reached(instance)]
    if trial.rules is not None and not _is_comparable(trial, instances):
        trial.proof.is_compared = False
        trial.proof.tolerance = f'texts in the collation "{trial.rules.locale}": only the server knows their order'
    for call in _calls(trial, instances):
        if not trial.proof.is_compared:
            trial.proof.returned += size(trial.call(call.values))
            continue
        expected = matching(instances, trial.query, call.given, trial.read)
        trial.proof.expected += len(expected)
        try:
            PROVERS[trial.pattern.kind](trial, call, expected)
        except InvalidValue:
            if not call.is_missing:  # the field may reject a value that no item has
                raise
    if not trial.proof.calls:
        trial.proof.disagrees("no generated item has values for the call: raise --scale")


def _calls(trial: ProofCase, instances: Sequence[Any]) -> Iterator[CallValues]:
    """The calls; where case is ignored, each one is repeated with upper and lower case swapped."""
    for call in choose(trial.query, instances, trial.plain_read, trial.rng):
        yield call
        if trial.rules is not None and trial.rules.strength < 3:
            swapped = {name: case_swapped(value) for name, value in call.values.items()}
            if swapped != call.values:
                yield CallValues(swapped, is_missing=True)


def _is_comparable(trial: ProofCase, instances: Sequence[Any]) -> bool:
    """Whether Python compares the texts of all instances as the server does."""
    rules, query = trial.rules, trial.query
    fields = {*(condition.field for condition in query.conditions), *(ordering.field for ordering in query.order)}
    texts = (value for instance in instances for field in fields for value in trial.plain_read(instance, field))
    elements = (
        element
        for value in texts
        for element in (value if isinstance(value, (list, set, tuple, frozenset)) else [value])
    )
    return rules is not None and all(is_supported(rules, element) for element in elements if isinstance(element, str))


def _get(trial: ProofCase, call: CallValues, expected: list[Any]) -> None:
    answer = trial.call(call.values)
    trial.proof.returned += answer is not None
    if answer is None and expected:
        trial.proof.disagrees(f"found nothing with {_arguments(trial, call)}, instead of {trial.shown(expected[0])}")
    elif answer is not None and compared(trial, answer) not in [compared(trial, instance) for instance in expected]:
        difference = next(
            (f", where {differing(trial.planned.binding, answer, instance)}" for instance in expected), ""
        )
        trial.proof.disagrees(
            f"found {trial.shown(answer)} with {_arguments(trial, call)}, which has other values{difference}"
        )


def _read(trial: ProofCase, call: CallValues, expected: list[Any]) -> None:
    page: Page[Any] = trial.call(call.values)
    trial.proof.returned += len(page)
    if trial.pattern.search:
        _search(trial, page, expected, call)
        return
    if (measure := similarity_of(trial)) is not None:
        prove_nearest(trial, page, expected, call, measure)
        return
    if trial.pattern.near:
        _near(trial, page, expected, call)
        return
    limit = trial.pattern.limit
    if limit is not None and len(page) > limit:
        trial.proof.disagrees(f"a page contains {counted(len(page), 'item')}, the limit is {limit}")
    if len(page) < min(len(expected), limit or len(expected)):
        trial.proof.disagrees(
            f"a page contains {len(page)} of {counted(len(expected), 'item')} with {_arguments(trial, call)}"
        )
    if page.cursor is None and len(page) != len(expected):
        trial.proof.disagrees(f"a page of {counted(len(page), 'item')} has no cursor, but {len(expected)} are expected")
    _compare(trial, list(page), expected, is_whole=page.cursor is None)
    if len(expected) > 1:
        third = max(1, len(expected) // 3)
        items = walk(trial, call, min(third, limit or third), len(expected))
        _compare(trial, items, expected, is_whole=True)


def walk(trial: ProofCase, call: CallValues, limit: int, total: int) -> list[Any]:
    """All items, read page by page; total: the expected number of items."""
    items: list[Any] = []
    cursor: str | None = None
    maximum = max(MOST_PAGES, 2 * total // limit)
    for _ in range(maximum):
        page: Page[Any] = trial.call(call.values, limit=limit, cursor=cursor, verify=False)
        items += page
        if len(page) > limit:
            trial.proof.disagrees(
                f"a page contains {counted(len(page), 'item')}, {counted(limit, 'was requested', 'were requested')}"
            )
        cursor = page.cursor
        if cursor is None:
            return items
    trial.proof.disagrees(f"after {counted(maximum, 'page')} of {limit} there is still a cursor")
    return items


def _compare(trial: ProofCase, actual: Sequence[Any], expected: Sequence[Any], *, is_whole: bool) -> None:
    extra, missing = surplus([compared(trial, item) for item in actual], [compared(trial, item) for item in expected])
    if extra:
        trial.proof.disagrees(f"{counted(len(extra), 'item')} more than expected, such as {trial.shown(extra[0])}")
    if missing and is_whole:
        trial.proof.disagrees(
            f"{len(missing)} of {counted(len(expected), 'item')} missing, such as {trial.shown(missing[0])}"
        )
    if not _shows_order(trial):
        _compare_order(trial, actual, expected)
    elif pair := misplaced(actual, trial.query.order, trial.read):
        _report_order(trial, actual, *pair)
    elif not is_whole and trial.query.order and actual:
        _compare_first_page(trial, actual, expected)


def _report_order(trial: ProofCase, items: Sequence[Any], position: int, order: Ordering) -> None:
    values = [{order.field: first_of(item, order.field, trial.read)} for item in items[position : position + 2]]
    texts = [masked_values(trial.planned.binding, value) for value in values]
    trial.proof.disagrees(f"items {position} and {position + 1} are in the wrong order: {texts[0]}, then {texts[1]}")


def _shows_order(trial: ProofCase) -> bool:
    """Whether the returned fields include those of the order."""
    fields = trial.pattern.fields
    return not fields or all(ordering.field.partition(".")[0] in fields for ordering in trial.query.order)


def _compare_order(trial: ProofCase, actual: Sequence[Any], expected: Sequence[Any]) -> None:
    """Compare items without the fields of the order with the whole items in Python's order."""
    order = trial.query.order
    keys = [tuple(first_of(item, ordering.field, trial.read) for ordering in order) for item in expected]
    if len(distinct(keys)) < len(keys) or any(is_less(*pair) is None for pair in pairwise(keys)):
        return  # items with equal values, or values that Python does not compare, may come in any order
    for ordering in reversed(order):
        expected = sorted(
            expected, key=lambda item: first_of(item, ordering.field, trial.read), reverse=ordering.is_descending
        )
    if [compared(trial, item) for item in actual] != [compared(trial, item) for item in expected][: len(actual)]:
        trial.proof.disagrees("the items are not in the expected order, or not the first ones")


def _compare_first_page(trial: ProofCase, actual: Sequence[Any], expected: Sequence[Any]) -> None:
    """Report items before the last item of a first page that the page lacks."""
    (first, *_), last = trial.query.order, actual[-1]
    value = first_of(last, first.field, trial.read)
    values = [first_of(item, first.field, trial.read) for item in expected]
    pairs = ((value, other) if first.is_descending else (other, value) for other in values)
    before = sum(is_less(*pair) is True for pair in pairs)
    if before > len(actual):
        trial.proof.disagrees(f"{counted(before - len(actual), 'item')} before the last one not on the first page")


def compared(trial: ProofCase, instance: Any) -> Any:
    """The compared part of an instance: the fields that the pattern returns, else the instance."""
    if not trial.pattern.fields or isinstance(instance, dict):
        return instance
    return {field: trial.read(instance, field) for field in trial.pattern.fields}


def _search(trial: ProofCase, page: Page[Any], expected: list[Any], call: CallValues) -> None:
    trial.proof.tolerance = "the server decides relevance: only the item with the rarest word must be found"
    matches = [item for item in expected if item in list(page)]
    if expected and not matches and not call.is_missing:
        trial.proof.disagrees(f"none of the {counted(len(expected), 'item')} with {_arguments(trial, call)} is found")


def _near(trial: ProofCase, page: Page[Any], expected: list[Any], call: CallValues) -> None:
    trial.proof.tolerance = f"distances within {_NEAR_METRES:.0f} m"
    field = trial.pattern.near or ""
    origin = call.values[field]
    metres = [distance(origin, trial.read(item, field)[0]) for item in page]
    nearest = sorted(distance(origin, trial.read(item, field)[0]) for item in expected)
    distances = nearest[: trial.pattern.limit]
    if len(metres) != len(distances):
        trial.proof.disagrees(f"{counted(len(metres), 'item is', 'items are')} found near, {len(distances)} expected")
    elif any(abs(metre - other) > _NEAR_METRES for metre, other in zip(metres, distances, strict=True)):
        trial.proof.disagrees("the found items are not the nearest, or not in order")


def distance(origin: tuple[float, float], place: Any) -> float:
    """Metres between two points on a sphere of the Earth's mean radius, by the haversine formula."""
    longitude, latitude = place.coordinates if hasattr(place, "coordinates") else (place.longitude, place.latitude)
    east, north = radians(longitude - origin[0]), radians(latitude - origin[1])
    part = sin(north / 2) ** 2 + cos(radians(origin[1])) * cos(radians(latitude)) * sin(east / 2) ** 2
    return 2 * _EARTH_METRES * asin(min(1.0, sqrt(part)))


PROVERS: dict[str, Callable[[ProofCase, CallValues, list[Any]], None]] = {
    "get": _get, "read": _read, "count": prove_count, "rank": prove_rank, "rank_around": prove_rank_around,
    "aggregate": prove_aggregate,
}  # fmt: skip
"""Prover of each kind of read pattern."""


def _arguments(trial: ProofCase, call: CallValues) -> str:
    return masked_values(trial.planned.binding, call.values)
