"""RED061: a consumer group claims entries too early, or delivers a failing entry too often."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted, exact

from ..declare.options import RedisStream


def models(context: RuleContext, *, min_claim_seconds: float = 5, max_deliveries: int = 100) -> Iterator[FindingDraft]:
    """Report every group of a stream whose limits do not fit work that takes time or fails.

    min_claim_seconds: least time that an entry stays with its consumer. max_deliveries: most deliveries of an entry.
    """
    for binding in context.bindings("redis"):
        for group in binding.spec.groups if isinstance(binding.spec, RedisStream) else ():
            if group.claim_after < timedelta(seconds=min_claim_seconds):
                problem = (
                    f'group "{group.name}" claims entries after {exact(group.claim_after.total_seconds())} s, so that '
                    "a second consumer processes entries that the first is still working on"
                )
                help = "set claim_after= above the longest time in which an entry is processed"
            elif group.max_deliveries > max_deliveries:
                problem = (
                    f'group "{group.name}" delivers an entry up to '
                    f"{counted(group.max_deliveries, 'time', spec=',')}: entries that always "
                    "fail occupy its consumers, and others wait"
                )
                help = f"set max_deliveries= to {max_deliveries} or less, after which an entry goes to the dead letters"
            else:
                continue
            yield FindingDraft(problem=problem, help=help, subject=binding.name)
