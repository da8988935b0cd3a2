"""What one call of a served pattern costs."""

from keywright.access.cost import Cost
from keywright.access.path import AccessPath
from keywright.access.search import Planned

from ..target import TableTarget
from .calls import BatchGetItem, Delete, GetItem, Put, Query, TransactWrite, Update
from .cost_read import keys_cost, query_cost
from .cost_write import transaction_cost, write_cost
from .layout import entity_of


def cost(planned: Planned[TableTarget]) -> Cost:
    """See `Engine.cost`."""
    assert isinstance(planned.path, AccessPath)
    call = planned.path.call
    if isinstance(call, TransactWrite):
        return transaction_cost(planned)
    entity = entity_of(planned.target, planned.binding)
    assert entity is not None
    match call:
        case GetItem() | BatchGetItem():
            return keys_cost(entity, planned, call)
        case Query():
            return query_cost(entity, planned, call)
        case _:
            assert isinstance(call, (Put, Update, Delete))
            return write_cost(entity, planned, call)
