"""DDB062: transactions write the same item too often, and cancel each other."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import expected, identity
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted, figure


def models(context: RuleContext, *, per_second: float = 50) -> Iterator[FindingDraft]:
    """Report every transaction whose declared rate on one item is higher.

    per_second: transactions a second on one item.
    """
    for plan in context.plans:
        if plan.pattern.kind != "transact" or any(part.binding.engine != "dynamodb" for part in plan.parts):
            continue
        load = plan.pattern.load
        rates = {"": load.hot_key_per_second or 0.0}
        for part in plan.parts:
            items = 1 if _is_single(part.binding) else expected(part.binding)
            if part.pattern.kind in ("update", "increment") and items:
                rates[part.binding.name] = (load.peak_per_second or load.per_second or 0) / items
        name, rate = max(rates.items(), key=lambda row: row[1])
        if rate >= per_second:
            item = f"the same item of {name}" if name else "its busiest key"
            yield FindingDraft(
                problem=f"{figure(rate)} transactions a second write {item}, "
                f"{counted(per_second, 'is recommended', 'are recommended', spec=figure)}: "
                "they conflict, are cancelled and retried, each at double cost",
                help="leave the busy item out of the transaction, and update it from a stream or in shards",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def _is_single(binding: Binding[Any]) -> bool:
    """Whether all writes of a moment are to one item: its key contains nothing but constants and times.

    A random shard has no field, and divides the writes.
    """
    kinds = [binding.entity.attribute(name) for name in identity(binding)]
    is_sharded = any(
        placeholder.shards for template in binding.templates.values() for placeholder in template.placeholders
    )
    return not is_sharded and all(
        kind is not None and isinstance(kind.type, Scalar) and kind.type.kind in ("date", "datetime") for kind in kinds
    )
