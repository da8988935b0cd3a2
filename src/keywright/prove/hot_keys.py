"""Makes generated data busy: many items under one key, close together in time, so that order and pages are put to the
test."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from keywright.ir.pattern import Pattern

SHARE = 0.4
"""Part of an entity's instances that crowd under the values of the first: as skewed as real keys are."""
SPANS = 3
"""Times of the crowd spread over so many usual spans of the shortest range, so that a range holds a part of them."""


def crowded(
    instances: Sequence[Any],
    patterns: Iterable[Pattern],
    key_fields: Sequence[str],
    key_of: Callable[[Any, int], object],
    statics: Sequence[str] = (),
) -> list[Any]:
    """The instances, of which some share the values by which patterns that read many select; all keys stay different.

    patterns: those of one entity in one store. key_fields: what tells its items apart; none where nothing does.
    key_of: the native key of an instance as the item of that number, from one, in what is returned, where two of the
        same key are one item; else something of each one's own. statics: fields that a partition has once.
    """
    reads = [pattern for pattern in patterns if pattern.kind in ("read", "count", "aggregate")]
    shared = _shared(reads, key_fields)
    spans = {pattern.range: pattern.span_seconds for pattern in reads if pattern.range and pattern.span_seconds}
    if not instances or not (shared or spans):
        return list(instances)
    first, crowd = instances[0], round(len(instances) * SHARE)
    found: list[Any] = []
    taken: set[object] = set()
    for number, instance in enumerate(instances):
        candidates = [instance]
        if 0 < number <= crowd:
            # What is computed follows from the fields that it is made of.
            values: dict[str, Any] = {
                name: getattr(first, name) for name in (*shared, *statics) if hasattr(first, name)
            }
            for name, seconds in spans.items():
                moment = getattr(first, name, None)
                if isinstance(moment, datetime) and seconds is not None:
                    values[name] = moment - timedelta(seconds=seconds * SPANS) * number / crowd
            candidates.insert(0, instance.model_copy(update=values))
        for candidate in candidates:  # where there is no room in the crowd, it stays by itself
            named = tuple(_plain(candidate, name) for name in key_fields) or number
            native = repr(key_of(candidate, len(found) + 1))
            if named not in taken and native not in taken:
                taken |= {named, native}
                found.append(candidate)
                break
    return found


def _shared(reads: Iterable[Pattern], key_fields: Sequence[str]) -> list[str]:
    """Top-level fields that reads of many select by, as long as something else tells items apart."""
    names: dict[str, None] = {}
    for pattern in reads:
        chosen = {*names, *pattern.eq}
        if pattern.eq and (not key_fields or not set(key_fields) <= chosen):
            names |= dict.fromkeys(name for name in pattern.eq if "." not in name)
    return list(names)


def _plain(instance: Any, path: str) -> Any:
    for name in path.split("."):
        instance = getattr(instance, name, None)
    return repr(instance)
