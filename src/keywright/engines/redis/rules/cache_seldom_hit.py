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
_COARSE = frozenset(("date", "month", "week", "hour", "shard"))


def models(context: RuleContext, *, min_hits_percent: int = 20) -> Iterator[FindingDraft]:
    """Caches that are filled nearly as often as they are read, and caches with a time to the microsecond in the key.

    min_hits_percent: percent of reads that a cache must answer.
    """
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
        elif (name := _of_request(layout)) and not fills:
            problem = f'its key contains "{name}", of which each request has its own: nearly no read hits'
        elif instant:
            problem = f'its key contains the time "{instant}" in full: nearly every request has a key of its own'
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


def _instant(layout: Layout) -> str:
    """The field with a time that the key does not round; empty if there is none."""
    for placeholder in layout.key.placeholders:
        attribute = layout.attribute(placeholder.path)
        kind = attribute.type.kind if attribute is not None and isinstance(attribute.type, Scalar) else ""
        if kind == "datetime" and not any(filter.name in _COARSE for filter in placeholder.filters):
            return placeholder.path
    return ""
