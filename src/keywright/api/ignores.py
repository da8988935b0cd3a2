"""What the models accept of findings about a version: `ignore(...)` on the declaration that they are about."""

from collections.abc import Iterator
from typing import Any

from keywright.compiler import Compiled, Placed
from keywright.declare.fields import class_of
from keywright.declare.judgement import Ignore
from keywright.history.snapshot import key_of
from keywright.ir.json import Json
from keywright.rules.rule import Finding, Report


def ignored_by_models(compiled: Compiled, report: Report) -> tuple[dict[str, Json], ...]:
    """The findings that the models accept, as a `migration.yaml` says it under `ignore:`; each finding once.

    What a declaration accepts counts for itself and for all that is in it.
    """
    waivers = [*_waivers(compiled)]
    made: list[dict[str, Json]] = []
    for finding in report.findings:
        said = next((one for place, one in waivers if finding.code == one.code and _is_about(place, finding)), None)
        if said is not None and finding.rule.is_suppressible:
            entry: dict[str, Json] = {"code": finding.code, "object": finding.object, "reason": said.reason}
            made.append(entry if said.until is None else {**entry, "until": said.until.isoformat()})
    return tuple(made)


_Place = tuple[str, str]
"""(store, object); patterns are in no store."""


def _is_about(place: _Place, finding: Finding) -> bool:
    store, object = place
    return finding.store == store and (finding.object == object or finding.object.startswith(f"{object}/"))


def _waivers(compiled: Compiled) -> Iterator[tuple[_Place, Ignore]]:
    """Everything that is accepted anywhere, with what it is about."""
    for one in compiled.targets:
        for object, declared in _declared(compiled, one):
            yield from (((one.store, object), waiver) for waiver in getattr(declared, "ignores", ()))
        yield from _of_fields(compiled, one)
    for (_, name), pattern in compiled.project.patterns.items():
        yield from ((("", name), waiver) for waiver in getattr(pattern, "ignores", ()))


def _declared(compiled: Compiled, one: Placed) -> Iterator[tuple[str, object]]:
    """(object, declaration) of a target, of its entities and their tables, and of the indexes in them."""
    key, design = key_of(one.engine, one.declared), compiled.project.design
    here = (one.engine.name, one.declared.name)
    for physical in design.physicals:
        if (physical.engine, physical.name) == here:
            yield key, physical.spec
            yield from _parts(key, physical.spec)
    for binding in design.bindings:
        if (binding.engine, binding.physical.name) == here:
            yield f"{key}/{binding.name}", binding.spec
            if table := getattr(binding.spec, "name", None):
                yield f"{key}/{table}", binding.spec
                yield from _parts(f"{key}/{table}", binding.spec)
                yield from _parts(key, binding.spec)


def _parts(object: str, spec: object) -> Iterator[tuple[str, object]]:
    """The same of declarations with a name that stand in lists of another one."""
    for value in vars(spec).values():
        for part in value if isinstance(value, list) else ():
            if name := getattr(part, "name", None):
                yield f"{object}/{name}", part


def _of_fields(compiled: Compiled, one: Placed) -> Iterator[tuple[_Place, Ignore]]:
    """What stands in the `Annotated` of fields."""
    key = key_of(one.engine, one.declared)
    for binding in compiled.project.design.bindings:
        if (binding.engine, binding.physical.name) == (one.engine.name, one.declared.name):
            model: Any = class_of(compiled.project.models[binding.name])  # type: ignore[arg-type]  # of a binding
            for name, field in model.model_fields.items():
                place = one.store, f"{key}/{binding.name}/{name}"
                yield from ((place, fact) for fact in field.metadata if isinstance(fact, Ignore))
