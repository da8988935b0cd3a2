"""Plans the number of instances of each entity, and the values of their key fields."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from keywright.ir.attribute import Reference, Scalar
from keywright.ir.design import Design
from keywright.ir.entity import Entity, resolve
from keywright.record import Record

from .keys import KeyFields, bindings_of, keys_of
from .narrow import narrowed
from .slots import FieldChoice, FieldSlot, assign
from .spaces import Spaces

_UNKNOWN = 10_000
"""The size of an entity without declared figures."""
_SHARE = 10
_FEW = 3


class EntityPlan(Record):
    """The plan of an entity, fixed before its first instance."""

    entity: Entity
    """The entity, with the constraints of its stores."""
    keys: KeyFields
    """The fields that distinguish its instances."""
    size: int
    """Number of instances at the design size."""
    count: int
    """Number of generated instances."""
    slots: Mapping[str, FieldSlot]
    """The slots of the fields that make keys distinct, by path."""
    steps: Mapping[str, timedelta]
    """The shortest differences between times in key fields, by path."""

    def scalar(self, path: str) -> Scalar | None:
        """The type of a single value; None for any other field."""
        attributes = resolve(self.entity.attributes, path)
        return attributes[-1].type if attributes and isinstance(attributes[-1].type, Scalar) else None

    def pool(self, distinct: int) -> int:
        """The share of a field's different values that the generated instances have, at least one."""
        return max(1, min(distinct, max(_FEW, -(-distinct * self.count // self.size))))


@dataclass(slots=True)
class Planning:
    """Plans entities on demand, since the keys of some are keys of others."""

    design: Design
    """The design."""
    spaces: Spaces
    """The value spaces of fields."""
    scale: int
    """Number of instances of the largest entity."""
    _plans: dict[str, EntityPlan | None] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)

    def plans(self) -> dict[str, EntityPlan]:
        """The plan of every entity, by name."""
        self._sizes = {entity.name: _size(self.design, entity) for entity in self.design.entities}
        plans = ((entity.name, self._plan(entity)) for entity in self.design.entities)
        return {name: plan for name, plan in plans if plan is not None}

    def _plan(self, entity: Entity) -> EntityPlan | None:
        """The plan; None during its own computation, if keys refer to each other in a cycle."""
        if entity.name not in self._plans:
            self._plans[entity.name] = None
            self._plans[entity.name] = self._new_plan(entity)
        return self._plans[entity.name]

    def _new_plan(self, entity: Entity) -> EntityPlan:
        bindings = bindings_of(self.design, entity)
        size, keys = self._sizes[entity.name], keys_of(self.design, entity)
        entity = narrowed(entity, bindings)
        steps: dict[str, timedelta] = {}
        for key in keys.all:
            for path, step in key.items():
                steps[path] = max(step, steps.get(path, step))
        choices = {path: choice for path, step in steps.items() if (choice := self._choice(entity, path, step))}
        expected = _expected(self.design, entity)
        count = self._proportional(size) if expected is None else min(expected, self._proportional(size))
        count, slots = assign([frozenset(key) for key in keys.all], choices, count)
        return EntityPlan(entity, keys, size, count, slots, steps)

    def _proportional(self, size: int) -> int:
        """The number in proportion to the largest entity, at least a tenth of its number."""
        largest = max(self._sizes.values())
        return max(0, min(_FEW, self.scale), self.scale // _SHARE, round(self.scale * size / largest))

    def _choice(self, entity: Entity, path: str, step: timedelta) -> FieldChoice | None:
        """The possible values of a key field."""
        attributes = resolve(entity.attributes, path)
        if attributes is None or not isinstance(scalar := attributes[-1].type, Scalar):
            return None
        facts = scalar.facts
        if facts.reference and (via := self._target(entity, facts.reference, path, scalar)):
            plan, key_path = via
            return FieldChoice(plan.slots[key_path].used(plan.count), False, False, (plan.entity.name, key_path))
        lifetime = attributes[-1].ttl_after_seconds
        space = self.spaces.of(scalar, path.split(".")[-1], is_label=True, step=step, ttl_seconds=lifetime)
        size = space.size if facts.distinct is None else min(space.size, facts.distinct)
        is_free = facts.distinct is None and scalar.kind in ("string", "uuid", "bytes", "datetime")
        return FieldChoice(size, is_free and not scalar.constants, scalar.kind == "datetime", None)

    def _target(self, entity: Entity, reference: Reference, path: str, scalar: Scalar) -> tuple[EntityPlan, str] | None:
        """(plan, path) of the key that a reference contains, if its values are planned."""
        target = referred(self.design, reference.entity)
        if target is None or target.name == entity.name or (plan := self._plan(target)) is None:
            return None
        key_path = identifying(plan, path, scalar)
        return (plan, key_path) if key_path is not None and key_path in plan.slots else None


def referred(design: Design, name: str) -> Entity | None:
    """The entity with a name, or with a binding of that name."""
    entities = (entity for entity in design.entities if entity.name == name)
    bound = (binding.entity for binding in design.bindings if binding.name == name)
    return next(entities, None) or next(bound, None)


def identifying(plan: EntityPlan, path: str, scalar: Scalar) -> str | None:
    """The path of the field that references contain: a key field with values of the same kind.

    A field with the referring field's name comes first, then a field that is a key by itself; None if there is none.
    """
    name = path.split(".")[-1]
    keys = [
        [at for at in key if (key_type := plan.scalar(at)) and key_type.kind == scalar.kind] for key in plan.keys.stored
    ]
    inside = [at for key in keys for at in key]
    alone = [key[0] for key, durations in zip(keys, plan.keys.stored, strict=True) if len(key) == len(durations) == 1]
    own = plan.scalar(name)
    candidates = [at for at in inside if at == name] + alone + inside
    return next(iter(candidates), name if own and own.kind == scalar.kind else None)


def _expected(design: Design, entity: Entity) -> int | None:
    counts = [binding.spec.expected for binding in bindings_of(design, entity)]
    return max((count for count in counts if isinstance(count, int)), default=None)


def _size(design: Design, entity: Entity) -> int:
    """The expected number, else the cardinality of a key's fields."""
    expected = _expected(design, entity)
    return max(1, expected or max(_distinct(design, entity), default=_UNKNOWN))


def _distinct(design: Design, entity: Entity) -> Iterator[int]:
    for key in keys_of(design, entity).stored:
        for path in key:
            attributes = resolve(entity.attributes, path)
            if attributes and (distinct := attributes[-1].type.facts.distinct):
                yield distinct
