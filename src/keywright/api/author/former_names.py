"""Former names as the models say them, by the part of a target that each is of."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from keywright.compiler import Compiled
from keywright.engines.change import Path
from keywright.history.snapshot import described, key_of
from keywright.ir.json import Json

Hint: TypeAlias = tuple[str, Path]
"""A store, and the path of a part in it."""


def hints_of(compiled: Compiled) -> dict[Hint, str]:
    """Former names by store and path, from `renamed_from=` and `RenamedFrom`."""
    found: dict[Hint, str] = {}
    for one in compiled.targets:
        key = key_of(one.engine, one.declared)
        native = described(one.engine, one.declared)["native"]
        design = compiled.project.design.of_engine(one.engine.name)
        for physical in design.physicals:
            if physical.name == one.declared.name:
                found |= _named(one.store, _of(physical.spec, (key,), key, native))
        for binding in design.bindings:
            if binding.physical.name == one.declared.name:
                entity = (key, "shape", binding.name)
                fields = {(*entity, "fields", it.name): it.renamed_from for it in binding.entity.attributes}
                found |= _named(one.store, _of(binding.spec, entity, key, native)) | _named(one.store, fields)
    return found


def spent(hint: Hint) -> str:
    """A hint as a snapshot remembers it."""
    return f"{hint[0]} {'/'.join(hint[1])}"


def _named(store: str, known: Mapping[Any, str | None]) -> dict[Hint, str]:
    return {(store, path): old for path, old in known.items() if old}


def _of(declared: Any, path: Path, key: str, native: Json) -> dict[Path, str | None]:
    """The former name of what a declaration is about, and those of its indexes, by their paths."""
    found: dict[Path, str | None] = {path: getattr(declared, "renamed_from", None)}
    for option in declared.__options__.kinds:
        value = getattr(declared, option, None)
        for index in value if isinstance(value, (list, tuple)) else ():
            if getattr(index, "renamed_from", None) is not None:
                paths = _paths_to(getattr(index, "name", None), native)
                found |= dict.fromkeys(((key, "native", *one) for one in paths), index.renamed_from)
    return found


def _paths_to(name: str | None, part: Json, above: Path = ()) -> Iterator[Path]:
    """Where an index of that name stands in a description."""
    if isinstance(part, Mapping):
        for word, inner in part.items():
            if word == name and "indexes" in above:
                yield (*above, word)
            else:
                yield from _paths_to(name, inner, (*above, word))
