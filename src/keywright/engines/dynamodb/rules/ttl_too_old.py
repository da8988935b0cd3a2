"""DDB112: DynamoDB never deletes copied items that expired more than five years ago."""

from collections.abc import Iterator

from keywright.engines.dynamodb.schema.capabilities import TTL_PAST_SECONDS
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Entities with an expiry time that are moving from another database with old items."""
    for binding in context.bindings("dynamodb"):
        cut_over, field = binding.spec.cut_over, binding.entity.ttl
        if cut_over is not None and field is not None:
            years = TTL_PAST_SECONDS.value // (365 * 86_400)
            yield FindingDraft(
                problem=f"it is moved from {cut_over.source}, and what expired by "
                f'"{field.name}" more than {counted(years, "year")} ago is never deleted',
                help="leave out of the copy what has expired, and accept this by ignores= with that as the reason",
                subject=binding.name,
                field=field.name,
            )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Entities with sampled items that expired so long ago."""
    for binding, items in live_target.items():
        if count := items.expiries.get("past", 0):
            years = TTL_PAST_SECONDS.value // (365 * 86_400)
            yield FindingDraft(
                problem=f"{items.sample.of(count)} expired more than {counted(years, 'year')} ago, and are "
                "never deleted",
                help="delete them, or give them a later time by a backfill",
                subject=binding.name,
                field=binding.entity.ttl.name if binding.entity.ttl else "",
            )
