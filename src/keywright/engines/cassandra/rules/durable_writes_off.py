"""CAS019: a keyspace of lasting data skips the commit log, so that a crash loses its last writes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment

_FLEETING = ("cache", "session")


def models(context: RuleContext, *, fleeting: tuple[str, ...] = _FLEETING) -> Iterator[FindingDraft]:
    """Every such keyspace with an entity of another kind.

    fleeting: kinds of entities whose last writes may be lost.
    """
    for target in context.of("cassandra"):
        lasting = [
            binding.name
            for binding in context.bindings("cassandra")
            if binding.physical.name == target.declared.name and binding.spec.kind not in fleeting
        ]
        if _is_off(target) and lasting:
            yield _draft(target, f'"{lasting[0]}"')


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every such keyspace whose entities are unknown."""
    if _is_off(target) and not target.placed.shape:
        yield _draft(target, "its tables")


def _is_off(target: TargetInEnvironment) -> bool:
    placement = target.placed.placement
    return placement is not None and placement.durable_writes is False


def _draft(target: TargetInEnvironment, lost: str) -> FindingDraft:
    return FindingDraft(
        problem=f'keyspace "{target.declared.name}" has durable writes off: a crash of the nodes loses the writes of '
        f"{lost} that are only in memory",
        help="remove durable-writes: false from the stack file",
        subject=target.declared.name,
        at=target.setting("durable-writes"),
    )
