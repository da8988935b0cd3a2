"""Findings of a migration that the models suppress, by `ignore(...)` on the affected declaration."""

from collections.abc import Iterator
from typing import Any

from keywright.compiler import Compiled, Placed
from keywright.declare.fields import class_of
from keywright.declare.suppression import Ignore
from keywright.ir.json import Json
from keywright.migrations.snapshot import key_of
from keywright.rules.rule import Finding, Report


def ignored_by_models(compiled: Compiled, report: Report) -> tuple[dict[str, Json], ...]:
    """Findings that the models suppress, as entries under `ignore:` in `migration.yaml`; each finding once.

    A suppression covers its declaration and everything in it. A default of None suppresses the finding about null.
    """
    suppressions = [*_suppressions(compiled)]
    nulls = set(_nulls(compiled))
    entries: list[dict[str, Json]] = []
    for finding in report.findings:
        ignore = next(
            (ignore for scope, ignore in suppressions if finding.code == ignore.code and _is_about(scope, finding)),
            None,
        )
        if ignore is not None and finding.rule.is_suppressible:
            entry: dict[str, Json] = {"code": finding.code, "object": finding.object, "reason": ignore.reason}
            entries.append(entry if ignore.until is None else {**entry, "until": ignore.until.isoformat()})
        elif finding.code == "MF106" and (finding.store, finding.object) in nulls:
            entries.append({"code": "MF106", "object": finding.object, "reason": "null is the default of the model"})
    return tuple(entries)


_Scope = tuple[str, str]
"""(store, object); access patterns have an empty store."""


def _is_about(scope: _Scope, finding: Finding) -> bool:
    store, object = scope
    return finding.store == store and (finding.object == object or finding.object.startswith(f"{object}/"))


def _suppressions(compiled: Compiled) -> Iterator[tuple[_Scope, Ignore]]:
    """All suppressions, with their store and object."""
    for target in compiled.targets:
        for object, declared in _declared(compiled, target):
            yield from (((target.store, object), suppression) for suppression in getattr(declared, "ignores", ()))
        yield from _field_suppressions(compiled, target)
    for (_, name), pattern in compiled.project.patterns.items():
        yield from ((("", name), suppression) for suppression in getattr(pattern, "ignores", ()))


def _declared(compiled: Compiled, placed: Placed) -> Iterator[tuple[str, object]]:
    """(object, declaration) of a target, of its entities and their tables, and of the indexes in them."""
    key, design = key_of(placed.engine, placed.declared), compiled.project.design
    engine_and_name = (placed.engine.name, placed.declared.name)
    for physical in design.physicals:
        if (physical.engine, physical.name) == engine_and_name:
            yield key, physical.spec
            yield from _parts(key, physical.spec)
    for binding in design.bindings:
        if (binding.engine, binding.physical.name) == engine_and_name:
            yield f"{key}/{binding.name}", binding.spec
            if table := getattr(binding.spec, "name", None):
                yield f"{key}/{table}", binding.spec
                yield from _parts(f"{key}/{table}", binding.spec)
                yield from _parts(key, binding.spec)


def _parts(object: str, spec: object) -> Iterator[tuple[str, object]]:
    """(object, declaration) of named declarations in the lists of another declaration."""
    for value in vars(spec).values():
        for part in value if isinstance(value, list) else ():
            if name := getattr(part, "name", None):
                yield f"{object}/{name}", part


def _field_suppressions(compiled: Compiled, placed: Placed) -> Iterator[tuple[_Scope, Ignore]]:
    """Suppressions in the `Annotated` of fields."""
    for scope, field in _fields(compiled, placed):
        yield from ((scope, fact) for fact in field.metadata if isinstance(fact, Ignore))


def _nulls(compiled: Compiled) -> Iterator[_Scope]:
    """Fields whose default is None."""
    for target in compiled.targets:
        yield from (scope for scope, field in _fields(compiled, target) if field.default is None)


def _fields(compiled: Compiled, placed: Placed) -> Iterator[tuple[_Scope, Any]]:
    """Pydantic fields of the models in a target."""
    key = key_of(placed.engine, placed.declared)
    for binding in compiled.project.design.bindings:
        if (binding.engine, binding.physical.name) == (placed.engine.name, placed.declared.name):
            model: Any = class_of(compiled.project.models[binding.name])  # type: ignore[arg-type]  # of a binding
            for name, field in model.model_fields.items():
                yield (placed.store, f"{key}/{binding.name}/{name}"), field
