"""GEN040: a copy with personal data is cached for days, and nothing removes it."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.expiry import lifetime
from keywright.engines.findings.personal import personal_fields
from keywright.engines.findings.rates import calls, span


def models(context: RuleContext, *, most_hours: int = 24) -> Iterator[FindingDraft]:
    """Report caches with personal fields and without a pattern that deletes entries, and patterns that cache answers.

    most_hours: the longest time for which a copy may outlive its source.
    """
    most = timedelta(hours=most_hours)
    for binding in context.design.bindings:
        paths, seconds = personal_fields(binding), lifetime(binding)
        if not paths:
            continue
        is_cache = binding.spec.kind == "cache" or getattr(binding.spec, "source_of_truth", None) is not None
        if is_cache and seconds and seconds > most.total_seconds() and not any(calls(context, binding, "delete")):
            yield FindingDraft(
                problem=f'it caches the personal field "{paths[0]}" for {span(timedelta(seconds=seconds))}: so long '
                "after a correction or erasure the old data is still shown",
                help=f"set ttl= to {span(most)} at most, or declare the kw.Delete that removes the entry",
                subject=binding.name,
            )
        for plan in context.plans_of(binding):
            cached, fields = plan.pattern.cache_ttl_seconds, plan.pattern.fields
            read = [path for path in paths if not fields or path in fields or path.partition(".")[0] in fields]
            if cached and read and cached > most.total_seconds():
                yield FindingDraft(
                    problem=f'cache_ttl= keeps answers with the personal field "{read[0]}" for '
                    f"{span(timedelta(seconds=int(cached)))}: so long after an erasure they are still shown",
                    help=f"set cache_ttl= to {span(most)} at most",
                    subject=plan.pattern.name,
                )
