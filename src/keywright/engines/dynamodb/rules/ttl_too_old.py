"""DDB112: items are brought in whose expiry is so long ago that they are never deleted."""

from collections.abc import Iterator

from keywright.engines.dynamodb.capabilities import TTL_PAST_SECONDS
from keywright.engines.dynamodb.keys import item_of
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen


def models(whole: Whole) -> Iterator[Flaw]:
    """Every entity that expires, and is being moved from another database with its past."""
    for binding in whole.bindings("dynamodb"):
        cut_over, field = item_of(binding).cut_over, binding.entity.ttl
        if cut_over is not None and field is not None:
            years = TTL_PAST_SECONDS.value // (365 * 86_400)
            yield Flaw(
                problem=f"it is moved from {cut_over.source}, and what expired by "
                f'"{field.name}" more than {years} years ago is never deleted',
                help="leave out of the copy what has expired, and accept this by ignores= with that as the reason",
                subject=binding.name,
                field=field.name,
            )


def live(seen: Seen) -> Iterator[Flaw]:
    """Every entity of which sampled items have expired so long ago."""
    for binding, items in seen.items():
        if count := items.expiries.get("past", 0):
            years = TTL_PAST_SECONDS.value // (365 * 86_400)
            yield Flaw(
                problem=f"{items.sample.of(count)} expired more than {years} years ago, and are never deleted",
                help="delete them, or give them a later time by a backfill",
                subject=binding.name,
                field=binding.entity.ttl.name if binding.entity.ttl else "",
            )
