"""Instances of entities: each value is a function of seed, entity, field and index, so that it can be recomputed.

References and copies agree with their targets in this way, although no instance is stored.
"""

from collections.abc import Iterator, Mapping
from random import Random

from keywright.ir.attribute import TEXT, Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.design import Design
from keywright.ir.entity import resolve
from keywright.record import replace

from .fit import is_allowed
from .links import Links, LinkTarget, ValuePosition
from .plan import EntityPlan
from .required import always_present, statics
from .space import derive
from .spaces import Spaces
from .texts.words import NOUNS
from .times import MILLISECOND

_NULLS = 0.2
_DEFAULTS = 0.25
_ITEMS = 5
_MOST_HOPS = 8  # a chain of copies ends here, because it may be a cycle
_MANY = 2**48
_FACTORY_KINDS = ("uuid", "datetime")  # their default factories often return a different value each time


class Instances:
    """Generates the instances of plans."""

    def __init__(self, design: Design, plans: Mapping[str, EntityPlan], spaces: Spaces) -> None:
        self._spaces, self._links = spaces, Links(design, plans)
        self._required = {name: always_present(design, plan) for name, plan in plans.items()}
        self._statics = {name: statics(design, plan.entity) for name, plan in plans.items()}

    def instance(self, plan: EntityPlan, index: int) -> dict[str, object]:
        """The values of one instance, by the input names of the model."""
        return dict(self._fields(plan.entity.attributes, self._position(plan, index, 0)))

    def _position(self, plan: EntityPlan, index: int, hops: int) -> ValuePosition:
        return ValuePosition(plan, index, derive(self._spaces.seed, plan.entity.name, index), hops=hops)

    def _fields(self, attributes: tuple[Attribute, ...], position: ValuePosition) -> Iterator[tuple[str, object]]:
        for attribute in attributes:
            for value in self._field(attribute, attributes, position):
                yield attribute.given, value

    def _field(
        self, attribute: Attribute, siblings: tuple[Attribute, ...], position: ValuePosition
    ) -> Iterator[object]:
        """The value of a field; nothing if the model's default applies."""
        position = self._in_partition(attribute, position)
        rng = Random(derive(position.base, attribute.name))
        if position.path + attribute.name not in self._required[position.plan.entity.name]:
            if attribute.is_nullable and (rng.random() < _NULLS or self._is_root(attribute.type, position)):
                yield None
                return
            if not attribute.is_required and rng.random() < _DEFAULTS and _kind(attribute.type) not in _FACTORY_KINDS:
                return
        if any(sibling.overflow and sibling.overflow.flag == attribute.name for sibling in siblings):
            yield False  # all elements are in the list itself
            return
        copies = self._copied(attribute, siblings, position) if attribute.copied_from else []
        yield copies[0] if copies else self._value(attribute.type, attribute.name, rng, position)

    def _in_partition(self, attribute: Attribute, position: ValuePosition) -> ValuePosition:
        """The position that determines a field's value; for a static field, the position of its partition."""
        name = position.plan.entity.name
        partition = None if position.path else self._statics[name].get(attribute.name)
        if partition is None:
            return position
        shared = [
            value
            for path in partition
            for value in self._at(LinkTarget(position.plan, path, position.index), position.hops)
        ]
        return replace(position, base=derive(self._spaces.seed, name, *shared))

    def _copied(self, attribute: Attribute, siblings: tuple[Attribute, ...], position: ValuePosition) -> list[object]:
        """The value of a copied field, if its own bounds allow it."""
        source = self._links.source(attribute, siblings, position)
        own = source.plan.entity.attribute(source.path) if source else None
        if source is None or own is None:
            return []
        values = self._at(source, position.hops + 1)
        return [value for value in values if value is not None and is_allowed(attribute.type, own.type, value)]

    def _at(self, target: LinkTarget, hops: int) -> list[object]:
        """The value of a field of another instance; empty if it has none."""
        attributes = target.plan.entity.attributes
        attributes_of_path = resolve(attributes, target.path)
        if attributes_of_path is None or hops > _MOST_HOPS:
            return []
        values = list(self._field(attributes_of_path[0], attributes, self._position(target.plan, target.index, hops)))
        for attribute in attributes_of_path[1:]:
            values = [
                value[attribute.given] for value in values if isinstance(value, dict) and attribute.given in value
            ]
        return values

    def _value(self, kind: Type, name: str, rng: Random, position: ValuePosition) -> object:
        match kind:
            case Scalar():
                return self._scalar(kind, name, rng, position)
            case Union():
                inner = replace(position, base=rng.getrandbits(64), path=f"{position.path}{name}.")
                return self._member(kind, inner)
            case Struct():
                inner = replace(position, base=rng.getrandbits(64), path=f"{position.path}{name}.")
                return dict(self._fields(kind.attributes, inner))
            case Many(kind="set", element=Scalar() as element) if not element.facts.reference:
                return self._set(element, _count(rng, kind.min_items, kind.max_items), name, rng, position)
            case Many():
                return self._many(kind, name, rng, replace(position, is_inside_list=True))
            case Tuple():
                return self._tuple(kind, name, rng, replace(position, is_inside_list=True))
            case Map():
                inside = replace(position, is_inside_list=True)
                keys = self._keys(kind, name, rng, inside)
                return {key: self._value(kind.value, name, rng, _apart(inside, rng)) for key in keys}

    def _tuple(self, kind: Tuple, name: str, rng: Random, position: ValuePosition) -> tuple[object, ...]:
        values = (self._value(element, name, rng, _apart(position, rng)) for element in kind.elements)
        return tuple(
            None if place in kind.nullable and rng.random() < _NULLS else value for place, value in enumerate(values)
        )

    def _keys(self, kind: Map, name: str, rng: Random, position: ValuePosition) -> list[object]:
        count = _count(rng, 1, kind.max_items)
        if kind.key == TEXT:
            return [*rng.sample(NOUNS, min(len(NOUNS), count))]
        return self._distinct(kind.key, count, name, rng, position)

    def _member(self, union: Union, position: ValuePosition) -> dict[str, object]:
        """An instance of the class that the drawn value of the discriminator stands for."""
        ((name, tag),) = self._fields((union.tag,), position)
        member = union.by_tag[tag]  # type: ignore[index]  # the value of a field with constants is one of them
        return dict(self._fields(member.attributes, position)) | {name: tag}

    def _scalar(self, scalar: Scalar, name: str, rng: Random, position: ValuePosition) -> object:
        """The value of a reference's target, the value of a key's slot, or a random value."""
        target = self._links.target(scalar, name, position) if scalar.facts.reference else None
        for value in self._at(target, position.hops + 1) if target else ():
            return value
        plan, path = position.plan, position.path + name
        space = self._spaces.of(
            scalar,
            _text_kind_name(plan, path, name),
            is_label=path in plan.steps or scalar.facts.distinct is not None,
            step=plan.steps.get(path, MILLISECOND),
            ttl_seconds=_lifetime(plan, path),
        )
        slot = None if position.is_inside_list else plan.slots.get(path)
        if slot is not None:
            return space.at(slot.ordinal(position.index))
        return space.at(rng.randrange(min(space.size, _pool(scalar, name, plan, space.usual))))

    def _many(self, kind: Many, name: str, rng: Random, position: ValuePosition) -> object:
        """A list, or a set of references or structured values."""
        element, count = kind.element, _count(rng, kind.min_items, kind.max_items)
        if isinstance(element, Scalar) and element.facts.reference:
            if self._is_root(element, position) and not kind.min_items:
                return [] if kind.kind == "list" else set()
            targets = self._links.targets(element, name, count, position)
            values = [value for target in targets for value in self._at(target, position.hops + 1)]
            if values:
                values += rng.choices(values, k=max(0, (kind.min_items or 0) - len(values)))
                return values if kind.kind == "list" else set(values)
        values = [self._value(element, name, rng, _apart(position, rng)) for _ in range(count)]
        if kind.has_null_elements and kind.kind == "list":
            values = [None if rng.random() < _NULLS else value for value in values]
        return values

    def _set(self, element: Scalar, count: int, name: str, rng: Random, position: ValuePosition) -> set[object]:
        return set(self._distinct(element, count, name, rng, position))

    def _distinct(self, element: Scalar, count: int, name: str, rng: Random, position: ValuePosition) -> list[object]:
        space = self._spaces.of(element, name, is_label=True)
        most = min(space.size, _MANY)
        pool = min(most, max(count, _pool(element, name, position.plan, most)))
        return [space.at(ordinal) for ordinal in rng.sample(range(pool), min(count, pool))]

    def _is_root(self, kind: Type, position: ValuePosition) -> bool:
        """Whether a self-reference has no earlier instance to point to."""
        return position.index == 0 and self._links.refers_to(kind, position.plan)


def _apart(position: ValuePosition, rng: Random) -> ValuePosition:
    """A position of its own for one of several values, so that they differ."""
    return replace(position, base=rng.getrandbits(64))


def _kind(kind: Type) -> str:
    return kind.kind if isinstance(kind, Scalar) else ""


def _text_kind_name(plan: EntityPlan, path: str, name: str) -> str:
    """The name that determines the kind of a text; a field called `name` is the name of its entity."""
    return f"{plan.entity.name.lower()}_name" if path == "name" and path not in plan.steps else name


def _lifetime(plan: EntityPlan, path: str) -> int | None:
    """Seconds after the time in this field at which the entity expires; None for any other field."""
    attributes = resolve(plan.entity.attributes, path)
    return attributes[-1].ttl_after_seconds if attributes else None


def _count(rng: Random, least: int | None, most: int | None) -> int:
    """A small random number of elements within the bounds."""
    low = least or 0
    return rng.randint(
        min(low, most) if most is not None else low, low + _ITEMS if most is None else min(most, low + _ITEMS)
    )


def _pool(scalar: Scalar, name: str, plan: EntityPlan, usual: int) -> int:
    """Number of values that a random value is drawn from; small for identifiers, so that they match other entities."""
    if scalar.facts.distinct is not None:
        return plan.pool(scalar.facts.distinct)
    if name.split("_")[-1] in ("id", "ids") and not scalar.constants:
        return max(1, plan.count)
    return usual
