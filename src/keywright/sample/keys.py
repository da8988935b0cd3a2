"""By which fields instances differ: the keys of every store of an entity, its unique indexes and what is got alone."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import Entity, resolve
from keywright.ir.template import Template

from .times import MILLISECOND, STEPS

Key = Mapping[str, timedelta]
"""Paths of the fields of a key, each with the distance at which two moments of it differ."""

_COLLECTING = ("RedisList", "RedisStream", "RedisRateLimit")
"""Declarations whose key names a collection: instances are its elements, and may be equal."""


@dataclass(frozen=True, slots=True)
class Keys:
    """What makes instances of an entity differ."""

    stored: tuple[Key, ...]
    """The keys of its stores; an empty one leaves room for one instance."""
    looked_up: tuple[Key, ...]
    """Unique indexes, and fields by which a pattern gets one instance."""

    @property
    def all(self) -> tuple[Key, ...]:
        """All of them, the shortest first."""
        return tuple(sorted(self.stored + self.looked_up, key=len))


def keys_of(design: Design, entity: Entity) -> Keys:
    """The keys of an entity."""
    bindings = bindings_of(design, entity)
    stored = (key for binding in bindings if (key := _stored(binding)) is not None)
    looked_up = [_key(binding, names) for binding in bindings for names in _unique(binding)]
    named = {binding.name: binding for binding in bindings}
    gets = (pattern for pattern in design.patterns if pattern.kind == "get" and pattern.binding in named)
    looked_up += (_key(named[pattern.binding], pattern.eq) for pattern in gets)
    return Keys(tuple(stored), tuple(key for key in looked_up if key))


def bindings_of(design: Design, entity: Entity) -> tuple[Binding, ...]:
    """Every binding that stores an entity."""
    return tuple(binding for binding in design.bindings if binding.entity.name == entity.name)


def names_in(value: object) -> tuple[str, ...]:
    """Field names as declarations hold them, one or several, without direction."""
    if isinstance(value, str):
        return (value.removeprefix("-"),)
    return tuple(str(name).removeprefix("-") for name in value) if isinstance(value, Iterable) else ()


def partition_of(binding: Binding) -> tuple[str, ...]:
    """The fields of a declared partition, for declarations that name one."""
    return names_in(getattr(binding.spec, "partition", ()))


def _stored(binding: Binding) -> Key | None:
    """The key in the store; None where the store makes one of its own."""
    if type(binding.spec).__name__ in _COLLECTING:
        return None
    columns = (*partition_of(binding), *names_in(getattr(binding.spec, "clustering", ())))
    if columns:
        return _key(binding, columns)
    templates = [binding.templates[name] for name in ("pk", "sk", "id", "key", "member") if name in binding.templates]
    fields = _key_fields(binding)
    return _merged(_parts(templates, binding.entity), _key(binding, fields)) if templates or fields else None


def _key_fields(binding: Binding) -> tuple[str, ...]:
    """Fields that are the table's key attributes themselves, where no template fills those."""
    table = getattr(binding.spec, "table", None)
    names = (getattr(table, part, None) for part in ("pk", "sk") if part not in binding.templates)
    return tuple(name for name in names if isinstance(name, str) and binding.entity.attribute(name))


def _unique(binding: Binding) -> Iterator[tuple[str, ...]]:
    for index in getattr(binding.spec, "indexes", ()):
        if getattr(index, "unique", False) is True:
            yield names_in(getattr(index, "keys", ()))


def _key(binding: Binding, names: Iterable[str]) -> Key:
    """The key of named fields; a computed attribute counts as the fields that it is made of."""
    found: Key = {}
    for name in names:
        if name in binding.computed:
            found = _merged(found, _parts([binding.computed[name]], binding.entity))
        elif _is_single(binding.entity, name):
            found = _merged(found, {name: MILLISECOND})
    return found


def _parts(templates: Iterable[Template], entity: Entity) -> Key:
    """The fields of templates; what stands there as a shard only tells nothing apart."""
    found: Key = {}
    for template in templates:
        for placeholder in template.placeholders:
            if placeholder.shards is None and _is_single(entity, placeholder.path):
                steps = [STEPS[filter.name] for filter in placeholder.filters if filter.name in STEPS]
                found = _merged(found, {placeholder.path: max(steps, default=MILLISECOND)})
    return found


def _is_single(entity: Entity, path: str) -> bool:
    found = resolve(entity.attributes, path)
    return found is not None and isinstance(found[-1].type, Scalar)


def _merged(one: Key, other: Key) -> Key:
    """Both keys together; where a field is in both, its finer form tells instances apart."""
    return {path: min(one.get(path, step), other.get(path, step)) for path, step in {**one, **other}.items()}
