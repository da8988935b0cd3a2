"""How stored items follow a change of the models: upgrades that are declared, and values that templates make."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from keywright.compiler import Compiled, Placed
from keywright.engines.change import Path
from keywright.history.snapshot import Snapshot, key_of
from keywright.ir.binding import Binding
from keywright.ir.entity import stored_path
from keywright.ir.json import Json
from keywright.ir.template import Template
from keywright.ir.transform import Transform, describe, in_store, of_upgrade

Passes = tuple[Mapping[str, Json], ...]
"""What each pass over an entity's items does: its transform, and the version that items get."""

_GSI = re.compile(r'gsi "(.+)" (pk|sk)\Z')
_COMPUTED = re.compile(r'computed\["(.+)"\]\Z')


def transforms_of(compiled: Compiled, before: Snapshot, after: Snapshot) -> dict[tuple[str, Path], Passes]:
    """Passes by store and entity's path, of each entity that was there and whose stored items must follow."""
    found: dict[tuple[str, Path], Passes] = {}
    for one in compiled.targets:
        key = key_of(one.engine, one.declared)
        old: Any = before.stores.get(one.store, {}).get(key, {"shape": {}})["shape"]
        new: Any = after.stores[one.store][key]
        for binding in _bindings(compiled, one):
            name = binding.name
            if name in old and (passes := tuple(_passes(binding, old[name], new["shape"][name], new["native"]))):
                found[one.store, (key, "shape", name)] = passes
    return found


def _bindings(compiled: Compiled, one: Placed) -> tuple[Binding, ...]:
    known = compiled.project.design.bindings
    return tuple(
        binding for binding in known if binding.engine == one.engine.name and binding.physical.name == one.declared.name
    )


def _passes(binding: Binding, old: Any, new: Any, native: Any) -> Iterator[Mapping[str, Json]]:
    """One for each version between, then one for values that templates make and that items lack."""
    upgrades: Any = getattr(binding.spec, "upgrades", {})
    for version in range(old["schema_version"], new["schema_version"]):
        if version in upgrades:
            transform = of_upgrade(upgrades[version], lambda path: _stored(binding, path))
            yield {"transform": describe(_renaming(transform, binding, old["fields"])), "version": version + 1}
    if made := tuple(_made(binding, old["key"], new["key"], native)):
        yield {"transform": describe(Transform(set=made))}


def _renaming(transform: Transform, binding: Binding, old: Any) -> Transform:
    """The transform with the fields that have a former name, where it says nothing of them itself."""
    known = {one.get("stored", name) for name, one in old.items()}
    said = {*transform.reads, *transform.writes}
    renamed = tuple(
        (one.stored, one.renamed_from)
        for one in binding.entity.attributes
        if one.renamed_from is not None and one.renamed_from in known and not {one.stored, one.renamed_from} & said
    )
    return replace(transform, rename=(*transform.rename, *renamed))


def _made(binding: Binding, old: Any, new: Any, native: Any) -> Iterator[tuple[str, Template]]:
    """(stored name, template) of every value that items were not stored with."""
    for argument in new:
        if argument in old or argument not in binding.templates:
            continue
        template = in_store(binding.templates[argument], lambda path: _stored(binding, path))
        if match := _COMPUTED.match(argument):
            yield match[1], template
        elif match := _GSI.match(argument):
            index = native.get("indexes", {}).get(match[1], {"keys": []})
            role = "HASH" if match[2] == "pk" else "RANGE"
            names = [name for name, _, half in index["keys"] if half == role]
            if len(names) == 1:
                yield names[0], template


def _stored(binding: Binding, path: str) -> str:
    return stored_path(binding.entity.attributes, path)
