"""Finds the location of a fix: the declaration, part or field of a finding in model files."""

from keywright.compiler import Compiled, place_of
from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.fix import FixLocation
from keywright.engines.registry import engine_named
from keywright.errors import NOWHERE
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from .subjects import SubjectOwner, owner_of


def location_of(compiled: Compiled, draft: FindingDraft) -> FixLocation | None:
    """The location of a finding's fix; None if no single text of a model file creates the declaration."""
    owner = owner_of(compiled.project.design, draft)
    if owner is None or owner.at == NOWHERE or _is_shared(compiled, owner):
        return None
    if isinstance(owner, Pattern):
        _, _, number = draft.subject.partition("[")
        class_name = type(compiled.project.patterns[owner.context, owner.name]).__name__
        return FixLocation(owner.at, ("", int(number.rstrip("]"))) if number else None, class_name=class_name)
    class_name = type(owner.spec).__name__
    part = None
    if draft.part:
        parts = engine_named(owner.engine).listed(owner)
        part = next(
            ((candidate.argument, candidate.position) for candidate in parts if candidate.name == draft.part), None
        )
        if part is None:
            return None
    if not draft.field:
        return FixLocation(owner.at, part, class_name=class_name)
    model = owner.entity.name if isinstance(owner, Binding) else ""
    at = place_of(compiled.project, owner, field=draft.field) if isinstance(owner, Binding) else NOWHERE
    return FixLocation(owner.at, part, model, draft.field, at, class_name)


def _is_shared(compiled: Compiled, owner: SubjectOwner) -> bool:
    """Whether one line, of a function or a loop, creates several declarations."""
    design = compiled.project.design
    owners: tuple[SubjectOwner, ...] = (*design.patterns, *design.bindings, *design.physicals)
    return sum(other.at == owner.at for other in owners) > 1
