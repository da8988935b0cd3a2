"""RED036: a sliding window stores each of many thousands of calls."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.ir.text import counted

from ..access.size import sorted_set_memory
from ..findings.servers import entities

_MEMBER_BYTES, _SCORE_BYTES = 24, 20
"""Bytes of a member, a time and a unique suffix, and of its score."""


def models(context: RuleContext, *, max_limit: int = 10_000) -> Iterator[FindingDraft]:
    """Sliding windows with a higher limit.

    max_limit: calls that a sliding window may allow.
    """
    for _, binding, layout in entities(context):
        limit = layout.structure.limit
        if layout.structure.window != "sliding" or limit is None or limit <= max_limit:
            continue
        size = sorted_set_memory(limit, _MEMBER_BYTES, _SCORE_BYTES, is_embedded=layout.has_embedded_members)
        yield FindingDraft(
            problem=f"a sliding window stores each of {counted(limit, 'call', spec=',')}, "
            f"{counted(max_limit, 'is allowed', 'are allowed', spec=',')}: each key grows to "
            f"about {size / 2**20:,.1f} MiB",
            help='set window="bucket" or "fixed", which count in one number; or a lower limit for a shorter per=',
            subject=binding.name,
            fix=None if layout.member else Fix((SetArgument("window", '"fixed"'),)),
        )
