"""Reads that no model file declares, and what serves them."""

from keywright.access.path import AccessPath
from keywright.access.search import plan
from keywright.compiler.project import Compiled
from keywright.errors import Place
from keywright.ir.pattern import Pattern


def a_read(entity: str, equal: tuple[str, ...], ranged: str | None, order: tuple[str, ...]) -> Pattern:
    """A read of a page by equality of some fields, perhaps by a range, perhaps in an order."""
    at = Place("models/case.py", 1)
    return Pattern("drawn", "read", "case", entity, at, eq=equal, range=ranged, order=order, limit=10)


def serving(compiled: Compiled, pattern: Pattern) -> str | None:
    """What serves a read; None where nothing does."""
    binding = next(binding for binding in compiled.project.design.bindings if binding.name == pattern.binding)
    placed = next(target for target in compiled.targets if target.declared.name == binding.physical.name)
    path = plan(placed.engine, placed.placed, binding, pattern).path
    return str(path.by) if isinstance(path, AccessPath) else None
