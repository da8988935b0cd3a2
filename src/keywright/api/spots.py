"""Where a fix is to be written: the declaration, part or field of a flaw, as places in model files."""

from keywright.compiler import Compiled, place_of
from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.fix import Spot
from keywright.engines.registry import engine_named
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
    part = None
    if flaw.part:
        parts = engine_named(owner.engine).listed(owner)
        part = next(((one.argument, one.position) for one in parts if one.name == flaw.part), None)
        if part is None:
            return None
    if not flaw.field:
        return Spot(owner.at, part)
    binding = next((one for one in design.bindings if one.name == flaw.subject), None)
    model = binding.entity.name if binding else ""
    at = place_of(project, flaw.subject, field=flaw.field)
    return Spot(owner.at, part, model, flaw.field, at)
