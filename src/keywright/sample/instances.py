"""Instances of entities: each value a function of seed, entity, field and index, so that any can be made again.

That is how references and copies agree with what they point to, while nothing is kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.design import Design
from keywright.ir.entity import resolve

from .fit import fits
from .given import always_given, statics
from .links import Links, Spot, Target
from .plan import Plan
from .seeds import derive
from .spaces import Spaces
from .times import MILLISECOND
from .words import NOUNS

_NULLS = 0.2
_DEFAULTS = 0.25
_ITEMS = 5
_MOST_HOPS = 8  # a copy of a copy of a copy: a circle of them ends here
_MANY = 2**48
_MADE_KINDS = ("uuid", "datetime")  # their defaults are often made anew each time, and data would differ


class Instances:
    """Makes the instances that plans ask for."""

    def __init__(self, design: Design, plans: Mapping[str, Plan], spaces: Spaces) -> None:
        self._spaces, self._links = spaces, Links(design, plans)
        self._given = {name: always_given(design, plan) for name, plan in plans.items()}
        self._statics = {name: statics(design, plan.entity) for name, plan in plans.items()}

    def instance(self, plan: Plan, index: int) -> dict[str, object]:
        """The values of one instance, by the names under which the model takes them."""
        return dict(self._fields(plan.entity.attributes, self._spot(plan, index, 0)))

    def _spot(self, plan: Plan, index: int, hops: int) -> Spot:
        return Spot(plan, index, derive(self._spaces.seed, plan.entity.name, index), hops=hops)

    def _fields(self, attributes: tuple[Attribute, ...], spot: Spot) -> Iterator[tuple[str, object]]:
        for attribute in attributes:
            for value in self._field(attribute, attributes, spot):
                yield attribute.given, value

    def _field(self, attribute: Attribute, siblings: tuple[Attribute, ...], spot: Spot) -> Iterator[object]:
        """The value of a field; nothing where the model's default shall count."""
        spot = self._in_partition(attribute, spot)
        rng = Random(derive(spot.base, attribute.name))
        if spot.path + attribute.name not in self._given[spot.plan.entity.name]:
            if attribute.is_nullable and (rng.random() < _NULLS or self._is_root(attribute.type, spot)):
                yield None
                return
            if not attribute.is_required and rng.random() < _DEFAULTS and _kind(attribute.type) not in _MADE_KINDS:
                return
        if any(one.overflow and one.overflow.flag == attribute.name for one in siblings):
            yield False  # all elements are in the list itself
            return
        copies = self._copied(attribute, siblings, spot) if attribute.copied_from else []
        yield copies[0] if copies else self._value(attribute.type, attribute.name, rng, spot)

    def _in_partition(self, attribute: Attribute, spot: Spot) -> Spot:
        """The spot from which a field's value derives: the partition's, for what a partition has once."""
        name = spot.plan.entity.name
        partition = None if spot.path else self._statics[name].get(attribute.name)
        if partition is None:
            return spot
        shared = [value for path in partition for value in self._at(Target(spot.plan, path, spot.index), spot.hops)]
        return replace(spot, base=derive(self._spaces.seed, name, *shared))

    def _copied(self, attribute: Attribute, siblings: tuple[Attribute, ...], spot: Spot) -> list[object]:
        """The value that a field copies, if there is one that is legal in it."""
        source = self._links.source(attribute, siblings, spot)
        own = source.plan.entity.attribute(source.path) if source else None
        if source is None or own is None:
            return []
        values = self._at(source, spot.hops + 1)
        return [value for value in values if value is not None and fits(attribute.type, own.type, value)]

    def _at(self, target: Target, hops: int) -> list[object]:
        """The value of a field of another instance; empty where it has none."""
        attributes = target.plan.entity.attributes
        along = resolve(attributes, target.path)
        if along is None or hops > _MOST_HOPS:
            return []
        values = list(self._field(along[0], attributes, self._spot(target.plan, target.index, hops)))
        for attribute in along[1:]:
            values = [
                value[attribute.given] for value in values if isinstance(value, dict) and attribute.given in value
            ]
        return values

    def _value(self, kind: Type, name: str, rng: Random, spot: Spot) -> object:
        match kind:
            case Scalar():
                return self._scalar(kind, name, rng, spot)
            case Struct():
                inner = replace(spot, base=rng.getrandbits(64), path=f"{spot.path}{name}.")
                return dict(self._fields(kind.attributes, inner))
            case Many(kind="set", element=Scalar() as element) if not element.facts.reference:
                return self._set(element, _count(rng, kind.min_items, kind.max_items), name, rng, spot)
            case Many():
                return self._many(kind, name, rng, replace(spot, is_inside_list=True))
            case Map():
                inside = replace(spot, is_inside_list=True)
                keys = rng.sample(NOUNS, min(len(NOUNS), _count(rng, 1, kind.max_items)))
                return {key: self._value(kind.value, name, rng, _apart(inside, rng)) for key in keys}

    def _scalar(self, scalar: Scalar, name: str, rng: Random, spot: Spot) -> object:
        """What a reference holds, a key's own number, or a free value."""
        target = self._links.target(scalar, name, spot) if scalar.facts.reference else None
        for value in self._at(target, spot.hops + 1) if target else ():
            return value
        plan, path = spot.plan, spot.path + name
        space = self._spaces.of(
            scalar,
            _known_as(plan, path, name),
            is_label=path in plan.steps or scalar.facts.distinct is not None,
            step=plan.steps.get(path, MILLISECOND),
            ttl_seconds=_lifetime(plan, path),
        )
        slot = None if spot.is_inside_list else plan.slots.get(path)
        if slot is not None:
            return space.at(slot.ordinal(spot.index))
        return space.at(rng.randrange(min(space.size, _pool(scalar, name, plan, space.usual))))

    def _many(self, kind: Many, name: str, rng: Random, spot: Spot) -> object:
        """A list, or a set of what is no single value or refers to others."""
        element, count = kind.element, _count(rng, kind.min_items, kind.max_items)
        if isinstance(element, Scalar) and element.facts.reference:
            if self._is_root(element, spot) and not kind.min_items:
                return [] if kind.kind == "list" else set()
            targets = self._links.targets(element, name, count, spot)
            values = [value for target in targets for value in self._at(target, spot.hops + 1)]
            if values:
                values += rng.choices(values, k=max(0, (kind.min_items or 0) - len(values)))
                return values if kind.kind == "list" else set(values)
        values = [self._value(element, name, rng, _apart(spot, rng)) for _ in range(count)]
        if kind.has_null_elements and kind.kind == "list":
            values = [None if rng.random() < _NULLS else value for value in values]
        return values

    def _set(self, element: Scalar, count: int, name: str, rng: Random, spot: Spot) -> set[object]:
        space = self._spaces.of(element, name, is_label=True)
        most = min(space.size, _MANY)
        pool = min(most, max(count, _pool(element, name, spot.plan, most)))
        return {space.at(ordinal) for ordinal in rng.sample(range(pool), min(count, pool))}

    def _is_root(self, kind: Type, spot: Spot) -> bool:
        """Whether the value would refer to an instance before the first one."""
        return spot.index == 0 and self._links.refers_to(kind, spot.plan)


def _apart(spot: Spot, rng: Random) -> Spot:
    """The spot of one of several values, which must not derive from the same as the others."""
    return replace(spot, base=rng.getrandbits(64))


def _kind(kind: Type) -> str:
    return kind.kind if isinstance(kind, Scalar) else ""


def _known_as(plan: Plan, path: str, name: str) -> str:
    """The name by which a text's kind is guessed: whose name a bare `name` is, the entity says."""
    return f"{plan.entity.name.lower()}_name" if path == "name" and path not in plan.steps else name


def _lifetime(plan: Plan, path: str) -> int | None:
    """Seconds after this field's time at which the entity expires; None for any other field."""
    ttl = plan.entity.ttl
    return ttl.ttl_after_seconds if ttl is not None and ttl.name == path else None


def _count(rng: Random, least: int | None, most: int | None) -> int:
    """A small number of elements within the bounds."""
    low = least or 0
    return rng.randint(
        min(low, most) if most is not None else low, low + _ITEMS if most is None else min(most, low + _ITEMS)
    )


def _pool(scalar: Scalar, name: str, plan: Plan, usual: int) -> int:
    """From how many values a free one is drawn: for identifiers few enough that they meet those of others."""
    if scalar.facts.distinct is not None:
        return plan.pool(scalar.facts.distinct)
    if name.split("_")[-1] in ("id", "ids") and not scalar.constants:
        return max(1, plan.count)
    return usual
