"""DDB106: a read asks for a sort attribute of an index behind one that it leaves open."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import Route
from keywright.engines.dynamodb.uses import Use, unserved
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole) -> Iterator[Flaw]:
    """Every unserved pattern that has such an index for its partition key."""
    for use, _ in unserved(whole):
        if use.pattern.kind not in ("get", "read", "count"):
            continue
        for route in use.entity.routes:
            if (gap := _gap(use, route)) is not None:
                left, asked = gap
                yield Flaw(
                    problem=f'it asks for "{asked}" in index "{route.index}" without a value of "{left}" before it: '
                    "sort attributes are asked from left to right",
                    help=f'add "{left}" to eq=; or name "{asked}" before "{left}" in sk= of an index',
                    subject=use.name,
                    at=use.pattern.at,
                )
                break


def _gap(use: Use, route: Route) -> tuple[str, str] | None:
    """(sort attribute that is left open, a later one that is asked for) of an index; None if it has no gap."""
    equal = {*use.pattern.eq, *(one.field for one in use.pattern.where if one.test == "equals")}
    bounded = {path for path in (use.pattern.range, use.pattern.prefix) if path is not None}
    hashes = [one.path for part in route.hashes for one in part.template.placeholders]
    if route.by.kind != "gsi" or len(route.sorts) < 2 or not set(hashes) <= equal:
        return None
    sorts = [part.template.lone.path for part in route.sorts if part.template.lone]
    left = next((path for path in sorts if path not in equal), None)
    behind = sorts[sorts.index(left) + 1 :] if left is not None else []
    asked = next((path for path in behind if path in equal | bounded), None)
    return (left, asked) if left is not None and asked is not None else None
