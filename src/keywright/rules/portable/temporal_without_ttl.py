"""GEN008: what is of passing value never goes, and nobody said that it shall stay."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

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
