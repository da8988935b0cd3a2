"""RED009: another structure serves an access pattern better."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, NotServed
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.rates import calls
from keywright.ir.pattern import PatternKind

from ..access.calls import Remove
from ..findings.servers import entities
from ..migrate.counts import server_type

_SERVED_BY: dict[PatternKind, tuple[tuple[str, ...], str]] = {
    "rank": (("sorted set",), "kw.RedisSortedSet, which knows the place of each member"),
    "rank_around": (("sorted set",), "kw.RedisSortedSet, which knows the place of each member"),
    "take": (("list", "stream", "rate limit"), "kw.RedisList or kw.RedisStream, from which one takes what is next"),
}
"""Structures that serve a kind of pattern, and the recommended one."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Patterns that another structure would serve better, and declared queues in a structure that is no queue."""
    for _, binding, layout in entities(context):
        if binding.spec.kind == "queue" and layout.kind not in ("list", "stream", "sorted set"):
            yield FindingDraft(
                problem=f"it is a queue, and kept as a {layout.kind}, from which nobody takes what is next",
                help="store it as kw.RedisStream(...), or as kw.RedisList(...) where losing one is not bad",
                subject=binding.name,
            )
        for kind, (structures, better) in _SERVED_BY.items():
            for plan, _ in calls(context, binding, kind):
                if isinstance(plan.path, NotServed) and plan.pattern.unserved is None and layout.kind not in structures:
                    yield FindingDraft(
                        problem=f'"{binding.name}" is a {layout.kind}, which is not made for it',
                        help=f"store it as {better}",
                        subject=plan.pattern.name,
                        at=plan.pattern.at,
                    )
        for plan, _ in calls(context, binding, "increment"):
            is_number = layout.value is not None or len(layout.stored) == 1
            if layout.kind == "string" and is_number and plan.pattern.unserved is None:
                yield FindingDraft(
                    problem=f'it adds to "{plan.pattern.field}", and "{binding.name}" is a text',
                    help=f'store it as kw.RedisCounter(..., value="{plan.pattern.field}")',
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )
        for plan, _ in calls(context, binding, "delete"):
            call = plan.path.call if isinstance(plan.path, AccessPath) else None
            if layout.kind == "list" and isinstance(call, Remove) and call.element:
                yield FindingDraft(
                    problem=f'it looks for an element, and "{binding.name}" is a list, which is walked from its end',
                    help="store it as kw.RedisSet(...), or as kw.RedisSortedSet(...) where order counts",
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Entities with keys of another type than their structure."""
    structures = {structure.entity: structure for structure in live_target.target.placed.structures}
    for binding, items in live_target.items():
        structure = structures[binding.name]
        native = server_type(structure)
        counts = {type: count for type, count in items.types.items() if type != native}
        if counts:
            text = ", ".join(f"{count:,} {type}{items.such_as('types', type)}" for type, count in counts.items())
            yield FindingDraft(
                problem=f"{items.sample.of(sum(counts.values()), 'is', 'are')} no {native}, as a {structure.kind} is, "
                f"but {text}: what its patterns send is refused with WRONGTYPE",
                help="find out who writes them; rename them away, or give its template a prefix of its own",
                subject=binding.name,
            )
