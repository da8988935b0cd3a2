"""See `KeyOrder`: `_id` and the indexes of a collection."""

from collections.abc import Iterator

from keywright.engines.contract.adoption import KeyOrder
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve

from ..access.layout import IndexView, Layout, view
from ..declare.filters import simple_tests
from ..declare.options import AnyCollection
from ..schema.lower_index import lowered
from ..schema.target import DatabaseTarget

_SORTED = "date", "datetime", "decimal", "float"
"""Kinds of fields by which documents are more often ordered than found."""


def key_orders(database: DatabaseTarget, binding: Binding[AnyCollection]) -> Iterator[KeyOrder]:
    """See `Adoption.key_orders`. Indexes that only expire documents, and those of other kinds, propose nothing, nor do
    partial ones that test a field twice: a pattern has one condition on each field.
    """
    layout = view(database, binding)
    if layout is None:
        return
    if layout.id_field is not None:
        yield KeyOrder("", (layout.id_field,), is_unique=True)
    if binding.spec.source:
        return  # its collection proposes the reads
    where = {lowered(binding, index).name: tuple(simple_tests(index.where)) for index in binding.spec.indexes}
    for index in layout.indexes:
        name = index.target.name
        conditions = where.get(name, ())
        is_said = len({condition.field for condition in conditions}) == len(conditions)
        if index.kind == "fields" and index.target.expire_after_seconds is None and is_said:
            equal, order = _divided(layout, index)
            yield KeyOrder(name, equal, order, index.target.is_unique, conditions)


def _divided(layout: Layout, index: IndexView) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(fields compared by equality, fields of the order): the last field is an order if it is descending or a time."""
    *before, (last, direction) = index.keys
    equal = tuple(name for name, _ in before)
    attributes = resolve(layout.attributes, last)
    kind = attributes[-1].type if attributes else None
    if equal and layout.has_any_type(last):  # no next page can begin after a value of any type
        return equal, ()
    is_sorted = isinstance(kind, Scalar) and kind.kind in _SORTED
    if index.target.is_unique or not (direction == -1 or is_sorted):
        return (*equal, last), ()
    return equal, (f"-{last}" if direction == -1 else last,)
