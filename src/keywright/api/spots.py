"""Where a fix is to be written: the declaration, part or field of a flaw, as places in model files."""

from collections.abc import Iterator
from typing import Any

from keywright.compiler import Compiled, place_of
from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.fix import Spot
from keywright.errors import NOWHERE
from keywright.ir.binding import Binding
from keywright.ir.physical import Physical


def spot_of(compiled: Compiled, flaw: Flaw) -> Spot | None:
    """The spot of a flaw's fix; None where what it is about stands in no model file."""
    project = compiled.project
    design = project.design
    whole, _, number = flaw.subject.partition("[")
    pattern = next((one for one in design.patterns if one.name == whole), None)
    if pattern is not None:
        return Spot(pattern.at, ("", int(number.rstrip("]"))) if number else None)
    owners: tuple[Binding | Physical, ...] = (*design.bindings, *design.physicals)
    owner = next((one for one in owners if one.name == flaw.subject), None)
    if owner is None or owner.at == NOWHERE:
        return None
    part = next((where for name, where in _parts(owner.spec) if name == flaw.part), None) if flaw.part else None
    if flaw.part and part is None:
        return None
    if not flaw.field:
        return Spot(owner.at, part)
    binding = next((one for one in design.bindings if one.name == flaw.subject), None)
    model = binding.entity.name if binding else ""
    at = place_of(project, flaw.subject, field=flaw.field)
    return Spot(owner.at, part, model, flaw.field, at)


def _parts(spec: object) -> Iterator[tuple[str, tuple[str, int]]]:
    """(name, (argument, position)) of the named declarations that a declaration holds in lists."""
    for argument, value in vars(spec).items():
        for position, part in enumerate(value if isinstance(value, list) else ()):
            inner: Any = getattr(part, "gsi", part)
            if name := getattr(inner, "name", None):
                yield str(name), (argument, position)
