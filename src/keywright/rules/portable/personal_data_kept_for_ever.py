"""GEN038: records with personal data accumulate, and nothing removes them."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.expiry import is_expiring
from keywright.engines.findings.pattern_facts import changed, expected, is_put_for_a_time
from keywright.engines.findings.personal import personal_fields
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding
from keywright.ir.text import counted, figure

_DAY = 86_400


def models(context: RuleContext, *, most_days: int = 365) -> Iterator[FindingDraft]:
    """Report entities whose expected number of items is written again within some days, although none is removed.

    most_days: days in which as many items are written as are expected in all, up to which an entity is a passing one.
    """
    for binding in context.design.bindings:
        items, per_second = expected(binding), _inserted_per_second(context, binding)
        if not items or not per_second or is_expiring(binding) or binding.spec.keep_forever:
            continue
        if is_put_for_a_time(context.design, binding):
            continue
        paths, days = personal_fields(binding), items / per_second / _DAY
        if paths and days <= most_days and not _is_erased(context, binding, paths):
            yield FindingDraft(
                problem=f'it has the personal field "{paths[0]}", and nothing removes items: '
                f"{figure(per_second * _DAY)} new ones a day pass the expected {figure(items)} in "
                f"{counted(max(1, round(days)), 'day')}",
                help="let items expire (kw.Ttl() or ttl=), declare the kw.Delete that erases them, or give the reason "
                'by keep_forever="..."',
                subject=binding.name,
            )


def _inserted_per_second(context: RuleContext, binding: Binding) -> float:
    """New items per second; a put without if_absent may replace an item other than an event."""
    is_new = binding.spec.kind == "event"
    puts = (row for row in calls(context, binding, "put") if row[0].pattern.if_absent or is_new)
    return sum((rate or 0) * max(1, part.pattern.batch) for part, rate in puts)


def _is_erased(context: RuleContext, binding: Binding, paths: list[str]) -> bool:
    """Whether a pattern deletes items, or changes all their personal fields, as an anonymisation does."""
    if any(True for _ in calls(context, binding, "delete")):
        return True
    updates = (changed(part.pattern) for part, _ in calls(context, binding, "update"))
    roots = {path.partition(".")[0] for path in paths}
    return any(roots <= {path.partition(".")[0] for path in fields} for fields in updates)
