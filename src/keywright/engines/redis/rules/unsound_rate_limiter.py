"""RED012: a limiter counts simultaneous calls once, or locks a busy caller out forever."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.ir.attribute import Scalar

from ..access.layout import Layout
from ..findings.servers import entities

_NO_MEMBER = Fix((SetArgument("member", "None"),), is_safe=True)
_TIMES = ("datetime", "date", "time")

_DIGITS = re.compile(r"\^?(?:(?:\[0-9\]|\\d)(?:\{[0-9,]+\}|\+)?|[TWZ:_.+-])+\$?")
"""A regular expression of digits and the signs of a time."""

_WINDOWS = frozenset(("second", "minute", "hour", "day", "week", "month", "bucket", "window", "slot", "period"))
"""Words in the name of a field with the number of a window."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Sliding windows whose members may be equal, and counters that are used as a limiter."""
    for server, binding, layout in entities(context):
        is_limiter = server.spec.role == "limiter"
        if layout.kind == "rate limit" or (layout.kind == "sorted set" and is_limiter):
            if layout.member is not None and not _is_unique(layout):
                is_declared = layout.kind == "rate limit"
                yield FindingDraft(
                    problem=f'calls are counted by "{layout.member.text}", which two calls of one moment share: they '
                    "count as one",
                    help="leave out member= and what it alone needs: each call then has its time and a word of its own"
                    if is_declared
                    else 'store it as kw.RedisRateLimit(..., window="sliding")',
                    subject=binding.name,
                    fix=_NO_MEMBER if is_declared and _is_in_key(layout) else None,
                )
        elif layout.kind == "counter" and is_limiter and layout.structure.ttl_seconds and not _has_window(layout):
            yield FindingDraft(
                problem="every call sets the time to live of its counter again, so that a busy caller is never let in "
                "again",
                help='store it as kw.RedisRateLimit(..., window="fixed"), which counts each window by itself',
                subject=binding.name,
            )


def _is_in_key(layout: Layout) -> bool:
    """Whether the key contains all fields of the member, so that the member can be removed without loss."""
    in_key = {placeholder.path for placeholder in layout.key.placeholders}
    return layout.member is not None and all(placeholder.path in in_key for placeholder in layout.member.placeholders)


def _is_unique(layout: Layout) -> bool:
    """Whether some part of a member is neither a time nor a part of the key."""
    in_key = {placeholder.path for placeholder in layout.key.placeholders}
    parts = layout.member.placeholders if layout.member else ()
    return any(part.path not in in_key and not _is_time(layout, part.path) for part in parts)


def _has_window(layout: Layout) -> bool:
    """Whether the key contains a time, or the number or text of a window, which are told by pattern and name."""
    computed = dict(layout.computed)
    paths = [
        part.path
        for placeholder in layout.key.placeholders
        for part in (computed[placeholder.path].placeholders if placeholder.path in computed else (placeholder,))
    ]
    return any(
        _is_time(layout, path) or _is_digits(layout, path) or _WINDOWS & set(path.lower().split("_")) for path in paths
    )


def _is_digits(layout: Layout, path: str) -> bool:
    """Whether a text consists of digits and signs of a time, such as 20261123T1530."""
    attribute = layout.attribute(path)
    pattern = attribute.type.pattern if attribute is not None and isinstance(attribute.type, Scalar) else None
    return pattern is not None and _DIGITS.fullmatch(pattern) is not None


def _is_time(layout: Layout, path: str) -> bool:
    attribute = layout.attribute(path)
    return attribute is not None and isinstance(attribute.type, Scalar) and attribute.type.kind in _TIMES
