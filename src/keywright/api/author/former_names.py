"""Former names that the models declare, by the part of a target."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from keywright.compiler import Compiled
from keywright.engines.contract.change import Path
from keywright.engines.findings.context import fields
from keywright.ir.attribute import Attribute
from keywright.ir.json import Json
from keywright.migrations.snapshot import described, key_of

Hint: TypeAlias = tuple[str, Path]
"""A store, and the path of a part in it."""


def hints_of(compiled: Compiled) -> dict[Hint, str]:
    """Former names by store and path, from `renamed_from=` and `RenamedFrom`."""
    hints: dict[Hint, str] = {}
    for target in compiled.targets:
        key = key_of(target.engine, target.declared)
        native = described(target.engine, target.declared)["native"]
        design = compiled.project.design.of_engine(target.engine.name)
        for physical in design.physicals:
            if physical.name == target.declared.name:
                hints |= _named(target.store, _of(physical.spec, (key,), key, native))
        for binding in design.bindings:
            if binding.physical.name == target.declared.name:
                entity = (key, "shape", binding.name)
                hints |= _named(target.store, _of(binding.spec, entity, key, native))
                former_fields = dict(_former_fields(binding.entity.attributes))
                hints |= _named(target.store, {(*entity, "fields", path): old for path, old in former_fields.items()})
    return hints


def spent(hint: Hint) -> str:
    """Key of a used hint in a snapshot."""
    return f"{hint[0]} {'/'.join(hint[1])}"


def _named(store: str, former_names: Mapping[Any, str | None]) -> dict[Hint, str]:
    return {(store, path): old for path, old in former_names.items() if old}


def _former_fields(attributes: tuple[Attribute, ...]) -> Iterator[tuple[str, str]]:
    """(path, former path) of every field that was renamed, or is in an embedded model whose field was."""
    former = {"": ""}
    for path, attribute in fields(attributes):
        parent, name = path.rpartition(".")[0], attribute.renamed_from or attribute.name
        former[path] = f"{former[parent]}.{name}" if parent else name
        if former[path] != path:
            yield path, former[path]


def _of(declared: Any, path: Path, key: str, native: Json) -> dict[Path, str | None]:
    """Former names of a declared object and of its indexes, by path."""
    former_names: dict[Path, str | None] = {path: getattr(declared, "renamed_from", None)}
    for option in declared.__options__.kinds:
        value = getattr(declared, option, None)
        for index in value if isinstance(value, (list, tuple)) else ():
            if getattr(index, "renamed_from", None) is not None:
                paths = _paths_to(getattr(index, "name", None), native)
                former_names |= dict.fromkeys(
                    ((key, "native", *index_path) for index_path in paths), index.renamed_from
                )
    return former_names


def _paths_to(name: str | None, part: Json, parents: Path = ()) -> Iterator[Path]:
    """Paths of an index with this name in a description."""
    if isinstance(part, Mapping):
        for word, inner in part.items():
            if word == name and "indexes" in parents:
                yield (*parents, word)
            else:
                yield from _paths_to(name, inner, (*parents, word))
