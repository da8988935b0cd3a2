"""Model files for adopted targets, beside the existing ones."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from keywright.compiler import Project
from keywright.edit.create.model_file import ModelFile, source_of
from keywright.edit.create.variables import ImportedName
from keywright.engines.contract.adoption import Adopted, NotExpressed
from keywright.engines.contract.naming import camel_case, field_name
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.ir.pattern import Pattern
from keywright.ir.text import one_line
from keywright.record import Record, replace

from .contexts import divided
from .sources import AdoptedTarget


class NewModels(Record):
    """What `adopt` writes."""

    files: Mapping[Path, str]
    """Contents of the new files."""
    entities: tuple[str, ...]
    """Names of the new entities."""
    declared: int
    """Number of adopted entities that the project declares already."""
    not_expressed: tuple[NotExpressed, ...]
    """What the declarations cannot express; the object begins with the engine and the target."""
    settings: Mapping[str, Mapping[str, Json]]
    """Settings for the stack file, of each engine that it has none for."""


def new_models(
    targets: Iterable[AdoptedTarget], project: Project | None, folder: Path, width: int, roots: Sequence[Path] = ()
) -> NewModels:
    """The model files for targets, without entities that the project declares already.

    project: the existing declarations; None in an empty project. folder: the folder of the new files. roots: the
    import roots, below which one file may import another.
    """
    existing = project.design if project else Design()
    taken = {entity.name for entity in existing.entities}
    files: dict[Path, str] = {}
    entities: list[str] = []
    missing: list[NotExpressed] = []
    settings: dict[str, Mapping[str, Json]] = {}
    declared = 0
    for target in targets:
        settings[target.engine] = _merged(settings.get(target.engine, target.settings), target.settings)
        design, own_name = target.adopted.design, f"{target.engine}/{target.name}"
        missing += (NotExpressed(f"{own_name}/{part.object}", part.reason) for part in target.adopted.not_expressed)
        stored = [binding for binding in existing.bindings if _is_in(target, binding)]
        bindings = tuple(
            binding for binding in design.bindings if not any(target.is_same(binding, other) for other in stored)
        )
        declared += len(design.bindings) - len(bindings)
        if bindings or (target.adopted.has_settings and not _has_server(existing, target)):
            placed = tuple(_within(target, binding, existing) for binding in bindings)
            renamed = tuple(_renamed(binding, target.name, taken) for binding in placed)
            comments = _comments(target.adopted, bindings, renamed)
            taken |= {binding.name for binding in renamed}
            entities += (binding.name for binding in renamed)
            file = _free(folder, field_name(target.name.lower()), files)
            patterns = _patterns(design, bindings, renamed)
            part = Design(tuple(binding.entity for binding in renamed), design.physicals, renamed, patterns)
            notes = (*_unread(target), *(_note(part.object, part.reason) for part in target.adopted.not_expressed))
            is_named = target.name.lower() != target.engine
            doc = f"{target.doc} {target.name}." if is_named else f"{target.doc}."
            undivided = ModelFile(doc, part, comments, notes, _declared(project, design), width)
            files |= {path: source_of(context) for path, context in divided(undivided, file, roots).items()}
    return NewModels(files, tuple(entities), declared, tuple(missing), settings)


def _merged(settings: Mapping[str, Json], more: Mapping[str, Json]) -> Mapping[str, Json]:
    """The settings of a target, with those of parts of another one, such as a table."""
    merged = dict(settings)
    for name, value in more.items():
        if isinstance(value, dict):
            own = merged.get(name)
            merged[name] = {**value, **own} if isinstance(own, dict) else value
    return merged


def _is_in(target: AdoptedTarget, binding: Binding) -> bool:
    return binding.engine == target.engine and binding.physical.name in target.names


def _within(target: AdoptedTarget, binding: Binding, design: Design[Any, Any]) -> Binding:
    """The binding as it is declared in an existing table, database or server."""
    own = (binding.engine, binding.physical.name)
    declared = next((item for item in design.physicals if (item.engine, item.name) == own), None)
    return target.within(binding, declared.spec) if declared else binding


def _has_server(design: Design, target: AdoptedTarget) -> bool:
    return any(physical.engine == target.engine and physical.name in target.names for physical in design.physicals)


def _renamed(binding: Binding, target: str, taken: Collection[str]) -> Binding:
    """The binding of an entity whose name no other entity has."""
    if binding.entity.name not in taken:
        return binding
    names = (f"{camel_case(target)}{binding.entity.name}{number}" for number in ("", *range(2, 1000)))
    entity = replace(binding.entity, name=next(name for name in names if name not in taken))
    return replace(binding, name=entity.name, entity=entity)


def _comments(adopted: Adopted, before: Sequence[Binding], after: Sequence[Binding]) -> dict[tuple[str, str], str]:
    names = {old.entity.name: new.entity.name for old, new in zip(before, after, strict=True)}
    return {(names.get(owner, owner), name): text for (owner, name), text in adopted.comments.items()}


def _patterns(design: Design[Any, Any], before: Sequence[Binding], after: Sequence[Binding]) -> tuple[Pattern, ...]:
    """The patterns of new entities, under the names of their bindings."""
    names = {old.name: new.name for old, new in zip(before, after, strict=True)}
    own = (pattern for pattern in design.patterns if pattern.binding in names)
    return tuple(replace(pattern, binding=names[pattern.binding]) for pattern in own)


def _free(folder: Path, name: str, files: Collection[Path]) -> Path:
    """A path that no file has."""
    candidates = chain([name, f"{name}_adopted"], (f"{name}_adopted_{number}" for number in count(2)))
    paths = (folder / f"{candidate}.py" for candidate in candidates)
    return next(path for path in paths if path not in files and not path.exists())


def _declared(project: Project | None, design: Design) -> tuple[ImportedName, ...]:
    """Tables, databases and keyspaces that the project declares already."""
    if project is None:
        return ()
    modules = {Path(file).resolve(): module for module, file in project.files.items()}
    existing = {(physical.engine, physical.name): physical for physical in project.design.physicals}
    return tuple(
        ImportedName(physical.spec, modules[Path(same.at.file).resolve()], same.variable)
        for physical in design.physicals
        if (same := existing.get((physical.engine, physical.name)))
    )


def _unread(target: AdoptedTarget) -> Iterator[str]:
    """The statements that could not be read, those with the same reason together."""
    places: dict[tuple[str, str], list[str]] = {}
    for part in target.unread:
        file, _, line = part.object.rpartition(":")
        places.setdefault((Path(file or line).name, part.reason), []).append(line if file else "")
    for (file, reason), lines in places.items():
        numbers = f", line{'s' * (len(lines) > 1)} {', '.join(lines)}" if all(lines) else ""
        yield _note(f"{file}{numbers}", reason)


def _note(object: str, reason: str) -> str:
    return one_line(f"not expressed: {object}: {reason}")
