"""Finds the declaration of a finding: a pattern, entity or store; names may recur in other engines and modules."""

from collections.abc import Iterator
from typing import TypeAlias

from keywright.engines.findings.context import FindingDraft
from keywright.engines.registry import engine_named
from keywright.errors import NOWHERE
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.pattern import Pattern
from keywright.record import Record

SubjectOwner: TypeAlias = Binding | Physical | Pattern


class FindingSubject(Record):
    """A declaration, distinguished from others with its name."""

    kind: str
    """`pattern`, `entity` or `store`."""
    scope: str
    """The module of a pattern, the engine of others."""
    name: str
    """Its name."""

    @property
    def engine(self) -> str:
        """Its engine; empty for a pattern."""
        return "" if self.kind == "pattern" else self.scope


def subject_of(owner: SubjectOwner) -> FindingSubject:
    """The subject of a declaration; a write has the subject of its transaction."""
    match owner:
        case Pattern():
            return FindingSubject("pattern", owner.context, owner.name.partition("[")[0])
        case Binding():
            return FindingSubject("entity", owner.engine, owner.name)
        case Physical():
            return FindingSubject("store", owner.engine, owner.name)


def team_of(design: Design, owner: SubjectOwner) -> str:
    """The `owner=` of the store of a declaration; empty if it has none."""
    if isinstance(owner, Pattern):
        name = owner.parts[0].binding if owner.parts else owner.binding
        owner = next(binding for binding in design.bindings if binding.name == name)
    physical = owner.physical if isinstance(owner, Binding) else owner
    return physical.spec.owner or ""


def owner_of(design: Design, draft: FindingDraft) -> SubjectOwner | None:
    """The declaration of a finding; None if it is not in the project's models."""
    return next(_owners(design, draft), None)


def _owners(design: Design, draft: FindingDraft) -> Iterator[SubjectOwner]:
    """Possible declarations of a finding, the likeliest first."""
    patterns = [pattern for pattern in design.patterns if pattern.name == draft.subject.partition("[")[0]]
    if draft.at != NOWHERE:
        yield from (pattern for pattern in patterns if draft.at in (pattern.at, *(part.at for part in pattern.parts)))
    bindings = [
        binding for binding in design.bindings if binding.name == draft.subject and draft.engine in ("", binding.engine)
    ]
    physicals = [
        physical
        for physical in design.physicals
        if physical.name == draft.subject and draft.engine in ("", physical.engine)
    ]
    owners: list[Binding | Physical] = [*bindings, *physicals]
    if draft.part and not draft.field:
        owners.sort(key=lambda owner: not _has_part(owner, draft.part))
    yield from owners
    stored = (binding for binding in design.bindings if getattr(binding.spec, "name", None) == draft.subject)
    yield from (binding for binding in stored if draft.engine in ("", binding.engine))
    yield from patterns


def _has_part(owner: Binding | Physical, name: str) -> bool:
    return any(part.name == name for part in engine_named(owner.engine).listed(owner))
