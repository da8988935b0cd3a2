"""How many instances of each entity there will be, and which numbers their key fields take."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from keywright.ir.attribute import Reference, Scalar
from keywright.ir.design import Design
from keywright.ir.entity import Entity, resolve

from .keys import Keys, bindings_of, keys_of
from .narrow import narrowed
from .slots import Choice, Slot, assign
from .spaces import Spaces

_UNKNOWN = 10_000
"""The size of an entity of which nothing is known."""
_SHARE = 10
_FEW = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """What is decided of an entity before its first instance."""

    entity: Entity
    """The entity, with the bounds that its stores demand."""
    keys: Keys
    """By which fields its instances differ."""
    size: int
    """How many there are at the design size."""
    count: int
    """How many are generated."""
    slots: Mapping[str, Slot]
    """The numbers of the fields that make keys distinct, by path."""
    steps: Mapping[str, timedelta]
    """How far apart moments are in the fields of keys, by path."""

    def scalar(self, path: str) -> Scalar | None:
        """The type of a single value; None where there is none."""
        found = resolve(self.entity.attributes, path)
        return found[-1].type if found and isinstance(found[-1].type, Scalar) else None

    def pool(self, distinct: int) -> int:
        """Of a field's different values at the design size, those that so few instances have; one at the least."""
        return max(1, min(distinct, max(_FEW, -(-distinct * self.count // self.size))))


@dataclass(slots=True)
class Planning:
    """Plans entities on demand, since the keys of some are keys of others."""

    design: Design
    """What is planned."""
    spaces: Spaces
    """The values of fields."""
    scale: int
    """Instances of the largest entity."""
    _plans: dict[str, Plan | None] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)

    def plans(self) -> dict[str, Plan]:
        """The plan of every entity, by name."""
        self._sizes = {entity.name: _size(self.design, entity) for entity in self.design.entities}
        found = ((entity.name, self._plan(entity)) for entity in self.design.entities)
        return {name: plan for name, plan in found if plan is not None}

    def _plan(self, entity: Entity) -> Plan | None:
        """The plan; None while it is being made, when keys refer to each other in a circle."""
        if entity.name not in self._plans:
            self._plans[entity.name] = None
            self._plans[entity.name] = self._made(entity)
        return self._plans[entity.name]

    def _made(self, entity: Entity) -> Plan:
        bindings = bindings_of(self.design, entity)
        size, keys = self._sizes[entity.name], keys_of(self.design, entity)
        entity = narrowed(entity, bindings)
        steps: dict[str, timedelta] = {}
        for key in keys.all:
            for path, step in key.items():
                steps[path] = max(step, steps.get(path, step))
        choices = {path: choice for path, step in steps.items() if (choice := self._choice(entity, path, step))}
        expected = _expected(self.design, entity)
        wanted = self._wanted(size) if expected is None else min(expected, self._wanted(size))
        count, slots = assign([frozenset(key) for key in keys.all], choices, wanted)
        return Plan(entity, keys, size, count, slots, steps)

    def _wanted(self, size: int) -> int:
        """In proportion to the largest, but a tenth of its count, so that there is something to see of each."""
        largest = max(self._sizes.values())
        return max(0, min(_FEW, self.scale), self.scale // _SHARE, round(self.scale * size / largest))

    def _choice(self, entity: Entity, path: str, step: timedelta) -> Choice | None:
        """What the field of a key may take."""
        found = resolve(entity.attributes, path)
        if found is None or not isinstance(scalar := found[-1].type, Scalar):
            return None
        facts = scalar.facts
        if facts.reference and (via := self._target(entity, facts.reference, path, scalar)):
            plan, key_path = via
            return Choice(plan.slots[key_path].used(plan.count), False, False, (plan.entity.name, key_path))
        lifetime = found[-1].ttl_after_seconds if len(found) == 1 else None
        space = self.spaces.of(scalar, path.split(".")[-1], is_label=True, step=step, ttl_seconds=lifetime)
        size = space.size if facts.distinct is None else min(space.size, facts.distinct)
        is_free = facts.distinct is None and scalar.kind in ("string", "uuid", "bytes", "datetime")
        return Choice(size, is_free and not scalar.constants, scalar.kind == "datetime", None)

    def _target(self, entity: Entity, reference: Reference, path: str, scalar: Scalar) -> tuple[Plan, str] | None:
        """(plan, path) of the key that a reference holds, where its values are counted."""
        target = referred(self.design, reference.entity)
        if target is None or target.name == entity.name or (plan := self._plan(target)) is None:
            return None
        key_path = identifying(plan, path, scalar)
        return (plan, key_path) if key_path is not None and key_path in plan.slots else None


def referred(design: Design, name: str) -> Entity | None:
    """The entity of that name, or of the binding of that name."""
    entities = (entity for entity in design.entities if entity.name == name)
    bound = (binding.entity for binding in design.bindings if binding.name == name)
    return next(entities, None) or next(bound, None)


def identifying(plan: Plan, path: str, scalar: Scalar) -> str | None:
    """The path of the field by which others refer to the entity: one of its keys that holds such values.

    Best is one of the referring field's name, then one that is a key by itself; None if there is none at all.
    """
    name = path.split(".")[-1]
    keys = [[at for at in key if (one := plan.scalar(at)) and one.kind == scalar.kind] for key in plan.keys.stored]
    inside = [at for key in keys for at in key]
    alone = [key[0] for key, whole in zip(keys, plan.keys.stored, strict=True) if len(key) == len(whole) == 1]
    own = plan.scalar(name)
    found = [at for at in inside if at == name] + alone + inside
    return next(iter(found), name if own and own.kind == scalar.kind else None)


def _expected(design: Design, entity: Entity) -> int | None:
    counts = [getattr(binding.spec, "expected", None) for binding in bindings_of(design, entity)]
    return max((count for count in counts if isinstance(count, int)), default=None)


def _size(design: Design, entity: Entity) -> int:
    """How many there are: as expected, else as the cardinality of a key's fields says."""
    expected = _expected(design, entity)
    return max(1, expected or max(_distinct(design, entity), default=_UNKNOWN))


def _distinct(design: Design, entity: Entity) -> Iterator[int]:
    for key in keys_of(design, entity).stored:
        for path in key:
            found = resolve(entity.attributes, path)
            if found and (distinct := found[-1].type.facts.distinct):
                yield distinct
