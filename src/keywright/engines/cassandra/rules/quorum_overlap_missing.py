"""CAS016: a write waits for so few copies that a read which must see it may ask others.

https://cassandra.apache.org/doc/latest/cassandra/architecture/dynamo.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.engines.flaws.rates import calls

from ..access.calls import Level, Select
from ..tables import entities
from ..target import KeyspaceTarget

_WRITES = ("put", "update", "increment", "delete")


def models(whole: Whole) -> Iterator[Flaw]:
    """Every write of an entity that some pattern reads freshly, where the two need not meet in a copy."""
    for target, binding, _ in entities(whole):
        fresh: list[tuple[str, Level]] = [
            (plan.pattern.name, call.level)
            for plan, _ in calls(whole, binding, "get", "read", "count")
            if plan.pattern.consistency != "eventual"
            and isinstance(plan.path, AccessPath) and isinstance(call := plan.path.call, Select)
        ]  # fmt: skip
        for plan in whole.plans:
            kinds = {part.pattern.kind for part in plan.parts or (plan,) if part.binding.name == binding.name}
            if kinds.isdisjoint(_WRITES) or not isinstance(plan.path, AccessPath):
                continue
            write: Level = getattr(plan.path.call, "level")  # noqa: B009  # every write has one
            missed = next((one for one in fresh if not _meet(target.placed, one[1], write)), None)
            if missed is not None:
                name, read = missed
                fix = Fix((SetArgument("consistency", '"strong"'),), is_safe=True)
                yield Flaw(
                    problem=f'it waits for {write}, and "{name}" asks {read}: {_told(target.placed, read, write)}',
                    help='say consistency="strong", or leave it out: then both ask LOCAL_QUORUM, and meet in one copy',
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                    fix=None if plan.parts else fix,
                )


def _factors(keyspace: KeyspaceTarget) -> list[int]:
    """Copies of a row in each data centre."""
    told = dict(keyspace.placement.replication) if keyspace.placement else {}
    return [int(copies) for copies in told.values() if copies.isdigit()]


def _asked(level: Level, copies: int) -> int:
    return 1 if level == "LOCAL_ONE" else copies // 2 + 1


def _meet(keyspace: KeyspaceTarget, read: Level, write: Level) -> bool:
    return all(_asked(read, copies) + _asked(write, copies) > copies for copies in _factors(keyspace))


def _told(keyspace: KeyspaceTarget, read: Level, write: Level) -> str:
    copies = next(one for one in _factors(keyspace) if _asked(read, one) + _asked(write, one) <= one)
    return f"{_asked(write, copies)} and {_asked(read, copies)} of {copies} copies"
