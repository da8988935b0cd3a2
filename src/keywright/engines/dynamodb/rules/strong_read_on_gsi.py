"""DDB017: a strongly consistent read needs a global index, which supports only eventual consistency."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.dynamodb.access.paths.plan import paths
from keywright.engines.dynamodb.findings.uses import unserved
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.record import replace


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Strongly consistent reads that only a global index serves."""
    for use, _ in unserved(context):
        consistency = use.pattern.consistency
        if consistency == "eventual" or use.pattern.kind not in ("get", "read", "count"):
            continue
        eventual = replace(use.pattern, consistency="eventual")
        access_path = next(
            (path for path in paths(use.entity.table, use.entity.binding, eventual) if isinstance(path, AccessPath)),
            None,
        )
        if access_path is not None:
            yield FindingDraft(
                problem=f'it says consistency="{consistency}", and only index "{access_path.by.name}" serves it, '
                "which is read eventually",
                help='read by the key of the table; or accept what is a moment old, by consistency="eventual"',
                subject=use.name,
                at=use.pattern.at,
                fix=Fix((SetArgument("consistency", '"eventual"'),)),
            )
