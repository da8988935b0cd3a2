"""How stored items follow a change of the models: upgrades that are declared, and values that templates make."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from keywright.compiler import Compiled, Placed
from keywright.engines.change import Path
from keywright.history.snapshot import Snapshot, key_of
from keywright.ir.binding import Binding
from keywright.ir.entity import stored_path
from keywright.ir.json import Json
from keywright.ir.template import Template, parse
from keywright.ir.transform import Transform, describe, in_store, of_upgrade

Passes = tuple[Mapping[str, Json], ...]
"""What each pass over an entity's items does: its transform, and the version that items get."""

_GSI = re.compile(r'gsi "(.+)" (pk|sk)\Z')
_HALVES = {"pk": "HASH", "sk": "RANGE"}
_COMPUTED = re.compile(r'computed\["(.+)"\]\Z')


@dataclass(frozen=True, slots=True)
class Form:
    """What stored items of an entity are like, as far as a pass over them may have to see to it."""

    version: int = 1
    """Their schema version."""
    made: Mapping[str, str] = field(default_factory=dict)
    """Templates of the values that they are stored with, beside their own key, by stored name."""


def transforms_of(compiled: Compiled, before: Snapshot, after: Snapshot) -> dict[tuple[str, Path], Passes]:
    """Passes by store and entity's path, of each entity that was there and whose stored items must follow."""
    found: dict[tuple[str, Path], Passes] = {}
    for one in compiled.targets:
        key = key_of(one.engine, one.declared)
        former: Any = before.stores.get(one.store, {}).get(key, {"shape": {}, "native": {}})
        new: Any = after.stores[one.store][key]
        for binding in bindings_of(compiled, one):
            old = former["shape"].get(binding.name)
            if old is None:
                continue
            known = {one.get("stored", name) for name, one in old["fields"].items()}
            was, will = (_form(binding, told["shape"][binding.name], told["native"]) for told in (former, new))
            if passes := tuple(passes_between(binding, was, will, known)):
                found[one.store, (key, "shape", binding.name)] = passes
    return found


def forms_of(compiled: Compiled) -> Iterator[tuple[Placed, Binding, Form]]:
    """What the models have the items of each entity like."""
    for one in compiled.targets:
        told: Any = one.engine.describe(one.declared)
        for binding in bindings_of(compiled, one):
            yield one, binding, _form(binding, told["shape"][binding.name], told["native"])


def bindings_of(compiled: Compiled, one: Placed) -> tuple[Binding, ...]:
    """The entities in a target."""
    known = compiled.project.design.bindings
    return tuple(
        binding for binding in known if binding.engine == one.engine.name and binding.physical.name == one.declared.name
    )


def passes_between(binding: Binding, old: Form, new: Form, known: Collection[str]) -> Iterator[Mapping[str, Json]]:
    """One for each version between, then one for values that templates make and that items lack.

    known: stored names that items may have had before.
    """
    upgrades: Any = getattr(binding.spec, "upgrades", {})
    for version in range(old.version, new.version):
        if version in upgrades:
            transform = of_upgrade(upgrades[version], lambda path: _stored(binding, path))
            yield {"transform": describe(_renaming(transform, binding, known)), "version": version + 1}
    if made := {name: text for name, text in new.made.items() if old.made.get(name) != text}:
        yield {"transform": describe(Transform(set=tuple((name, parse(text)) for name, text in made.items())))}


def _form(binding: Binding, told: Any, native: Any) -> Form:
    made = {name: template.text for name, template in _made(binding, told["key"], native)}
    return Form(told["schema_version"], made)


def _renaming(transform: Transform, binding: Binding, known: Collection[str]) -> Transform:
    """The transform with the fields that have a former name, where it says nothing of them itself."""
    said = {*transform.reads, *transform.writes}
    renamed = tuple(
        (one.stored, one.renamed_from)
        for one in binding.entity.attributes
        if one.renamed_from is not None and one.renamed_from in known and not {one.stored, one.renamed_from} & said
    )
    return replace(transform, rename=(*transform.rename, *renamed))


def _made(binding: Binding, key: Any, native: Any) -> Iterator[tuple[str, Template]]:
    """(stored name, template) of every value that key templates have items stored with, beside their own key."""
    for argument, text in key.items():
        computed, index = _COMPUTED.match(argument), _GSI.match(argument)
        if computed is None and index is None:
            continue
        template = in_store(parse(text), lambda path: _stored(binding, path))
        if computed:
            yield computed[1], template
        elif index:
            keys = native.get("indexes", {}).get(index[1], {"keys": []})["keys"]
            names = [name for name, _, half in keys if half == _HALVES[index[2]]]
            if len(names) == 1:
                yield names[0], template


def _stored(binding: Binding, path: str) -> str:
    return stored_path(binding.entity.attributes, path)
