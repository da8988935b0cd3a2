"""MDB041: many transactions change the same document.

https://www.mongodb.com/docs/manual/core/transactions-production-consideration/ (2026-11-23) contains no number; the
default is ours.
"""

from collections.abc import Iterator
from math import prod

from keywright.access.selectivity import values_of
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import expected, identity
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.text import figure

_DAY = "[0-9]{4}-[0-9]{2}"


def models(context: RuleContext, *, max_rate: float = 10) -> Iterator[FindingDraft]:
    """Every transaction that changes one document more often, by `hot_key=` or by the number of documents.

    max_rate: transactions per second that may change one document.
    """
    for plan in context.plans:
        pattern, traffic = plan.pattern, plan.pattern.load
        if pattern.kind != "transact" or plan.binding.engine != "mongodb":
            continue
        for part in plan.parts:
            if part.pattern.kind not in ("update", "increment"):
                continue
            count, rate = _documents(part.binding), traffic.per_second
            average = rate * part.pattern.batch / count if rate is not None and count else None
            highest = max((each for each in (average, traffic.hot_key_per_second) if each is not None), default=0)
            if highest > max_rate:
                yield FindingDraft(
                    problem=f"{figure(highest)} transactions a second change one document of {part.binding.name}, "
                    f"{max_rate:g} are a good bound: they conflict on it and abort",
                    help=f"change {part.binding.name} after the transaction by a single kw.Increment, or spread the "
                    "number over several documents that readers add up",
                    subject=pattern.name,
                    at=pattern.at,
                )
                break


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
