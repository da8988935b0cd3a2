"""RED063: jobs are taken from a list, which loses those of a worker that crashes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls

from ..findings.endless_keys import JOBS, has_word
from ..findings.servers import entities


def models(
    context: RuleContext, *, kinds: tuple[str, ...] = ("queue", "event", "money", "stock")
) -> Iterator[FindingDraft]:
    """Report every take from a list with jobs that must not be lost; a list with a time to live may lose them.

    kinds: kinds of entities whose elements must not be lost; so are those of every list on a server in the role of
    queue, and of lists of jobs by their name on one in the role of primary.
    """
    for server, binding, layout in entities(context):
        is_queue = binding.spec.kind in kinds or server.spec.role == "queue"
        is_named = server.spec.role == "primary" and has_word(JOBS, binding.name, layout.key.text)
        if layout.kind != "list" or layout.structure.ttl_seconds or not (is_queue or is_named):
            continue
        for plan, _ in calls(context, binding, "take"):
            yield FindingDraft(
                problem=f'a job leaves the list of "{binding.name}" when it is taken, so that it is lost if the worker '
                "crashes before it has finished",
                help="store it as kw.RedisStream(..., groups=[...]), and take it by a consumer group, which "
                "acknowledges each entry",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
