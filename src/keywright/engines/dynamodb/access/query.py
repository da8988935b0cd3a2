"""The native form of what a served pattern sends, as a person would send it."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.ir.json import Json

from ..target import TableTarget
from .calls import BatchGetItem, Delete, GetItem, Put, Query, Span, TransactWrite, Update
from .layout import Entity, entity_of
from .query_write import write_query
from .wording import Expression, Request, filled_text, hashed, key_of, placeholder, prefix_of, worded


def query(planned: Planned[TableTarget]) -> Json:
    """See `Engine.query`."""
    assert isinstance(planned.path, AccessPath)
    call = planned.path.call
    if isinstance(call, TransactWrite):
        return {"operation": "TransactWriteItems", "TransactItems": [_action(part) for part in planned.parts]}
    entity = entity_of(planned.target, planned.binding)
    assert entity is not None
    match call:
        case GetItem():
            found: Request = {"operation": "GetItem", "TableName": call.place.table, "Key": key_of(call.place)}
            return found | _reading(call.attributes, call.is_strong)
        case BatchGetItem():
            keys: Request = {"Keys": [key_of(call.place)], **_reading(call.attributes, call.is_strong)}
            return {"operation": "BatchGetItem", "RequestItems": {call.place.table: keys}}
        case Query():
            return _query(entity, call)
        case _:
            assert isinstance(call, (Put, Update, Delete))
            return write_query(entity, planned, call)


def _action(part: Planned[TableTarget]) -> Json:
    """One write of a transaction, under the word for it."""
    found = query(part)
    assert isinstance(found, dict)
    operation = str(found.pop("operation"))
    word = {"PutItem": "Put", "UpdateItem": "Update", "DeleteItem": "Delete"}.get(operation, operation)
    if operation == "TransactWriteItems":
        return found["TransactItems"]
    if operation == "BatchWriteItem":
        return {"Put": {"TableName": part.target.name, "Item": f"{{{part.binding.entity.name}}}"}}
    return {word: found}


def _reading(attributes: tuple[str, ...], is_strong: bool) -> Request:
    found: Request = {}
    if attributes:
        found["ProjectionExpression"] = ", ".join(hashed(one) for one in attributes)
        found["ExpressionAttributeNames"] = {hashed(one): one for one in attributes}
    if is_strong:
        found["ConsistentRead"] = True
    return found


def _query(entity: Entity, call: Query) -> Json:
    expression = Expression(entity)
    found: Request = {"operation": "Query", "TableName": call.table}
    if call.index:
        found["IndexName"] = call.index
    found["KeyConditionExpression"] = " AND ".join(_key_tests(expression, call))
    if filters := list(_filters(expression, call)):
        found["FilterExpression"] = " AND ".join(filters)
    if call.counts:
        found["Select"] = "COUNT"
    elif call.attributes and not call.fetches:
        found["ProjectionExpression"] = ", ".join(expression.name((one,)) for one in call.attributes)
    found |= expression.parts()
    if call.is_backward:
        found["ScanIndexForward"] = False
    if call.limit is not None and not call.counts:
        found["Limit"] = call.limit
    if call.is_strong:
        found["ConsistentRead"] = True
    if not call.fetches:
        return found
    key: Json = {name: f"{{{name}}}" for name in call.table_key}
    wanted = _reading(call.attributes, is_strong=False)
    return [found, {"operation": "BatchGetItem", "RequestItems": {call.table: {"Keys": [key], **wanted}}}]


def _key_tests(expression: Expression, call: Query) -> Iterator[str]:
    for at, one in enumerate((*call.key, *call.equal)):
        text = filled_text(one)
        if at == 0 and call.copies > 1:
            text += f"#{{copy of {call.copies}}}"
        yield f"{expression.name((one.attribute,))} = {expression.value(worded(one.attribute), one.native, text)}"
    if call.span is not None and (test := _span(expression, call.span)):
        yield test


def _filters(expression: Expression, call: Query) -> Iterator[str]:
    yield from map(expression.condition, call.filters)
    if call.mark is not None:
        attribute, value = call.mark
        yield f"{expression.name((attribute,))} = {expression.value('mark', 'S', value)}"
    if call.head is not None:
        attribute, value = call.head
        yield f"begins_with({expression.name((attribute,))}, {expression.value('head', 'S', value)})"


def _span(expression: Expression, span: Span) -> str:
    """The condition on the sort key attribute that is read in part; empty where all of it is."""
    reading, word = span.reading, worded(span.attribute)
    head, lone = prefix_of(reading.template, reading.slots), reading.template.lone
    if reading.is_one:
        text = head if lone is None else f":{lone.path}"
        return f"{expression.name((span.attribute,))} = {expression.value(word, span.native, text)}"
    if reading.range:
        ends = _ends(span, head)
        low, high = (
            expression.value(f"{word}_{end}", span.native, text) for end, text in zip(("from", "to"), ends, strict=True)
        )
        return f"{expression.name((span.attribute,))} BETWEEN {low} AND {high}"
    if reading.prefix is not None:
        head += f":{reading.prefix.field}"
    if not head:
        return ""
    return f"begins_with({expression.name((span.attribute,))}, {expression.value(word, span.native, head)})"


def _ends(span: Span, head: str) -> tuple[str, str]:
    """The two ends of a range, in words."""
    reading = span.reading
    path = reading.range[0].field
    if reading.template.lone is not None or reading.next is None:
        return f":{path}.from", f":{path}.to"
    inner = placeholder(reading.next)[:-1]
    return f"{head}{inner} from}}", f"{head}{inner} to}}"
