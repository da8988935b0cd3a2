"""DDB032: writes in several regions of one table overwrite each other.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html (2026-11-23): the last
writer wins; transactions are atomic only in the region in which they run.
"""

from collections.abc import Iterator

from keywright.engines.dynamodb.findings.throughput import uses_of
from keywright.engines.dynamodb.findings.uses import Use, settings_of
from keywright.engines.findings.context import FindingDraft, RuleContext


def models(context: RuleContext, *, one_writer: tuple[str, ...] = ()) -> Iterator[FindingDraft]:
    """Replicated tables with writes that depend on the stored item.

    one_writer: names of tables that the application writes in one region only.
    """
    for target, settings in settings_of(context):
        name = target.declared.name
        if not settings.replicas or settings.consistency == "strong" or name in one_writer:
            continue
        table_uses = uses_of(context, target.placed)
        harms = list(_harms(table_uses))
        if harms:
            strong = "" if any(use.times > 1 for use in table_uses) else "; or set consistency: strong"
            yield FindingDraft(
                problem=f'table "{name}" has replicas with consistency: eventual, so that of writes in two regions '
                f"the last one wins: {', '.join(harms)}",
                help=f'write it in one region, and add "{name}" to the parameter one_writer{strong}',
                subject=name,
                at=target.setting("replicas"),
            )


def _harms(table_uses: list[Use]) -> Iterator[str]:
    """Consequences, each for its most frequent pattern."""
    increments = [use for use in table_uses if use.pattern.kind == "increment"]
    conditional = [use for use in table_uses if use.pattern.if_absent]
    if increments:
        yield f'increments of "{_busiest(increments)}" are lost'
    if conditional:
        yield f'if_absent= of "{_busiest(conditional)}" succeeds in both'
    together = [use for use in table_uses if use.times > 1]
    if together:
        yield f'"{_busiest(together)}" is not atomic'


def _busiest(candidates: list[Use]) -> str:
    return max(candidates, key=lambda use: use.load.per_second or 0).name
