"""RED039: nearly every read of a cache misses, because each request has a key of its own."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import items_per_second
from keywright.ir.attribute import Scalar
from keywright.ir.text import counted

from ..access.layout import Layout
from ..declare.options import RedisCache
from ..findings.copies import is_copy
from ..findings.servers import entities

_REQUEST = re.compile(
    r"(?:^|_)(?:(?:request|req|trace|correlation|call|span)_?(?:id|uuid|no)|nonce|timestamp|epoch(?:_ms|_s)?|now)$"
)
"""Names of fields that differ in each request."""
_TRACE = re.compile(r"(?:^|_)(?:(?:trace|correlation|span)_?(?:id|uuid|no)|nonce)$")
"""Those of them by which nothing is ever read again, whatever the declared rates."""
_ADDRESS = re.compile(r"(?:^|_)(?:ur[li]|path|slug)$")
"""Names of texts that identify something, however long they are."""
_LONGEST = 1_000
"""Length up to which a text is a phrase."""
_COARSE = frozenset(("date", "month", "week", "hour", "shard"))


def models(context: RuleContext, *, min_hits_percent: int = 20, min_entered: int = 100) -> Iterator[FindingDraft]:
    """Caches that are filled nearly as often as they are read, and caches whose key has a time to the microsecond, the
    id of a trace, or a text as users enter it.

    min_hits_percent: percent of reads that a cache must answer. min_entered: length from which a text without a
    pattern or a number of values is one that users enter.
    """
    elsewhere = {binding.entity.name for binding in context.design.bindings if binding.engine != "redis"}
    for server, binding, layout in entities(context):
        if not is_copy(binding) and (server.spec.role != "cache" or layout.kind != "string"):
            continue
        fills, reads = items_per_second(context, binding, "put"), items_per_second(context, binding, "get")
        instant = _instant(layout)
        is_filled = (
            isinstance(binding.spec, RedisCache) or server.spec.role == "cache"
        )  # others are written by the source
        if is_filled and fills and reads and fills > reads * (1 - min_hits_percent / 100):
            problem = (
                f'"{layout.key.text}" is filled {counted(fills, "time", spec=",.0f")} and read '
                f"{counted(reads, 'time', spec=',.0f')} a second: at most "
                f"{max(0.0, 1 - fills / reads):.0%} of reads hit, {min_hits_percent} % are recommended"
            )
        elif (name := _of_request(layout)) and (not fills or _TRACE.search(name)):
            problem = f'its key contains "{name}", of which each request has its own: nearly no read hits'
        elif instant:
            problem = f'its key contains the time "{instant}" in full: nearly every request has a key of its own'
        elif binding.entity.name not in elsewhere and (entered := _entered(layout, min_entered)):
            problem = f'its key contains "{entered}", a text of any content: nearly every request has a key of its own'
        else:
            continue
        yield FindingDraft(
            problem=problem,
            help="leave fields that differ in each request out of key=, and round times; or remove the cache",
            subject=binding.name,
        )


def _of_request(layout: Layout) -> str:
    """The field by its name that differs in each request; empty if there is none."""
    paths = (placeholder.path for placeholder in layout.key.placeholders if not placeholder.filters)
    return next((path for path in paths if _REQUEST.search(path)), "")


def _entered(layout: Layout, least: int) -> str:
    """The field with a long text without a form or a number of values; empty if there is none.

    RED037 reports texts that make the whole key too long.
    """
    for placeholder in layout.key.placeholders:
        attribute = layout.attribute(placeholder.path)
        kind = attribute.type if attribute is not None and not placeholder.filters else None
        if not isinstance(kind, Scalar) or kind.kind != "string" or kind.pattern or kind.constants:
            continue
        if _ADDRESS.search(placeholder.path):
            continue
        facts, longest = kind.facts, kind.max_length or kind.facts.max_bytes or 0
        if least <= longest <= _LONGEST and facts.distinct is None and facts.reference is None:
            return placeholder.path
    return ""


def _instant(layout: Layout) -> str:
    """The field with a time that the key does not round; empty if there is none."""
    for placeholder in layout.key.placeholders:
        attribute = layout.attribute(placeholder.path)
        kind = attribute.type.kind if attribute is not None and isinstance(attribute.type, Scalar) else ""
        if kind == "datetime" and not any(filter.name in _COARSE for filter in placeholder.filters):
            return placeholder.path
    return ""
