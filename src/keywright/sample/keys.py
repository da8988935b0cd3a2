"""Fields by which instances differ: keys of every store, unique indexes and the conditions of `Get` patterns."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta

from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import Entity, resolve
from keywright.ir.template import Template
from keywright.record import Record

from .times import MILLISECOND, STEPS

Key = Mapping[str, timedelta]
"""Paths of a key's fields, each with the shortest difference between two distinct times."""


class KeyFields(Record):
    """The fields that distinguish instances of an entity."""

    stored: tuple[Key, ...]
    """The keys of its stores; an empty key allows only one instance."""
    looked_up: tuple[Key, ...]
    """Unique indexes, and the conditions of patterns that get one instance."""

    @property
    def all(self) -> tuple[Key, ...]:
        """All keys, the shortest first."""
        return tuple(sorted(self.stored + self.looked_up, key=len))


def keys_of(design: Design, entity: Entity) -> KeyFields:
    """The keys of an entity."""
    bindings = bindings_of(design, entity)
    stored = (key for binding in bindings if (key := _stored(binding)) is not None)
    looked_up = [_key(binding, names) for binding in bindings for names in _unique(binding)]
    named = {binding.name: binding for binding in bindings}
    gets = (pattern for pattern in design.patterns if pattern.kind == "get" and pattern.binding in named)
    looked_up += (_key(named[pattern.binding], pattern.eq) for pattern in gets)
    return KeyFields(tuple(stored), tuple(key for key in looked_up if key))


def bindings_of(design: Design, entity: Entity) -> tuple[Binding, ...]:
    """Every binding that stores an entity."""
    return tuple(binding for binding in design.bindings if binding.entity.name == entity.name)


def names_in(value: object) -> tuple[str, ...]:
    """Field names in an option, one or several, without direction."""
    if isinstance(value, str):
        return (value.removeprefix("-"),)
    return tuple(str(name).removeprefix("-") for name in value) if isinstance(value, Iterable) else ()


def partition_of(binding: Binding) -> tuple[str, ...]:
    """The fields of a declared partition, for declarations that name one."""
    return names_in(getattr(binding.spec, "partition", ()))


def _stored(binding: Binding) -> Key | None:
    """The key in the store; None if the store generates its own."""
    if binding.spec.is_collection:
        return None
    columns = (*partition_of(binding), *names_in(getattr(binding.spec, "clustering", ())))
    if columns:
        return _key(binding, columns)
    templates = [binding.templates[name] for name in ("pk", "sk", "id", "key", "member") if name in binding.templates]
    fields = _key_fields(binding)
    return _merged(_parts(templates, binding.entity), _key(binding, fields)) if templates or fields else None


def _key_fields(binding: Binding) -> tuple[str, ...]:
    """Fields that are key attributes of the table themselves, without a template."""
    table = getattr(binding.spec, "table", None)
    names = (getattr(table, part, None) for part in ("pk", "sk") if part not in binding.templates)
    return tuple(name for name in names if isinstance(name, str) and binding.entity.attribute(name))


def _unique(binding: Binding) -> Iterator[tuple[str, ...]]:
    for index in getattr(binding.spec, "indexes", ()):
        if getattr(index, "unique", False) is True:
            yield names_in(getattr(index, "keys", ()))


def _key(binding: Binding, names: Iterable[str]) -> Key:
    """The key of some fields; a computed attribute counts as the fields of its template."""
    durations: Key = {}
    for name in names:
        if name in binding.computed:
            durations = _merged(durations, _parts([binding.computed[name]], binding.entity))
        elif _is_single(binding.entity, name):
            durations = _merged(durations, {name: MILLISECOND})
    return durations


def _parts(templates: Iterable[Template], entity: Entity) -> Key:
    """The fields of templates, without shards, which do not distinguish instances."""
    durations: Key = {}
    for template in templates:
        for placeholder in template.placeholders:
            if placeholder.shards is None and _is_single(entity, placeholder.path):
                steps = [STEPS[filter.name] for filter in placeholder.filters if filter.name in STEPS]
                durations = _merged(durations, {placeholder.path: max(steps, default=MILLISECOND)})
    return durations


def _is_single(entity: Entity, path: str) -> bool:
    attributes = resolve(entity.attributes, path)
    return attributes is not None and isinstance(attributes[-1].type, Scalar)


def _merged(first: Key, second: Key) -> Key:
    """Both keys; a field in both gets the shorter difference."""
    return {path: min(first.get(path, step), second.get(path, step)) for path, step in {**first, **second}.items()}
