"""RED066: amounts that are billed come from an approximate count."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

from ..findings.servers import entities, is_billed


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("money",)) -> Iterator[FindingDraft]:
    """Report every HyperLogLog of such a kind, and, as a warning, those whose names mean billing.

    kinds: kinds of entities whose counts must be exact.
    """
    for _, binding, layout in entities(context):
        if layout.kind != "hyperloglog":
            continue
        is_declared = binding.spec.kind in kinds
        if is_declared or is_billed(context, binding, layout):
            yield FindingDraft(
                problem="it is a HyperLogLog, whose count is off by 0.81 % on average: no invoice from it is exact or "
                "can be explained",
                help="store the members in a table or as kw.RedisSet(...), and keep the estimate for displays",
                subject=binding.name,
                severity=None if is_declared else "warning",
            )
