"""What goes wrong with changes of Redis servers only."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.hazards.context import Context, Hazard

_GROWING = ("list", "set", "sorted set", "stream", "geo")


def less_memory(context: Context) -> Iterator[Hazard]:
    """DS105: keys are evicted that never were: the memory shrinks, or more of them may go."""
    for one in context.of("AlterSetting", engine="redis"):
        was, now = one.change.before, one.change.after
        if one.name == "maxmemory" and _bytes(now) < _bytes(was):
            problem = f'maxmemory of "{one.path[0]}" is {_shown(was)} and becomes {_shown(now)} bytes'
            help = "compare with used_memory first, and say under ignore: that it fits"
            yield context.hazard(one, f"{problem}: what does not fit is evicted, or writes fail", help)
        elif one.name == "maxmemory-policy" and "D" in one.classes:
            problem = f'eviction of "{one.path[0]}" is {was or "noeviction"} and becomes {now}: {one.why}'
            yield context.hazard(one, problem, "move what must stay to a server of another role first")


def _bytes(value: Any) -> float:
    """A memory size as the server reports it; 0 and nothing are unlimited."""
    number = int(value) if isinstance(value, (int, str)) and str(value).isdigit() else 0
    return number or float("inf")


def _shown(value: Any) -> str:
    return "unlimited" if _bytes(value) == float("inf") else str(value)


def unbounded(context: Context) -> Iterator[Hazard]:
    """CO103: a structure that may grow for ever."""
    for one in context.effects:
        value: Any = one.change.after
        shapes = {one.entity: value} if one.kind == "AddEntity" else {}
        if one.kind == "AddTable" and one.engine == "redis":
            shapes = value["shape"]
        for entity, shape in shapes.items() if one.engine == "redis" else ():
            structure = shape.get("structure", {})
            kept = structure.get("kept") or structure.get("kept_seconds") or structure.get("ttl_seconds")
            if structure.get("kind") in _GROWING and not kept:
                problem = (
                    f'{structure["kind"]} "{shape["key"].get("key", "")}" of {entity} has no bound and never expires'
                )
                yield context.hazard(one, problem, "say how many are kept, or for how long")
