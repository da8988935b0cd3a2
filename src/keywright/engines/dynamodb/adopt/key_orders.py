"""See `KeyOrder`: the key of the table, and the indexes that contain an entity."""

from collections.abc import Collection, Iterable, Iterator

from keywright.access.query import Condition
from keywright.engines.contract.adoption import KeyOrder
from keywright.ir.binding import Binding
from keywright.ir.pattern import ConstantCondition

from ..access.layout import FilledKeyPart, Route, entity_of
from ..declare.options import Item
from ..schema.target import TableTarget


def key_orders(table: TableTarget, binding: Binding[Item]) -> Iterator[KeyOrder]:
    """See `Adoption.key_orders`."""
    entity = entity_of(table, binding)
    for route in entity.routes if entity is not None else ():
        equal = _fields(route.hashes)
        order = tuple(path for path in _fields(route.sorts) if path not in equal)
        conditions = (*map(_constant, route.where), *_present(route, equal))
        yield KeyOrder(route.index, equal, order, not route.index, conditions)


def _fields(parts: Iterable[FilledKeyPart]) -> tuple[str, ...]:
    placeholders = (placeholder for part in parts for placeholder in part.template.placeholders)
    return tuple(dict.fromkeys(placeholder.path for placeholder in placeholders if placeholder.path))


def _present(route: Route, equal: Collection[str]) -> Iterator[ConstantCondition]:
    """Conditions on the optional fields of a sort key: items without them are not in the index."""
    declared = {condition.field for condition in route.where}
    for path in route.optional:
        if path not in equal and path not in declared:
            yield ConstantCondition(path, "present")


def _constant(condition: Condition) -> ConstantCondition:
    return ConstantCondition(condition.field, condition.kind, condition.constants or ())  # type: ignore[arg-type]  # an index has constants
