"""RED041: a frequent read returns all fields of a large hash or JSON document."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.text import counted

from ..access.wire import value_bytes
from ..findings.load import highest
from ..findings.servers import entities

_WHOLE = {"hash": ("hash", "HMGET"), "json": ("JSON document", "JSON.GET")}
"""Structures whose fields can be read alone, and the command that does."""


def models(context: RuleContext, *, min_bytes: int = 2_048, max_mb: int = 10) -> Iterator[FindingDraft]:
    """Reads of all fields of a large hash or JSON document with much traffic.

    min_bytes: typical bytes of a large one. max_mb: mebibytes per second that such reads may return at their peak.
    """
    for _, binding, layout in entities(context):
        sizes = (value_bytes(attribute.type, attribute.name).expected for attribute in layout.stored)
        size = sum(size for size in sizes if size is not None)
        if layout.kind not in _WHOLE or size < min_bytes:
            continue
        for plan, _ in calls(context, binding, "get"):
            pattern, traffic = plan.pattern, highest(plan.pattern) * size / 2**20
            if not pattern.fields and traffic > max_mb:
                yield FindingDraft(
                    problem=f"it reads all {counted(len(layout.stored), 'field')} of a {_WHOLE[layout.kind][0]}, "
                    f"{counted(size, 'byte', spec=',.0f')}, up to {counted(highest(pattern), 'time', spec=',.0f')} a "
                    f"second: {traffic:,.0f} MiB a second, {counted(max_mb, 'is recommended', 'are recommended')}",
                    help=f"name the fields that it needs by fields=; {_WHOLE[layout.kind][1]} then reads these alone",
                    subject=pattern.name,
                    at=pattern.at,
                )
