"""GEN008: what is of passing value never goes, and nobody said that it shall stay."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen

_WORDS = ("ttl", "per", "keep")
"""Options of stores that let things go."""


def models(
    whole: Whole, *, temporal: tuple[str, ...] = ("session", "cache", "event", "reading", "token")
) -> Iterator[Flaw]:
    """Every entity of such a kind without an end.

    temporal: kinds of entities that are of passing value.
    """
    for binding in whole.design.bindings:
        spec = binding.spec
        kind = getattr(spec, "kind", "record")
        if kind not in temporal or binding.entity.ttl is not None or getattr(spec, "keep_forever", None):
            continue
        if not any(getattr(spec, word, None) for word in _WORDS):
            by_option = "say ttl=timedelta(...)" if hasattr(spec, "ttl") else "mark a datetime by kw.Ttl()"
            yield Flaw(
                problem=f'it is of kind "{kind}", and never expires',
                help=f'{by_option}; or say why it stays, by keep_forever="..."',
                subject=binding.name,
            )


def live(
    seen: Seen, *, temporal: tuple[str, ...] = ("session", "cache", "event", "reading", "token")
) -> Iterator[Flaw]:
    """Every entity of which items have no time of expiry though it is of such a kind, or one that the server does not
    take for a time; DDB024 tells the latter of DynamoDB.
    """
    if seen.target.engine == "redis":
        return  # there RED004 tells
    for binding, items in seen.items():
        if binding.entity.ttl is None:
            continue
        kept = items.expiries.get("missing", 0) if getattr(binding.spec, "kind", "record") in temporal else 0
        if seen.target.engine == "mongodb":
            kept += sum(items.expiries.get(one, 0) for one in ("number", "text", "other"))
        if kept:
            yield Flaw(
                problem=f'{items.sample.of(kept)} hold no time in "{binding.entity.ttl.name}", and never expire',
                help="find out who writes them, and give them a time by a backfill",
                subject=binding.name,
                field=binding.entity.ttl.name,
            )
