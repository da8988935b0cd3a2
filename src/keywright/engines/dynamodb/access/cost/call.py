"""Cost of one call of a served pattern."""

from keywright.access.cost import Cost
from keywright.access.search import Planned

from ...schema.target import TableTarget
from ..calls import (
    BatchGetItem,
    DeleteItem,
    GetItem,
    PutItems,
    QueryItems,
    QueryTogether,
    ScanItems,
    TransactGet,
    TransactWrite,
    UpdateItem,
)
from ..layout import entity_of
from .read import keys_cost, query_cost
from .scan import scan_cost
from .together import gets_cost, together_cost
from .write import transaction_cost, write_cost


def cost(planned: Planned[TableTarget]) -> Cost:
    """See `Engine.cost`."""
    call = planned.access_path.call
    if isinstance(call, TransactWrite):
        return transaction_cost(planned)
    if isinstance(call, QueryTogether):
        return together_cost(planned, call)
    if isinstance(call, TransactGet):
        return gets_cost(planned, call)
    entity = entity_of(planned.target, planned.binding)
    assert entity is not None
    match call:
        case GetItem() | BatchGetItem():
            return keys_cost(entity, planned, call)
        case QueryItems():
            return query_cost(entity, planned, call)
        case ScanItems():
            return scan_cost(entity, planned, call)
        case _:
            assert isinstance(call, (PutItems, UpdateItem, DeleteItem))
            return write_cost(entity, planned, call)
