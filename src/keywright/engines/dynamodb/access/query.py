"""Native form of the requests of a served pattern, as a person would write it."""

from collections.abc import Iterator

from keywright.access.search import Planned
from keywright.ir.json import Json

from ..schema.target import TableTarget
from .calls import (
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
from .layout import Layout, entity_of
from .query_span import Shown, span_test, together_test
from .query_write import write_query
from .wording import Request, ShownExpression, filled_text, hashed, key_of, worded


def query(planned: Planned[TableTarget]) -> Json:
    """See `Engine.query`."""
    call = planned.access_path.call
    if isinstance(call, TransactWrite):
        return {"operation": "TransactWriteItems", "TransactItems": [_action(part) for part in planned.parts]}
    if isinstance(call, TransactGet):
        return {"operation": "TransactGetItems", "TransactItems": [_get(part) for part in planned.parts]}
    entity = entity_of(planned.target, planned.binding)
    assert entity is not None
    match call:
        case QueryTogether():
            return _query(entity, call.query, together_test(planned, call.query))
        case GetItem():
            read: Request = {"operation": "GetItem", "TableName": call.place.table, "Key": key_of(call.place)}
            return read | _reading(call.attributes, call.is_strong)
        case BatchGetItem():
            keys: Request = {"Keys": [key_of(call.place)], **_reading(call.attributes, call.is_strong)}
            return {"operation": "BatchGetItem", "RequestItems": {call.place.table: keys}}
        case QueryItems():
            return _query(entity, call)
        case ScanItems():
            return _scan(entity, call)
        case _:
            assert isinstance(call, (PutItems, UpdateItem, DeleteItem))
            return write_query(entity, planned, call)


def _action(part: Planned[TableTarget]) -> Json:
    """One write of a transaction, under the name of its action."""
    request = query(part)
    assert isinstance(request, dict)
    operation = str(request.pop("operation"))
    action = {"PutItem": "Put", "UpdateItem": "Update", "DeleteItem": "Delete"}.get(operation, operation)
    if operation == "TransactWriteItems":
        return request["TransactItems"]
    if operation == "BatchWriteItem":
        return {"Put": {"TableName": part.target.name, "Item": f"{{{part.binding.entity.name}}}"}}
    return {action: request}


def _reading(attributes: tuple[str, ...], is_strong: bool) -> Request:
    parameters: Request = {}
    if attributes:
        parameters["ProjectionExpression"] = ", ".join(hashed(attribute) for attribute in attributes)
        parameters["ExpressionAttributeNames"] = {hashed(attribute): attribute for attribute in attributes}
    if is_strong:
        parameters["ConsistentRead"] = True
    return parameters


def _get(part: Planned[TableTarget]) -> Json:
    """One read of a transaction, without the consistency that a transaction has anyway."""
    request = query(part)
    assert isinstance(request, dict)
    return {"Get": {name: value for name, value in request.items() if name not in ("operation", "ConsistentRead")}}


def _query(entity: Layout, call: QueryItems, together: Shown = lambda expression: "") -> Json:
    expression = ShownExpression(entity)
    request: Request = {"operation": "Query", "TableName": call.table}
    if call.index:
        request["IndexName"] = call.index
    tests = [*_key_tests(expression, call), together(expression)]
    request["KeyConditionExpression"] = " AND ".join(filter(None, tests))
    if filters := list(_filters(expression, call)):
        request["FilterExpression"] = " AND ".join(filters)
    if call.counts:
        request["Select"] = "COUNT"
    elif call.attributes and not call.fetches:
        request["ProjectionExpression"] = ", ".join(expression.name((attribute,)) for attribute in call.attributes)
    request |= expression.parts()
    if call.is_backward:
        request["ScanIndexForward"] = False
    if call.limit is not None and not call.counts:
        request["Limit"] = call.limit
    if call.is_strong:
        request["ConsistentRead"] = True
    if not call.fetches:
        return request
    key: Json = {name: f"{{{name}}}" for name in call.table_key}
    reading = _reading(call.attributes, is_strong=False)
    return [request, {"operation": "BatchGetItem", "RequestItems": {call.table: {"Keys": [key], **reading}}}]


def _scan(entity: Layout, call: ScanItems) -> Json:
    query = call.query
    request = _query(entity, query)
    assert isinstance(request, dict)
    parameters = {name: value for name, value in request.items() if name != "KeyConditionExpression"}
    segments: Request = {"Segment": "{segment}", "TotalSegments": call.segments} if call.segments > 1 else {}
    return {**parameters, "operation": "Scan", **segments}


def _key_tests(expression: ShownExpression, call: QueryItems) -> Iterator[str]:
    for position, filling in enumerate((*call.key, *call.equal)):
        text = filled_text(filling)
        if position == 0 and call.copies > 1:
            text += f"#{{copy of {call.copies}}}"
        yield (
            f"{expression.name((filling.attribute,))} = "
            f"{expression.value(worded(filling.attribute), filling.native, text)}"
        )
    if call.span is not None and (test := span_test(expression, call.span)):
        yield test


def _filters(expression: ShownExpression, call: QueryItems) -> Iterator[str]:
    yield from map(expression.condition, call.filters)
    if (discriminator := call.discriminator) is not None:
        name = expression.name((discriminator.attribute,))
        first, *others = (
            expression.value(f"mark{at or ''}", "S", text) for at, text in enumerate(discriminator.values)
        )
        yield f"{name} IN ({', '.join((first, *others))})" if others else f"{name} = {first}"
    if call.head is not None:
        attribute, value = call.head
        yield f"begins_with({expression.name((attribute,))}, {expression.value('head', 'S', value)})"
