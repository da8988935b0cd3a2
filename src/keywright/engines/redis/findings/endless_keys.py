"""Keys that should expire by what they contain, or by the rate at which they are created."""

import re
from datetime import timedelta

from keywright.engines.findings.context import RuleContext
from keywright.engines.findings.rates import calls, items_per_second, span
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted, figure

from ..access.layout import Layout
from ..access.memory import keys_of
from ..declare.options import Structure

_SECRET = re.compile(r"(?:^|_)(?:token|secret|cookie|digest|hash|sha256|hmac|refresh|bearer|otp)(?:$|_)")
_DIGEST = re.compile(r"\^?\[(?:0-9a-f|a-f0-9|0-9A-F|A-F0-9|0-9a-fA-F)\]\{(?:32|40|64)\}\$?")
_WORD = re.compile(r"[A-Z]?[a-z]+")
_HOLDER = re.compile(r"(?:^|_)(?:account|user|member|player|customer|client|device|subject|owner)(?:$|_)")
"""Words in names of fields with whom a session or token belongs to."""


JOBS = frozenset(
    ("job", "jobs", "task", "tasks", "work", "result", "results", "run", "runs", "outcome", "import", "export", "queue")
)
"""Words in names of jobs and of their results."""


def has_word(words: frozenset[str], *names: str) -> bool:
    """Whether one of the words is in the names of classes or in keys."""
    return any(word.lower() in words for name in names for word in _WORD.findall(name))


def secret_in_key(binding: Binding[Structure], layout: Layout) -> str:
    """The only field of the key, if it is a secret or a digest and another field says whose it is; else empty."""
    paths = [placeholder.path for placeholder in layout.key.placeholders]
    attribute = binding.entity.attribute(paths[0]) if len(paths) == 1 else None
    kind = attribute.type if attribute is not None else None
    if attribute is None or not isinstance(kind, Scalar) or kind.kind != "string":
        return ""
    is_secret = _SECRET.search(attribute.name) or _DIGEST.fullmatch(kind.pattern or "")
    has_holder = any(_HOLDER.search(other.name) for other in binding.entity.attributes if other is not attribute)
    return attribute.name if is_secret and has_holder else ""


def growth_of_keys(context: RuleContext, binding: Binding[Structure], layout: Layout, max_days: float) -> str:
    """The problem of keys that are created and never removed; empty if their number is bounded or unknown."""
    puts = list(calls(context, binding, "put"))
    is_job = has_word(JOBS, binding.name, layout.key.text)
    states = {
        attribute.name for attribute in layout.stored if isinstance(attribute.type, Scalar) and attribute.type.constants
    }
    has_states = any(states & set(plan.pattern.sets) for plan, _ in calls(context, binding, "update"))
    is_created = (
        is_job or has_states or any(plan.pattern.if_absent for plan, _ in puts)
    )  # another put replaces what exists
    rate, expected = items_per_second(context, binding, "put"), binding.spec.expected
    if binding.spec.kind in ("money", "stock") or not (is_created and rate and expected) or keys_of(layout):
        return ""
    time = timedelta(seconds=expected / rate)
    if time > timedelta(days=max_days):
        return ""
    created = counted(rate, "key", spec=figure)
    return (
        f'"{puts[0][0].pattern.name}" adds {created} a second, and nothing deletes or expires them: the '
        f"{counted(expected, 'expected key is', 'expected keys are', spec=',')} passed after {span(_rounded(time))}"
    )


def _rounded(time: timedelta) -> timedelta:
    """A duration in whole days, hours or minutes."""
    unit = next((unit for unit in (86_400, 3_600, 60) if time.total_seconds() >= unit), 1)
    return timedelta(seconds=max(1, round(time.total_seconds() / unit)) * unit)
