"""Transforms of stored items after a change of the models: declared upgrades, and values of key templates."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from keywright.compiler import Compiled, Placed
from keywright.engines.contract.change import Path
from keywright.engines.contract.identity import key_columns
from keywright.ir.binding import Binding
from keywright.ir.entity import stored_path
from keywright.ir.json import Json
from keywright.ir.template import Template, parse
from keywright.ir.transform import Transform, describe, in_store
from keywright.ir.upgrades import upgrade_of
from keywright.migrations.snapshot import Snapshot, key_of
from keywright.record import Record, field

Passes = tuple[Mapping[str, Json], ...]
"""Passes over an entity's items: the transform of each, and the new schema version of the items."""

_GSI = re.compile(r'gsi "(.+)" (pk|sk)\Z')
_HALVES = {"pk": "HASH", "sk": "RANGE"}
_COMPUTED = re.compile(r'computed\["(.+)"\]\Z')


class ItemForm(Record):
    """Form of an entity's stored items, as far as a pass can change it."""

    version: int = 1
    """Schema version of the items."""
    templates: Mapping[str, str] = field(default_factory=dict)
    """Templates of stored values other than the item's own key, by stored name."""


def transforms_of(compiled: Compiled, before: Snapshot, after: Snapshot) -> dict[tuple[str, Path], Passes]:
    """Passes by store and entity's path, for existing entities whose stored items must change."""
    passes_by_entity: dict[tuple[str, Path], Passes] = {}
    for target in compiled.targets:
        key = key_of(target.engine, target.declared)
        former: Any = before.stores.get(target.store, {}).get(key, {"shape": {}, "native": {}})
        new: Any = after.stores[target.store][key]
        for binding in bindings_of(compiled, target):
            old = former["shape"].get(binding.name)
            if old is None:
                continue
            stored_names = {attribute.get("stored", name) for name, attribute in old["fields"].items()}
            old_form, new_form = (
                _form(binding, description["shape"][binding.name], description["native"])
                for description in (former, new)
            )
            if passes := tuple(passes_between(binding, old_form, new_form, stored_names)):
                passes_by_entity[target.store, (key, "shape", binding.name)] = passes
    return passes_by_entity


def forms_of(compiled: Compiled) -> Iterator[tuple[Placed, Binding, ItemForm]]:
    """Form of each entity's items, as the models declare it."""
    for target in compiled.targets:
        description: Any = target.engine.describe(target.declared)
        for binding in bindings_of(compiled, target):
            yield target, binding, _form(binding, description["shape"][binding.name], description["native"])


def bindings_of(compiled: Compiled, placed: Placed) -> tuple[Binding, ...]:
    """Entities in a target."""
    bindings = compiled.project.design.bindings
    return tuple(
        binding
        for binding in bindings
        if binding.engine == placed.engine.name and binding.physical.name == placed.declared.name
    )


def passes_between(
    binding: Binding, old: ItemForm, new: ItemForm, stored_names: Collection[str]
) -> Iterator[Mapping[str, Json]]:
    """One pass for each schema version in between, then a pass for template values that items lack.

    stored_names: names that items may have had before.
    """
    filled: dict[str, str] = {}
    for version in range(old.version, new.version):
        if (transform := upgrade_of(binding, version, stored_names)) is not None:
            yield {"transform": describe(transform), "version": version + 1}
            filled = {name: value.text for name, value in transform.set if isinstance(value, Template)}
    new_templates = {
        name: text for name, text in new.templates.items() if text not in (old.templates.get(name), filled.get(name))
    }
    if new_templates:
        yield {"transform": describe(Transform(set=tuple((name, parse(text)) for name, text in new_templates.items())))}


def _form(binding: Binding, description: Any, native: Any) -> ItemForm:
    columns = key_columns({"native": native, "shape": {binding.name: description}}, binding.name)
    templates = {
        name: template.text
        for name, template in _stored_templates(binding, description["key"], native)
        if name not in columns
    }
    return ItemForm(description["schema_version"], templates)


def _stored_templates(binding: Binding, key: Any, native: Any) -> Iterator[tuple[str, Template]]:
    """(stored name, template) of every value that items store by a key template, other than their own key."""
    for argument, text in key.items():
        computed, index = _COMPUTED.match(argument), _GSI.match(argument)
        if computed is None and index is None:
            continue
        template = in_store(parse(text), lambda path: _stored(binding, path))
        if computed:
            yield computed[1], template
        elif index:
            keys = native.get("indexes", {}).get(index[1], {"keys": []})["keys"]
            names = [name for name, _, key_type in keys if key_type == _HALVES[index[2]]]
            if len(names) == 1:
                yield names[0], template


def _stored(binding: Binding, path: str) -> str:
    return stored_path(binding.entity.attributes, path)
