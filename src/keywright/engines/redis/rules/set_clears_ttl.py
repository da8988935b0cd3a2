"""RED102: an update writes a value anew, which ends the expiry of its key."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.rates import calls

from ..access.calls import Change
from ..access.written import commands_of
from ..kept import entities

_KEEPS = frozenset(("EX", "PX", "EXAT", "PXAT", "KEEPTTL"))


def models(whole: Whole) -> Iterator[Flaw]:
    """Every update of a key that expires which sends SET and nothing that sets the expiry again."""
    for _, binding, known in entities(whole):
        if known.structure.expires_at is None and known.structure.ttl_seconds is None:
            continue
        for plan, _ in calls(whole, binding, "update"):
            call = getattr(plan.path, "call", None)
            if not isinstance(call, Change):
                continue
            commands = commands_of(call)
            clears = any(words[0] == "SET" and _KEEPS.isdisjoint(words) for words in commands)
            if clears and not any(words[0].startswith("EXPIRE") for words in commands):
                yield Flaw(
                    problem=f'it sets "{known.value}" by SET, which ends the expiry by "{known.structure.expires_at}"',
                    help="put the whole item instead, keep it in a kw.RedisHash(...), or let it expire by ttl=",
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )
