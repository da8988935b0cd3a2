"""DDB106: a read uses a sort attribute of an index but skips one before it."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import Route
from keywright.engines.dynamodb.findings.uses import Use, unserved
from keywright.engines.findings.context import FindingDraft, RuleContext


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Unserved patterns that have such an index for their partition key."""
    for use, _ in unserved(context):
        if use.pattern.kind not in ("get", "read", "count"):
            continue
        for route in use.entity.routes:
            if (gap := _gap(use, route)) is not None:
                skipped, later = gap
                yield FindingDraft(
                    problem=f'it asks for "{later}" in index "{route.index}" without a value of "{skipped}" before it: '
                    "sort attributes are asked from left to right",
                    help=f'add "{skipped}" to eq=; or name "{later}" before "{skipped}" in sk= of an index',
                    subject=use.name,
                    at=use.pattern.at,
                )
                break


def _gap(use: Use, route: Route) -> tuple[str, str] | None:
    """(sort attribute without a value, a later one with a condition) of an index; None if there is no gap."""
    equal = {*use.pattern.eq, *(condition.field for condition in use.pattern.where if condition.test == "equals")}
    bounded = {path for path in (use.pattern.range, use.pattern.prefix) if path is not None}
    hashes = [placeholder.path for part in route.hashes for placeholder in part.template.placeholders]
    if route.by.kind != "gsi" or len(route.sorts) < 2 or not set(hashes) <= equal:
        return None
    sorts = [part.template.lone.path for part in route.sorts if part.template.lone]
    skipped = next((path for path in sorts if path not in equal), None)
    later_paths = sorts[sorts.index(skipped) + 1 :] if skipped is not None else []
    later = next((path for path in later_paths if path in equal | bounded), None)
    return (skipped, later) if skipped is not None and later is not None else None
