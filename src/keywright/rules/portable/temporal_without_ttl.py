"""GEN008: temporary data never expires, without a declared reason."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.expiry import is_expiring
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.pattern_facts import identity, is_put_for_a_time, single
from keywright.engines.findings.purposes import passing
from keywright.engines.registry import engine_named
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted

_END = re.compile(r"(?:^|_)expir(?:es|y|ation)(?:_(?:at|on|time))?$")


def models(
    context: RuleContext,
    *,
    temporal: tuple[str, ...] = ("session", "cache", "event", "reading", "token"),
    daily: float = 1_000,
) -> Iterator[FindingDraft]:
    """Report every entity of such a kind without an expiry, and records that look temporary as a warning.

    temporal: kinds of entities with temporary data. daily: puts a day from which records are reported.
    """
    for binding in context.design.bindings:
        if binding.spec.kind in temporal and _is_endless(context, binding):
            yield FindingDraft(
                problem=f'it is of kind "{binding.spec.kind}", but never expires',
                help=f'{_option(binding)}, or give the reason by keep_forever="..."',
                subject=binding.name,
            )
    yield from _marks(context, daily)


def _is_endless(context: RuleContext, binding: Binding[Any]) -> bool:
    """Whether items of an entity never expire, without a declared reason."""
    is_limited = is_expiring(binding) or is_put_for_a_time(context.design, binding)
    return not is_limited and not binding.spec.keep_forever


def _is_time(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Scalar) and attribute.type.kind == "datetime"


def _is_end(attribute: Attribute) -> bool:
    """Whether a field is a moment at which an item expires, by its type and name."""
    return _is_time(attribute) and _END.search(attribute.name) is not None


def _option(binding: Binding[Any]) -> str:
    """The way to let items of an entity expire."""
    return "set ttl=timedelta(...)" if hasattr(binding.spec, "ttl") else "annotate a datetime with kw.Ttl()"


def _marks(context: RuleContext, least: float) -> Iterator[FindingDraft]:
    """Records that are put all the time and come to nothing: with an end in an unmarked field, or never read.

    Those that are only put if absent, by a pattern of their own, are marks of what has been processed.
    """
    patterns: dict[str, list[Pattern]] = defaultdict(list)
    lone = {pattern.name for pattern in context.design.patterns}
    for pattern in single(context.design):
        patterns[pattern.binding].append(pattern)
    for binding in context.design.bindings:
        puts, key = patterns[binding.name], identity(binding)
        if not puts or binding.spec.kind not in ("", "record") or not _is_endless(context, binding):
            continue
        is_alone = all(put.kind == "put" and put.if_absent and put.name in lone for put in puts)
        is_mark = is_alone and all(_is_time(field) for field in binding.entity.attributes if field.name not in key)
        daily = sum((put.load.per_second or 0) * put.batch for put in puts if put.kind == "put") * 86_400
        end = next((field.name for field in binding.entity.attributes if _is_end(field)), "")
        is_removed = any(pattern.kind == "delete" for pattern in puts)
        if end and not is_removed and daily >= least:
            yield FindingDraft(
                problem=f'"{end}" is not marked with kw.Ttl(): nothing removes the '
                f"{counted(daily, 'item', spec=',.0f')} of a day that expire",
                help=f'{_option(binding)}, or give the reason by keep_forever="..."',
                subject=binding.name,
                severity="warning",  # that they are of no use later is inferred
            )
        elif daily >= least and (is_mark or (not is_removed and passing(binding))):
            mark = "only put if absent and never read, like marks of processed requests"
            likeness = mark if is_mark else f"of {passing(binding)}, by their names and keys"
            yield FindingDraft(
                problem=f"{counted(daily, 'item', spec=',.0f')} a day are {likeness}, but never expire",
                help=f'{_option(binding)}, or give the reason by keep_forever="..."',
                subject=binding.name,
                severity="warning",  # what they are is inferred
            )


def live(
    live_target: LiveTarget, *, temporal: tuple[str, ...] = ("session", "cache", "event", "reading", "token")
) -> Iterator[FindingDraft]:
    """Report every entity of such a kind whose items have no time of expiry, or one that the server does not read as a
    time; DDB024 reports the latter in DynamoDB.
    """
    if (traits := engine_named(live_target.target.engine).traits).has_own_expiry_rules:
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
