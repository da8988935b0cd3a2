"""See `KeyOrder`: the primary key of a table, its views and its indexes."""

from collections.abc import Iterator

from keywright.engines.contract.adoption import KeyOrder
from keywright.ir.binding import Binding

from ..access.layout import layout
from ..access.relation import RelationColumn
from ..declare.options import CqlTable
from ..schema.target import KeyspaceTarget


def key_orders(keyspace: KeyspaceTarget, binding: Binding[CqlTable]) -> Iterator[KeyOrder]:
    """See `Adoption.key_orders`."""
    entity = layout(keyspace, binding)
    if entity is None:
        return
    for relation in (entity.table, *entity.views):
        name = "" if relation.kind == "table" else relation.name
        equal = tuple(part.cell.field for part in relation.partition)
        yield KeyOrder(name, equal, tuple(map(_signed, relation.clustering)), relation.kind == "table")
    for index in entity.indexes:
        if index.similarity:
            yield KeyOrder(index.name, (), near=index.part.cell.field)
        elif not index.of:
            yield KeyOrder(index.name, (index.part.cell.field,))


def _signed(part: RelationColumn) -> str:
    return f"-{part.cell.field}" if part.is_descending else part.cell.field
