"""RED011: one key holds so much that reading, moving or deleting it keeps all others waiting."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.ir.binding import Binding

from ..access.held import Held
from ..access.memory import elements_of, keys_of
from ..access.size import item_bytes
from ..capabilities import VALUE_BYTES
from ..kept import entities

_COLLECTIONS = ("list", "set", "sorted set", "geo")
_SINGLE = ("string", "cache", "counter", "hash")


def models(whole: Whole, *, max_kb: int = 1_024, max_elements: int = 10_000) -> Iterator[Flaw]:
    """Every value that is usually larger, or may be larger than possible, and every collection that has no bound.

    max_kb: kibibytes that a value should have. max_elements: elements that a collection should have whose bound nobody
    has chosen.
    """
    for _, binding, known in entities(whole):
        size = item_bytes(known)
        if size.expected is not None and size.expected > max_kb * 2**10:
            yield _of(binding, f"a value takes about {size.expected / 2**10:,.0f} KiB, {max_kb:,} are allowed")
        elif size.high is not None and size.high > VALUE_BYTES.value:
            most, possible = size.high / 2**20, VALUE_BYTES.value // 2**20
            yield _of(binding, f"a value may take {most:,.0f} MiB, {possible:,} are possible")
        elif (problem := _endless(known, binding, max_elements)) is not None:
            yield _of(binding, problem)


def live(seen: Seen, *, max_kb: int = 1_024, max_elements: int = 10_000) -> Iterator[Flaw]:
    """Every entity of which a key takes more memory, or holds more elements where nobody has chosen a bound."""
    structures = {one.entity: one for one in seen.target.placed.structures}
    for binding, items in seen.items():
        one, largest, longest = structures[binding.name], max(items.bytes, default=0), max(items.lengths, default=0)
        if one.kind in _SINGLE and largest > max_kb * 2**10:
            yield _of(binding, f"the largest {items.sample} takes {largest / 2**10:,.0f} KiB, {max_kb:,} are allowed")
        elif one.kind in (*_COLLECTIONS, "hash") and one.kept is None and longest > max_elements:
            yield _of(binding, f"the longest {items.sample} holds {longest:,} elements, {max_elements:,} are allowed")


def _endless(known: Held, binding: Binding, max_elements: int) -> str | None:
    """Why a collection has too many elements; None where it has not, or nobody knows."""
    if known.kind not in _COLLECTIONS or known.structure.kept is not None:
        return None
    elements = elements_of(known, binding)
    if elements is not None:
        many = f"a key comes to hold {elements:,.0f} elements, {max_elements:,} are allowed without a bound"
        return many if elements > max_elements else None
    if keys_of(known) == 1:
        return f'all elements are under one key, "{known.key.text}", and {max_elements:,} are allowed without a bound'
    return None


def _of(binding: Binding, problem: str) -> Flaw:
    return Flaw(
        problem=problem,
        help="split it by another field in key=, or say max_length=; where there are few, say how many by expected=",
        subject=binding.name,
    )
