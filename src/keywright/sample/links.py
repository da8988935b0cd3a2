"""To which instances references point: a choice that can be made again, by whoever copies from the same instance."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from keywright.ir.attribute import Attribute, Scalar, Type
from keywright.ir.design import Design

from .plan import Plan, identifying, referred
from .seeds import derive


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value stands."""

    plan: Plan
    """Its entity."""
    index: int
    """The instance."""
    base: int
    """What the values around it are derived from."""
    path: str = ""
    """Path of the model around it, with a dot behind."""
    is_inside_list: bool = False
    """Whether an instance has several of it, so that it is no part of a key."""
    hops: int = 0
    """How many references led here."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference points to."""

    plan: Plan
    """The entity."""
    path: str
    """The field whose value the reference holds."""
    index: int
    """The instance."""


class Links:
    """Chooses targets."""

    def __init__(self, design: Design, plans: Mapping[str, Plan]) -> None:
        self._design, self._plans = design, plans

    def target(self, scalar: Scalar, name: str, spot: Spot) -> Target | None:
        """The target of a field; None if it is no reference, or its entity has no key of such values.

        An entity that refers to itself points to an instance before; the first one, to itself.
        """
        slot = None if spot.is_inside_list else spot.plan.slots.get(spot.path + name)
        if slot is not None:
            if slot.via is None:
                return None
            plan = self._plans[slot.via[0]]
            stride = plan.slots[slot.via[1]].stride
            return Target(plan, slot.via[1], slot.ordinal(spot.index) * stride)
        if (found := self._found(scalar, name, spot)) is None:
            return None
        plan, path, limit = found
        most = scalar.facts.reference.max_referrers if scalar.facts.reference else None
        if most is not None and most < spot.plan.count and not spot.is_inside_list:
            return Target(plan, path, spot.index % limit)
        return Target(plan, path, Random(derive(spot.base, name, "target")).randrange(limit))

    def targets(self, scalar: Scalar, name: str, count: int, spot: Spot) -> list[Target]:
        """Different targets for the elements of a list, as many as there are up to the count."""
        if (found := self._found(scalar, name, spot)) is None:
            return []
        plan, path, limit = found
        rng = Random(derive(spot.base, name, "target"))
        return [Target(plan, path, index) for index in rng.sample(range(limit), min(count, limit))]

    def source(self, attribute: Attribute, siblings: tuple[Attribute, ...], spot: Spot) -> Target | None:
        """What a copied field is copied from: the target of the reference beside it, or any instance."""
        copied = attribute.copied_from
        entity = referred(self._design, copied.entity) if copied else None
        plan = self._plans.get(entity.name) if entity else None
        if copied is None or plan is None or plan.count == 0:
            return None
        for one in siblings:
            if isinstance(one.type, Scalar) and self.refers_to(one.type, plan):
                target = self.target(one.type, one.name, spot)
                return target and Target(plan, copied.attribute, target.index)
        index = Random(derive(spot.base, attribute.name, "source")).randrange(plan.count)
        return Target(plan, copied.attribute, index)

    def refers_to(self, kind: Type, plan: Plan) -> bool:
        """Whether values of the type are keys of that entity."""
        reference = kind.facts.reference
        found = referred(self._design, reference.entity) if reference else None
        return found is not None and found.name == plan.entity.name

    def _found(self, scalar: Scalar, name: str, spot: Spot) -> tuple[Plan, str, int] | None:
        """(plan, path of the key, how many instances there are to point to)."""
        reference = scalar.facts.reference
        entity = referred(self._design, reference.entity) if reference else None
        plan = self._plans.get(entity.name) if entity else None
        path = identifying(plan, name, scalar) if plan else None
        if plan is None or path is None or plan.count == 0:
            return None
        limit = max(1, spot.index) if plan.entity.name == spot.plan.entity.name else plan.count
        return plan, path, min(limit, scalar.facts.distinct or limit)
