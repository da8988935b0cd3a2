"""Hot keys in generated data: many items under one key, close together in time, to test order and pages."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from keywright.access.query import arguments_of_parts
from keywright.ir.pattern import Pattern

SHARE = 0.4
"""Share of an entity's instances that get the key values of the first one, as skewed as in real data."""
SPANS = 3
"""Usual spans of a range over which the times of hot items spread, so that one range contains only some of them."""


def with_hot_keys(
    instances: Sequence[Any],
    patterns: Iterable[Pattern],
    key_fields: Sequence[str],
    key_of: Callable[[Any, int], object],
    statics: Sequence[str] = (),
) -> list[Any]:
    """The instances, some of which share the values by which patterns select many items; all keys stay different.

    patterns: the patterns of one entity in one store. key_fields: fields that identify an item; empty if none do.
    key_of: the native key of an instance at a position (from 1) of the result, if items with equal keys overwrite each
        other; else a unique value for each instance. statics: fields that a partition stores once.
    """
    reads = [pattern for pattern in patterns if pattern.kind in ("read", "count", "aggregate")]
    shared = _shared(reads, key_fields)
    spans = {pattern.range: pattern.span_seconds for pattern in reads if pattern.range and pattern.span_seconds}
    if not instances or not (shared or spans):
        return list(instances)
    first, hot_count = instances[0], round(len(instances) * SHARE)
    result: list[Any] = []
    used: set[object] = set()
    for number, instance in enumerate(instances):
        candidates = [instance]
        if 0 < number <= hot_count:
            # Computed attributes need no copy, because they follow from their fields.
            values: dict[str, Any] = {
                name: getattr(first, name) for name in (*shared, *statics) if hasattr(first, name)
            }
            for name, seconds in spans.items():
                moment = getattr(first, name, None)
                if isinstance(moment, datetime) and seconds is not None:
                    values[name] = moment - timedelta(seconds=seconds * SPANS) * number / hot_count
            candidates.insert(0, instance.model_copy(update=values))
        for candidate in candidates:  # an instance whose hot key is in use keeps its own key
            identity = tuple(_plain(candidate, name) for name in key_fields) or number
            native = repr(key_of(candidate, len(result) + 1))
            if identity not in used and native not in used:
                used |= {identity, native}
                result.append(candidate)
                break
    return result


def in_shared_partitions(
    instances: Sequence[Any], patterns: Iterable[Pattern], binding: str, shared: dict[tuple[str, str], Any]
) -> list[Any]:
    """The instances, the first of which has the values by which one request reads several entities.

    shared: values of earlier entities by (pattern, argument); those of this entity are added.
    """
    if not instances:
        return list(instances)
    first, *others = instances
    for pattern in patterns:
        if pattern.kind != "read_together":
            continue
        for part, names in zip(pattern.parts, arguments_of_parts(pattern.parts), strict=True):
            for field in part.eq if part.binding == binding else ():
                own = getattr(first, field, None)
                value = shared.setdefault((pattern.name, names.get(field, field)), own)
                if type(value) is type(own) and value != own:
                    first = first.model_copy(update={field: value})
    return [first, *others]


def _shared(reads: Iterable[Pattern], key_fields: Sequence[str]) -> list[str]:
    """Top-level fields by which reads select many items, as long as another key field distinguishes the items."""
    names: dict[str, None] = {}
    for pattern in reads:
        selected = {*names, *pattern.eq}
        if pattern.eq and (not key_fields or not set(key_fields) <= selected):
            names |= dict.fromkeys(name for name in pattern.eq if "." not in name)
    return list(names)


def _plain(instance: Any, path: str) -> Any:
    for name in path.split("."):
        instance = getattr(instance, name, None)
    return repr(instance)
