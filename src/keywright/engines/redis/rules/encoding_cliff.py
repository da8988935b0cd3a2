"""RED107: a bound just above that of the compact encoding, so that each structure takes several times the memory."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

from ..access.memory import keys_of
from ..access.size import ELEMENT_BYTES, SORTED_SET_ENTRIES, template_bytes
from ..kept import Kept, entities


def models(whole: Whole, *, percent: int = 100, min_keys: int = 1_000) -> Iterator[Flaw]:
    """Every sorted set whose bound is a little above the last compact one, where there are many.

    percent: how much above it counts as a little. min_keys: how many keys there must be for it to matter.
    """
    for server, binding, known in entities(whole):
        entries = _setting(server, "entries", SORTED_SET_ENTRIES)
        kept, keys = known.structure.kept, keys_of(known)
        if known.kind != "sorted set" or kept is None or keys is None or keys < min_keys or known.member is None:
            continue
        length = template_bytes(known.member, known)
        is_short = length.high is not None and length.high <= _setting(server, "value", ELEMENT_BYTES)
        if is_short and entries < kept <= entries * (1 + percent / 100):
            yield Flaw(
                problem=f"{kept} members are kept, and a set of more than {entries} is no compact block any more: it "
                "takes several times the memory",
                help=f'say max_length={entries}, or settings={{"zset-max-listpack-entries": {kept}}} on the server',
                subject=binding.name,
            )


def _setting(server: Kept, what: str, default: int) -> int:
    told = server.settings.get(f"zset-max-listpack-{what}") or server.settings.get(f"zset-max-ziplist-{what}")
    return int(told) if told else default
