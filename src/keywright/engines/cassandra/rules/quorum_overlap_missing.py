"""CAS016: a write waits for so few copies that a consistent read may read only other copies.

https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.rates import calls
from keywright.ir.text import counted

from ..access.calls import Level, Select
from ..findings.tables import entities
from ..schema.target import KeyspaceTarget

_WRITES = ("put", "update", "increment", "delete")


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every write of an entity that a pattern reads consistently, if the two can use different copies."""
    for target, binding, _ in entities(context):
        reads: list[tuple[str, Level]] = [
            (plan.pattern.name, call.level)
            for plan, _ in calls(context, binding, "get", "read", "count")
            if plan.pattern.consistency != "eventual"
            and isinstance(plan.path, AccessPath) and isinstance(call := plan.path.call, Select)
        ]  # fmt: skip
        for plan in context.plans_of(binding):
            kinds = {part.pattern.kind for part in plan.parts or (plan,) if part.binding.name == binding.name}
            if kinds.isdisjoint(_WRITES) or not isinstance(plan.path, AccessPath):
                continue
            write: Level = getattr(plan.path.call, "level")  # noqa: B009  # every write has one
            unmatched = next((read for read in reads if not _overlap(target.placed, read[1], write)), None)
            if unmatched is not None:
                name, read = unmatched
                fix = Fix((SetArgument("consistency", '"strong"'),), is_safe=True)
                yield FindingDraft(
                    problem=f'it waits for {write}, and "{name}" asks {read}: {_counts(target.placed, read, write)}',
                    help='say consistency="strong", or leave it out: then both ask LOCAL_QUORUM, and meet in one copy',
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                    fix=None if plan.parts else fix,
                )


def _factors(keyspace: KeyspaceTarget) -> list[int]:
    """Copies of a row in each data centre."""
    replication = dict(keyspace.placement.replication) if keyspace.placement else {}
    return [int(copies) for copies in replication.values() if copies.isdigit()]


def _contacted(level: Level, copies: int) -> int:
    return 1 if level == "LOCAL_ONE" else copies // 2 + 1


def _overlap(keyspace: KeyspaceTarget, read: Level, write: Level) -> bool:
    return all(_contacted(read, copies) + _contacted(write, copies) > copies for copies in _factors(keyspace))


def _counts(keyspace: KeyspaceTarget, read: Level, write: Level) -> str:
    copies = next(
        factor for factor in _factors(keyspace) if _contacted(read, factor) + _contacted(write, factor) <= factor
    )
    return f"{_contacted(write, copies)} and {_contacted(read, copies)} of {counted(copies, 'copy', 'copies')}"
