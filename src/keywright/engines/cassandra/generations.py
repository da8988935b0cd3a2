"""Former generations of tables, which stay beside their successors until a model says that they go."""

from typing import Any

from keywright.ir.design import Design

from .options import CqlTable


def keep(design: Design, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """See `Engine.keep`: a former generation is a table beside the new one, with its indexes and views."""
    kept = dict(after)
    for binding in design.bindings:
        spec, keyspace = binding.spec, binding.physical.name
        if keyspace not in kept or not isinstance(spec, CqlTable):
            continue
        if spec.rebuild is None or spec.rebuild.drops_old:
            continue
        generation = spec.rebuild.from_generation
        native = dict(kept[keyspace]["native"])
        for part, things in before.get(keyspace, {"native": {}})["native"].items():
            if part in ("tables", "indexes", "views"):
                old = {key: one for key, one in things.items() if _is_of(key, one, part, spec.name, generation)}
                native[part] = {**native.get(part, {}), **old}
        kept[keyspace] = {**kept[keyspace], "native": {part: one for part, one in native.items() if one}}
    return kept


def _is_of(key: str, one: dict[str, Any], part: str, table: str, generation: int) -> bool:
    """Whether something is a generation of a table, or belongs to one."""
    suffix = f"_k{generation}" if generation > 1 else ""
    name = key.removesuffix(suffix) if part == "tables" else one["table"]
    return bool(name == table and one.get("generation", 1) == generation)
