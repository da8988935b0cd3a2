"""Changes of one document per second."""

from math import prod

from keywright.access.selectivity import values_of
from keywright.engines.findings.pattern_facts import expected, identity
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Traffic

MOST_CONFLICTING: float = 10
"""Default of the transactions per second that may change one document."""

_DAY = "[0-9]{4}-[0-9]{2}"


def changes_of_one(binding: Binding[AnyCollection], traffic: Traffic, batch: int) -> float:
    """Changes of one document per second, on average or of the hottest key; 0 if unknown."""
    count, rate = _documents(binding), traffic.per_second
    average = rate * batch / count if rate is not None and count else 0.0
    return max(average, traffic.hot_key_per_second or 0.0)


def _documents(binding: Binding[AnyCollection]) -> float | None:
    """The documents that share the writes of one time; None if unknown."""
    attributes, keys = binding.entity.attributes, identity(binding)
    others = [name for name in keys if not _is_time(binding, name)]
    if len(others) == len(keys):
        return expected(binding)
    counts = [values_of(attributes, name) for name in others]
    exact_counts = [count for count in counts if count is not None]
    return prod(exact_counts) if len(exact_counts) == len(counts) else None


def _is_time(binding: Binding[AnyCollection], name: str) -> bool:
    """Whether a key field is a time, or a text such as 2026-11-23 by its pattern."""
    resolved = resolve(binding.entity.attributes, name)
    kind = resolved[-1].type if resolved else None
    return isinstance(kind, Scalar) and (kind.kind in ("date", "datetime") or _DAY in (kind.pattern or ""))
