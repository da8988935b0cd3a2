"""GEN008: temporary data never expires, without a declared reason."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.registry import engine_named

_WORDS = ("ttl", "per", "keep")
"""Options of stores that limit the lifetime of items."""


def models(
    context: RuleContext, *, temporal: tuple[str, ...] = ("session", "cache", "event", "reading", "token")
) -> Iterator[FindingDraft]:
    """Report every entity of such a kind without an expiry.

    temporal: kinds of entities with temporary data.
    """
    for binding in context.design.bindings:
        spec = binding.spec
        kind = spec.kind
        if kind not in temporal or binding.entity.ttl is not None or spec.keep_forever:
            continue
        if not any(getattr(spec, word, None) for word in _WORDS):
            by_option = "set ttl=timedelta(...)" if hasattr(spec, "ttl") else "annotate a datetime with kw.Ttl()"
            yield FindingDraft(
                problem=f'it is of kind "{kind}", but never expires',
                help=f'{by_option}, or give the reason by keep_forever="..."',
                subject=binding.name,
            )


def live(
    live_target: LiveTarget, *, temporal: tuple[str, ...] = ("session", "cache", "event", "reading", "token")
) -> Iterator[FindingDraft]:
    """Report every entity of such a kind whose items have no time of expiry, or one that the server does not read as a
    time; DDB024 reports the latter in DynamoDB.
    """
    traits = engine_named(live_target.target.engine).traits
    if traits.has_own_expiry_rules:
        return
    for binding, items in live_target.items():
        if binding.entity.ttl is None:
            continue
        missing = items.expiries.get("missing", 0) if binding.spec.kind in temporal else 0
        missing += sum(items.expiries.get(kind, 0) for kind in traits.unexpiring)
        if missing:
            yield FindingDraft(
                problem=f'{items.sample.of(missing, "has", "have")} no time in "{binding.entity.ttl.name}", '
                "so that they never expire",
                help="find the process that writes them, and add the time by a backfill",
                subject=binding.name,
                field=binding.entity.ttl.name,
            )
