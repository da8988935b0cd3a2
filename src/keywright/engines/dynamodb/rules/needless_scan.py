"""DDB114: a pattern scans, although a key or an index serves it."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.dynamodb.access.paths.plan import paths
from keywright.engines.dynamodb.findings.uses import uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.record import replace


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Scans whose pattern has an access path without `scan=True`."""
    for use in uses(context):
        if not use.pattern.scans:
            continue
        pattern = replace(use.pattern, scans=False, segments=1)
        candidates = paths(use.entity.table, use.entity.binding, pattern)
        path = next((path for path in candidates if isinstance(path, AccessPath)), None)
        if path is not None:
            yield FindingDraft(
                problem=f"it scans, and {path.by} serves it by its key",
                help="remove scan=True" + (" and segments=" if use.pattern.segments > 1 else ""),
                subject=use.name,
                at=use.pattern.at,
            )
