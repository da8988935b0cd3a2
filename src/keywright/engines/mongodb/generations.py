"""Former generations of collections, which stay beside their successors until a model says that they go."""

from typing import Any

from keywright.ir.design import Design

from .options import Collection, TimeSeries


def keep(design: Design, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """See `Engine.keep`: a former generation is a collection beside the new one."""
    kept = dict(after)
    for binding in design.bindings:
        spec, database = binding.spec, binding.physical.name
        if database not in kept or not isinstance(spec, Collection | TimeSeries):
            continue
        if spec.rebuild is None or spec.rebuild.drops_old:
            continue
        generation = spec.rebuild.from_generation
        name = f"{spec.name}_k{generation}" if generation > 1 else spec.name
        was = before.get(database, {"native": {"collections": {}, "indexes": {}}})["native"]
        native = dict(kept[database]["native"])
        for part in ("collections", "indexes"):
            if name in was[part]:
                native[part] = {**native[part], name: was[part][name]}
        kept[database] = {**kept[database], "native": native}
    return kept
