"""RED067: a strict limit counts in fixed windows, which let twice the limit through around their change."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.rates import span
from keywright.ir.text import counted

from ..declare.options import RedisRateLimit

_SECRET = re.compile(r"\b(?:pin|otp)\b|(?<=[a-z])(?:Pin|Otp)|Pin(?=[A-Z])|Otp|[Pp]asscode|[Uu]nlock|[Gg]uess")
"""Words in names of limits that protect a secret."""
_CALENDAR = re.compile(r"\b(?:each|every|calendar)\s(?:\w+\s){0,4}?(?:minutes?|hours?|quarters?|days?)\b")
"""Words that state that a limit begins anew with each period: not ten in any hour, but ten in each hour."""


def models(
    context: RuleContext,
    *,
    strict_limit: int = 10,
    strict_seconds: float = 60,
    max_per_minute: float = 5,
    attempts: int = 20,
) -> Iterator[FindingDraft]:
    """Report every small limit over a long period with a fixed window, and those that are named after attempts.

    strict_limit: largest limit that is reported, whose calls a sliding window stores at little cost.
    strict_seconds: shortest period that is reported. max_per_minute: most calls in a minute of a limit that is
    reported: more in a moment matter little where as many are allowed soon after. attempts: largest limit of attempts
    at a secret, by its name.
    """
    for binding in context.bindings("redis"):
        spec = binding.spec
        if not isinstance(spec, RedisRateLimit) or spec.window != "fixed":
            continue
        seconds = spec.per.total_seconds()
        is_rare = spec.limit * 60 <= max_per_minute * seconds
        is_meant = _CALENDAR.search(binding.entity.doc) is not None
        is_strict = spec.limit <= strict_limit and seconds >= strict_seconds and is_rare and not is_meant
        is_of_secret = spec.limit <= attempts and _SECRET.search(f"{binding.name} {spec.key} {binding.entity.doc}")
        if is_strict or is_of_secret:
            allowed = (
                f"it allows {counted(spec.limit, 'call')} per {span(spec.per).removeprefix('1 ')} in fixed windows"
            )
            twice = counted(2 * spec.limit, "call is", "calls are")
            remedy = f'set window="sliding", which stores at most {counted(spec.limit, "member")} per key'
            problem = f"{allowed}: around the change of windows, {twice} possible within a moment"
            yield FindingDraft(
                problem=problem if is_of_secret else f"{problem}; is that too many?",
                help=remedy if is_of_secret else f"if it is, {remedy}",
                subject=binding.name,
                severity=None if is_of_secret else "question",
                fix=Fix((SetArgument("window", '"sliding"'),)),
            )
