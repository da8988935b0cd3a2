"""RED004: keys of a cache, of sessions or of a limiter never expire, and nobody said that they shall not."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen

from ..kept import endless
from ..layout import VALUE_KINDS


def models(whole: Whole) -> Iterator[Flaw]:
    """Every entity with such keys."""
    for binding in whole.bindings("redis"):
        role = getattr(binding.physical.spec, "role", "")
        if role not in ("cache", "sessions", "limiter") or getattr(binding.spec, "keep_forever", None):
            continue
        if not any(getattr(binding.spec, word, None) for word in ("ttl", "per", "keep")) and binding.entity.ttl is None:
            yield Flaw(
                problem=f'its keys never expire, on server "{binding.physical.name}" in the role of {role}',
                help='say ttl=timedelta(...); or why not, by keep_forever="..."',
                subject=binding.name,
            )


def live(seen: Seen) -> Iterator[Flaw]:
    """Every entity of which keys never expire though they should."""
    for one, kept in endless(seen):
        if one.kind not in VALUE_KINDS:  # those had one, says RED102
            yield Flaw(
                problem=f"{kept} never expire, and all should",
                help="find out who writes them past keywright, and give those that are there an expiry by EXPIRE",
                subject=one.entity,
            )
