"""Former generations of tables, which stay beside their successors until a model says that they go."""

from typing import Any

from keywright.ir.design import Design

from .options import DynamoTable


def keep(design: Design, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """See `Engine.keep`: each generation is a table of its own."""
    kept = dict(after)
    for physical in design.physicals:
        spec = physical.spec
        if isinstance(spec, DynamoTable) and spec.rebuild and not spec.rebuild.drops_old:
            old = spec.rebuild.from_generation
            key = f"{spec.name}-k{old}" if old > 1 else spec.name
            if key in before:
                kept[key] = before[key]
    return kept
