"""Targets of references, chosen reproducibly so that copies from the same target agree."""

from collections.abc import Mapping
from random import Random

from keywright.ir.attribute import Attribute, Scalar, Type
from keywright.ir.design import Design
from keywright.record import Record

from .plan import EntityPlan, identifying, referred
from .space import derive


class ValuePosition(Record):
    """The position of a value."""

    plan: EntityPlan
    """Its entity."""
    index: int
    """The instance."""
    base: int
    """The number that the values around it are derived from."""
    path: str = ""
    """Path of the embedding model, with a trailing dot."""
    is_inside_list: bool = False
    """Whether an instance has several such values, so that they are not part of a key."""
    hops: int = 0
    """Number of references that lead here."""


class LinkTarget(Record):
    """The target of a reference."""

    plan: EntityPlan
    """The entity."""
    path: str
    """The field with the value of the reference."""
    index: int
    """The instance."""


class Links:
    """Chooses targets."""

    def __init__(self, design: Design, plans: Mapping[str, EntityPlan]) -> None:
        self._design, self._plans = design, plans

    def target(self, scalar: Scalar, name: str, position: ValuePosition) -> LinkTarget | None:
        """The target of a field; None if the field is not a reference, or its entity has no key of such values.

        An entity that refers to itself refers to an earlier instance; its first instance refers to itself.
        """
        slot = None if position.is_inside_list else position.plan.slots.get(position.path + name)
        if slot is not None:
            if slot.via is None:
                return None
            plan = self._plans[slot.via[0]]
            stride = plan.slots[slot.via[1]].stride
            return LinkTarget(plan, slot.via[1], slot.ordinal(position.index) * stride)
        if (candidates := self._candidates(scalar, name, position)) is None:
            return None
        plan, path, limit = candidates
        most = scalar.facts.reference.max_referrers if scalar.facts.reference else None
        if most is not None and most < position.plan.count and not position.is_inside_list:
            return LinkTarget(plan, path, position.index % limit)
        return LinkTarget(plan, path, Random(derive(position.base, name, "target")).randrange(limit))

    def targets(self, scalar: Scalar, name: str, count: int, position: ValuePosition) -> list[LinkTarget]:
        """Different targets for the elements of a list, at most `count`."""
        if (candidates := self._candidates(scalar, name, position)) is None:
            return []
        plan, path, limit = candidates
        rng = Random(derive(position.base, name, "target"))
        return [LinkTarget(plan, path, index) for index in rng.sample(range(limit), min(count, limit))]

    def source(
        self, attribute: Attribute, siblings: tuple[Attribute, ...], position: ValuePosition
    ) -> LinkTarget | None:
        """The source of a copied field: the target of a sibling reference, or any instance."""
        copied = attribute.copied_from
        entity = referred(self._design, copied.entity) if copied else None
        plan = self._plans.get(entity.name) if entity else None
        if copied is None or plan is None or plan.count == 0:
            return None
        for sibling in siblings:
            if isinstance(sibling.type, Scalar) and self.refers_to(sibling.type, plan):
                target = self.target(sibling.type, sibling.name, position)
                return target and LinkTarget(plan, copied.attribute, target.index)
        index = Random(derive(position.base, attribute.name, "source")).randrange(plan.count)
        return LinkTarget(plan, copied.attribute, index)

    def refers_to(self, kind: Type, plan: EntityPlan) -> bool:
        """Whether values of the type are keys of that entity."""
        reference = kind.facts.reference
        entity = referred(self._design, reference.entity) if reference else None
        return entity is not None and entity.name == plan.entity.name

    def _candidates(self, scalar: Scalar, name: str, position: ValuePosition) -> tuple[EntityPlan, str, int] | None:
        """(plan, path of the key, number of possible targets)."""
        reference = scalar.facts.reference
        entity = referred(self._design, reference.entity) if reference else None
        plan = self._plans.get(entity.name) if entity else None
        path = identifying(plan, name, scalar) if plan else None
        if plan is None or path is None or plan.count == 0:
            return None
        limit = max(1, position.index) if plan.entity.name == position.plan.entity.name else plan.count
        return plan, path, min(limit, scalar.facts.distinct or limit)
