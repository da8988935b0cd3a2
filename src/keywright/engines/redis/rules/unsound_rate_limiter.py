"""RED012: a limiter counts calls of one moment once, or never lets a busy caller in again."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.ir.attribute import Scalar

from ..access.held import Held
from ..kept import entities

_NO_MEMBER = Fix((SetArgument("member", "None"),), is_safe=True)
_TIMES = ("datetime", "date", "time")


def models(whole: Whole) -> Iterator[Flaw]:
    """Every sliding window whose members need not differ, and every counter that stands in for a limiter."""
    for server, binding, known in entities(whole):
        is_limiter = server.spec.role == "limiter"
        if known.kind == "rate limit" or (known.kind == "sorted set" and is_limiter):
            if known.member is not None and not _is_unique(known):
                said = known.kind == "rate limit"
                yield Flaw(
                    problem=f'calls are counted by "{known.member.text}", which two calls of one moment share: they '
                    "count as one",
                    help="leave out member= and what it alone needs: each call then has its time and a word of its own"
                    if said
                    else 'store it as kw.RedisRateLimit(..., window="sliding")',
                    subject=binding.name,
                    fix=_NO_MEMBER if said and _is_told(known) else None,
                )
        elif known.kind == "counter" and is_limiter and known.structure.ttl_seconds and not _has_window(known):
            yield Flaw(
                problem="every call sets the time to live of its counter again, so that a busy caller is never let in "
                "again",
                help='store it as kw.RedisRateLimit(..., window="fixed"), which counts each window by itself',
                subject=binding.name,
            )


def _is_told(known: Held) -> bool:
    """Whether the key tells all that a member does, so that nothing is lost without it."""
    in_key = {one.path for one in known.key.placeholders}
    return known.member is not None and all(one.path in in_key for one in known.member.placeholders)


def _is_unique(known: Held) -> bool:
    """Whether some part of a member is neither a time nor a part of the key."""
    in_key = {one.path for one in known.key.placeholders}
    parts = known.member.placeholders if known.member else ()
    return any(one.path not in in_key and not _is_time(known, one.path) for one in parts)


def _has_window(known: Held) -> bool:
    return any(_is_time(known, one.path) for one in known.key.placeholders)


def _is_time(known: Held, path: str) -> bool:
    found = known.attribute(path)
    return found is not None and isinstance(found.type, Scalar) and found.type.kind in _TIMES
