"""RED011: one key contains so much data that reading, moving or deleting it blocks all other commands."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..access.layout import Layout
from ..access.memory import elements_of, keys_of
from ..access.wire import item_bytes
from ..declare.options import Structure
from ..findings.growth import has_end
from ..findings.servers import entities, expires
from ..schema.capabilities import VALUE_BYTES

_COLLECTIONS = ("list", "set", "sorted set", "geo")
_BOUND = 100
"""The multiple of the elements without a bound that a declared bound may allow, or expected= of a key that ends."""
_ROOM = 8
"""The multiple of the allowed bytes that a value without a declared average may take."""
_SINGLE = ("string", "cache", "counter", "hash", "json")


def models(context: RuleContext, *, max_kb: int = 1_024, max_elements: int = 10_000) -> Iterator[FindingDraft]:
    """Values whose expected size is too large or whose largest is impossible, and collections without a bound.

    max_kb: kibibytes that a value may have. max_elements: elements that a collection without a declared bound may
    have.
    """
    for _, binding, layout in entities(context):
        size = item_bytes(layout)
        if size.expected is not None and size.expected > max_kb * 2**10:
            yield _draft(
                binding,
                f"a value takes about {size.expected / 2**10:,.0f} KiB, "
                f"{counted(max_kb, 'is allowed', 'are allowed', spec=',')}",
            )
        elif size.high is not None and size.high > VALUE_BYTES.value:
            largest, possible = size.high / 2**20, VALUE_BYTES.value // 2**20
            yield _draft(
                binding,
                f"a value may take {largest:,.0f} MiB, {counted(possible, 'is possible', 'are possible', spec=',')}",
            )
        elif size.expected is None and size.high is not None and size.high > max_kb * 2**10 * _ROOM:
            yield _draft(
                binding,
                f"a value may take {size.high / 2**20:,.0f} MiB, "
                f"{counted(max_kb, 'KiB is allowed', 'KiB are allowed', spec=',')} on average",
            )
        elif (problem := _unbounded(layout, binding, max_elements, has_end(context, binding, layout))) is not None:
            yield _draft(binding, problem)


def live(live_target: LiveTarget, *, max_kb: int = 1_024, max_elements: int = 10_000) -> Iterator[FindingDraft]:
    """Entities with a key that uses more memory, or contains more elements without a declared bound."""
    structures = {structure.entity: structure for structure in live_target.target.placed.structures}
    for binding, items in live_target.items():
        structure, largest, max_length = (
            structures[binding.name],
            max(items.bytes, default=0),
            max(items.lengths, default=0),
        )
        if structure.kind in _SINGLE and largest > max_kb * 2**10:
            yield _draft(
                binding,
                f"the largest {items.sample} takes {largest / 2**10:,.0f} KiB, "
                f"{counted(max_kb, 'is allowed', 'are allowed', spec=',')}",
            )
        elif structure.kind in (*_COLLECTIONS, "hash") and structure.kept is None and max_length > max_elements:
            yield _draft(
                binding,
                f"the longest {items.sample} holds {counted(max_length, 'element', spec=',')}, "
                f"{counted(max_elements, 'is allowed', 'are allowed', spec=',')}",
            )


def _unbounded(layout: Layout, binding: Binding[Structure], max_elements: int, is_ending: bool) -> str | None:
    """The problem of a collection with too many elements; None if there is none, or if their number is unknown."""
    kept = layout.structure.kept
    if layout.kind in ("list", "sorted set") and kept is not None and kept > max_elements * _BOUND:
        return f"max_length={kept:_} hardly bounds it: a key of at most {max_elements * _BOUND:,} is recommended"
    if layout.kind not in _COLLECTIONS or kept is not None:
        return None
    elements = elements_of(layout, binding)
    allowed = max_elements * _BOUND if is_ending and elements is not None else max_elements
    elements = elements or _members(layout)
    if elements is not None:
        problem = (
            f"a key comes to hold {counted(elements, 'element', spec=',.0f')}, "
            f"{counted(allowed, 'is allowed', 'are allowed', spec=',')} without a bound"
        )
        return problem if elements > allowed else None
    if keys_of(layout) == 1:
        return (
            f'all elements are under one key, "{layout.key.text}", and '
            f"{counted(max_elements, 'is allowed', 'are allowed', spec=',')} without a bound"
        )
    return None


def _members(layout: Layout) -> float | None:
    """Members under one key, from the distinct values of their only field, if each is under one of several keys."""
    keys, parts = keys_of(layout), layout.member.placeholders if layout.member else ()
    attribute = layout.attribute(parts[0].path) if len(parts) == 1 else None
    kind = attribute.type if attribute is not None else None
    distinct = kind.facts.distinct if isinstance(kind, Scalar) else None
    is_lasting = not expires(layout.structure)
    return distinct / keys if distinct and keys and keys > 1 and is_lasting else None


def _draft(binding: Binding[Structure], problem: str) -> FindingDraft:
    return FindingDraft(
        problem=problem,
        help="split it by another field in key=, or say max_length=; where there are few, say how many by expected=",
        subject=binding.name,
    )
