"""GEN018: most reads of a big entity need a small share of it, and the store reads all of it each time."""

from collections.abc import Iterator

from keywright.engines.flaws.asked import reads
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.holding import Holding
from keywright.errors import quoted
from keywright.ir.pattern import Pattern


def models(whole: Whole, *, min_share: int = 20, big_bytes: int = 4096) -> Iterator[Flaw]:
    """Every such pattern that is called more often than all that need more of the entity.

    min_share: percent of the bytes that should be needed. big_bytes: usual bytes from which on an entity is big.
    """
    found = reads(whole.design)
    for binding in whole.design.bindings:
        asked = [one for one in found[binding.name] if one.kind in ("get", "read")]
        held = whole.holding(binding) if any(one.fields for one in asked) else None
        if held is None or held.item.expected is None or held.item.expected < big_bytes:
            continue
        small = [one for one in asked if (share := _share(held, one)) is not None and share * 100 < min_share]
        others = sum(one.load.per_second or 0 for one in asked if one not in small)
        for pattern in small:
            if (pattern.load.per_second or 0) > others:
                yield Flaw(
                    problem=f"it needs {_share(held, pattern) or 0:.0%} of the {held.item.expected:.0f} bytes of a "
                    f'{held.noun} of "{binding.name}", as most that read it; {min_share} % are a good bound',
                    help=f"keep {quoted(pattern.fields)} in an entity of their own, or the rest",
                    subject=pattern.name,
                    at=pattern.at,
                )


def _share(held: Holding, pattern: Pattern) -> float | None:
    """The share of an item that a pattern needs; None where it needs all, or nobody knows."""
    names = {path.partition(".")[0] for path in pattern.fields}
    sizes = [held.fields[name].expected if name in held.fields else None for name in names]
    known = [size for size in sizes if size is not None]
    if not names or len(known) < len(sizes) or not held.item.expected:
        return None
    return sum(known) / held.item.expected
