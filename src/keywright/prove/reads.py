"""Proofs of patterns that read: the right items, in the right order, on one page and through all pages."""

from collections.abc import Callable, Sequence
from math import asin, cos, radians, sin, sqrt
from typing import Any

from keywright.access.path import AccessPath
from keywright.declare.answers import Page
from keywright.ir.binding import Binding

from .answer import aggregated, is_close, matching, misplaced, places, surplus
from .choose import Chosen, choose
from .stored import differing
from .trial import Trial, size
from .window import reached

MOST_PAGES = 60
"""Pages that a proof walks; data and page sizes are chosen so that more mean a cursor that never ends."""

_EARTH_METRES = 6_371_008.8
_NEAR_METRES = 2.0  # a place in a geohash of 52 bits is up to 0.6 m off


def prove_read(trial: Trial) -> None:
    """Call a pattern that reads with several values, and compare what it answers with Python's answer."""
    path = trial.planned.path
    is_reached = reached(path.call if isinstance(path, AccessPath) else None, trial.read)
    instances = [one for one in trial.world.instances if is_reached(one)]
    for chosen in choose(trial.asked, instances, trial.read, trial.rng):
        if not trial.proof.is_compared:
            trial.proof.returned += size(trial.call(chosen.values))
            continue
        wanted = matching(instances, trial.asked, chosen.given, trial.read)
        trial.proof.expected += len(wanted)
        PROVERS[trial.pattern.kind](trial, chosen, wanted)
    if not trial.proof.calls:
        trial.proof.disagrees("no generated item lends it values: raise --scale")


def _get(trial: Trial, chosen: Chosen, wanted: list[Any]) -> None:
    found = trial.call(chosen.values)
    trial.proof.returned += found is not None
    if found is None and wanted:
        trial.proof.disagrees(f"found nothing with {_shown(chosen)}, though there is {_some(wanted[0])}")
    elif found is not None and _visible(trial, found) not in [_visible(trial, one) for one in wanted]:
        known = next((f", where {differing(_values(found), _values(one))}" for one in wanted), "")
        trial.proof.disagrees(f"found {_some(found)} with {_shown(chosen)}, which has other values{known}")


def _values(instance: Any) -> Any:
    return instance if isinstance(instance, dict) else vars(instance)


def _read(trial: Trial, chosen: Chosen, wanted: list[Any]) -> None:
    page: Page[Any] = trial.call(chosen.values)
    trial.proof.returned += len(page)
    if trial.pattern.search:
        _search(trial, page, wanted, chosen)
        return
    if trial.pattern.near:
        _near(trial, page, wanted, chosen)
        return
    limit = trial.pattern.limit
    if limit is not None and len(page) > limit:
        trial.proof.disagrees(f"a page holds {len(page)} items, the limit is {limit}")
    if len(page) < min(len(wanted), limit or len(wanted)):
        trial.proof.disagrees(f"a page holds {len(page)} of {len(wanted)} items with {_shown(chosen)}")
    if page.cursor is None and len(page) != len(wanted):
        trial.proof.disagrees(f"a page of {len(page)} items tells of no more, though there are {len(wanted)}")
    _compare(trial, list(page), wanted, is_whole=page.cursor is None)
    if len(wanted) > 1:
        _compare(trial, _walk(trial, chosen, max(1, len(wanted) // 3)), wanted, is_whole=True)


def _walk(trial: Trial, chosen: Chosen, limit: int) -> list[Any]:
    """All items, page by page."""
    found: list[Any] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page: Page[Any] = trial.call(chosen.values, limit=limit, cursor=cursor, judged=False)
        found += page
        if len(page) > limit:
            trial.proof.disagrees(f"a page holds {len(page)} items, {limit} were asked for")
        cursor = page.cursor
        if cursor is None:
            return found
    trial.proof.disagrees(f"after {MOST_PAGES} pages of {limit} there is still a cursor")
    return found


def _compare(trial: Trial, found: Sequence[Any], wanted: Sequence[Any], *, is_whole: bool) -> None:
    extra, missing = surplus([_visible(trial, one) for one in found], [_visible(trial, one) for one in wanted])
    if extra:
        trial.proof.disagrees(f"{len(extra)} items too many, such as {_some(extra[0])}")
    if missing and is_whole:
        trial.proof.disagrees(f"{len(missing)} of {len(wanted)} items are missing, such as {_some(missing[0])}")
    if not _shows_order(trial):
        _follows(trial, found, wanted)
    elif problem := misplaced(found, trial.asked.order, trial.read):
        trial.proof.disagrees(problem)
    elif not is_whole and trial.asked.order and found:
        _leads(trial, found, wanted)


def _shows_order(trial: Trial) -> bool:
    """Whether what is returned has the fields of the order."""
    fields = trial.pattern.fields
    return not fields or all(one.field.partition(".")[0] in fields for one in trial.asked.order)


def _follows(trial: Trial, found: Sequence[Any], wanted: Sequence[Any]) -> None:
    """Hold parts of items, which lack the fields of the order, against Python's order of the whole ones."""
    order = trial.asked.order
    for one in reversed(order):
        wanted = sorted(wanted, key=lambda item: trial.read(item, one.field)[0], reverse=one.is_descending)
    keys = [tuple(trial.read(item, one.field)[0] for one in order) for item in wanted]
    if len(set(keys)) < len(keys):
        return  # among equals any order is right
    if [_visible(trial, one) for one in found] != [_visible(trial, one) for one in wanted][: len(found)]:
        trial.proof.disagrees("the items are not in the wanted order, or not the first ones")


def _leads(trial: Trial, found: Sequence[Any], wanted: Sequence[Any]) -> None:
    """Whether a first page holds what comes first: nothing that is left over comes before its last item."""
    (first, *_), last = trial.asked.order, found[-1]
    value = trial.read(last, first.field)[0]
    values = [trial.read(one, first.field)[0] for one in wanted]
    before = sum(one > value if first.is_descending else one < value for one in values)
    if before > len(found):
        trial.proof.disagrees(f"{before - len(found)} items that come before the last one are not on the first page")


def _visible(trial: Trial, instance: Any) -> Any:
    """What is compared of an instance: the fields that the pattern needs, else all of it."""
    if not trial.pattern.fields or isinstance(instance, dict):
        return instance
    return {field: trial.read(instance, field) for field in trial.pattern.fields}


def _search(trial: Trial, page: Page[Any], wanted: list[Any], chosen: Chosen) -> None:
    trial.proof.tolerance = "relevance is the server's: the item with the rarest word must be found"
    rare = [one for one in wanted if one in list(page)]
    if wanted and not rare and not chosen.is_missing:
        trial.proof.disagrees(f"none of the {len(wanted)} items with {_shown(chosen)} is found")


def _near(trial: Trial, page: Page[Any], wanted: list[Any], chosen: Chosen) -> None:
    trial.proof.tolerance = f"distances within {_NEAR_METRES:.0f} m"
    field = trial.pattern.near or ""
    origin = chosen.values[field]
    metres = [distance(origin, trial.read(one, field)[0]) for one in page]
    nearest = sorted(distance(origin, trial.read(one, field)[0]) for one in wanted)
    expected = nearest[: trial.pattern.limit]
    if len(metres) != len(expected):
        trial.proof.disagrees(f"{len(metres)} items are found near, and there are {len(expected)}")
    elif any(abs(one - other) > _NEAR_METRES for one, other in zip(metres, expected, strict=True)):
        trial.proof.disagrees("the items that are found are not the nearest, or not in order")


def distance(origin: tuple[float, float], place: Any) -> float:
    """Metres between two points on a sphere of the Earth's mean radius, by the haversine formula."""
    longitude, latitude = place.coordinates if hasattr(place, "coordinates") else (place.longitude, place.latitude)
    east, north = radians(longitude - origin[0]), radians(latitude - origin[1])
    part = sin(north / 2) ** 2 + cos(radians(origin[1])) * cos(radians(latitude)) * sin(east / 2) ** 2
    return 2 * _EARTH_METRES * asin(min(1.0, sqrt(part)))


def _count(trial: Trial, chosen: Chosen, wanted: list[Any]) -> None:
    found = trial.call(chosen.values)
    trial.proof.returned += found
    expected = len(wanted)
    if _is_estimate(trial.planned.binding):
        trial.proof.tolerance = "an estimate: within 3 % and 1"
        if abs(found - expected) > max(1, 0.03 * expected):
            trial.proof.disagrees(f"estimates {found}, and there are {expected}")
    elif found != expected:
        trial.proof.disagrees(f"counts {found} with {_shown(chosen)}, and there are {expected}")


def _is_estimate(binding: Binding) -> bool:
    return type(binding.spec).__name__ == "RedisHyperLogLog"


def _rank(trial: Trial, chosen: Chosen, wanted: list[Any]) -> None:
    found = trial.call(chosen.values)
    if not wanted:
        if found is not None:
            trial.proof.disagrees(f"tells place {found} of what is not there")
        return
    trial.proof.returned += 1
    key = {part.path for part in trial.planned.binding.templates["key"].placeholders}
    own = wanted[0]
    rivals = [
        one for one in trial.world.instances if all(trial.read(one, path) == trial.read(own, path) for path in key)
    ]
    allowed = places(own, rivals, trial.asked.order[0], trial.read)
    if found not in allowed:
        trial.proof.disagrees(f"tells place {found} of {_some(own)}, which is {allowed.start} to {allowed.stop - 1}")


def _aggregate(trial: Trial, chosen: Chosen, wanted: list[Any]) -> None:
    found = trial.call(chosen.values)
    trial.proof.returned += len(found)
    expected = aggregated(wanted, trial.asked, trial.planned.binding, trial.read)
    names = [measure.name for measure in trial.pattern.measures]
    rows = {_group(row, trial): [row[name] for name in names] for row in found}
    for row in expected:
        figures = rows.pop(_group(row, trial), None)
        if figures is None:
            trial.proof.disagrees(f"group {_group(row, trial)} is missing")
        elif not all(is_close(one, row[name]) for one, name in zip(figures, names, strict=True)):
            trial.proof.disagrees(
                f"group {_group(row, trial)} has {figures}, and should have {[row[n] for n in names]}"
            )
    if rows:
        trial.proof.disagrees(f"{len(rows)} groups too many, such as {next(iter(rows))}")


def _group(row: dict[str, Any], trial: Trial) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in trial.pattern.group)


PROVERS: dict[str, Callable[[Trial, Chosen, list[Any]], None]] = {
    "get": _get, "read": _read, "count": _count, "rank": _rank, "aggregate": _aggregate,
}  # fmt: skip
"""How each kind of reading pattern is proved."""


def _shown(chosen: Chosen) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in chosen.values.items()) or "no values"


def _some(instance: Any) -> str:
    text = repr(instance)
    return text if len(text) <= 160 else f"{text[:157]}..."
