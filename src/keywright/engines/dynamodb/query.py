"""The native form of what a served pattern sends, as a person would send it."""

from keywright.access.fill import Filled, Slot
from keywright.access.path import AccessPath
from keywright.access.request import Asked
from keywright.access.search import Planned
from keywright.ir.json import Json
from keywright.ir.template import Placeholder, Template

from .calls import BatchGetItem, Delete, Filling, GetItem, Place, Put, Query, Span, TransactWrite, Update
from .layout import Entity, entity_of
from .target import TableTarget

Request = dict[str, Json]


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
            found: Request = {"operation": "GetItem", "TableName": call.place.table, "Key": _key(call.place)}
            return found | _reading(call.attributes, call.is_strong)
        case BatchGetItem():
            keys: Request = {"Keys": [_key(call.place)], **_reading(call.attributes, call.is_strong)}
            return {"operation": "BatchGetItem", "RequestItems": {call.place.table: keys}}
        case Query():
            return _query(entity, call)
        case _:
            assert isinstance(call, (Put, Update, Delete))
            return _write(entity, planned, call)


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


class _Expression:
    """Names and values of the expressions of one request."""

    def __init__(self, entity: Entity) -> None:
        self.entity = entity
        self.names: dict[str, Json] = {}
        self.values: dict[str, Json] = {}

    def name(self, path: tuple[str, ...]) -> str:
        for one in path:
            self.names[_hashed(one)] = one
        return ".".join(_hashed(one) for one in path)

    def value(self, word: str, native: str, text: Json) -> str:
        self.values[f":{word}"] = {native: text}
        return f":{word}"

    def condition(self, one: Asked) -> str:
        """A filter or guard."""
        path = self.entity.stored(one.field)
        name, native, word = self.name(path), self.entity.native(one.field), one.field.replace(".", "_")
        if one.how == "present":
            return f"(attribute_exists({name}) AND NOT attribute_type({name}, {self.value('null', 'S', 'NULL')}))"
        native = native[0] if native in ("SS", "NS", "BS") else "S" if native == "L" else native
        constants: list[Json] = (
            [str(value) for value in one.constants] if one.constants is not None else [f":{one.field}"]
        )
        if one.how == "between":
            low, high = (self.value(f"{word}_{end}", native, f":{one.field}.{end}") for end in ("from", "to"))
            return f"{name} BETWEEN {low} AND {high}"
        values = [
            self.value(word if len(constants) == 1 else f"{word}_{at}", native, text)
            for at, text in enumerate(constants)
        ]
        match one.how:
            case "one_of":
                return f"{name} IN ({', '.join(values)})"
            case "prefix":
                return f"begins_with({name}, {values[0]})"
            case "contains" | "all_of":
                return f"contains({name}, {values[0]})"
            case "not":
                return f"(attribute_not_exists({name}) OR {name} <> {values[0]})"
            case how:
                return f"{name} {_SIGNS.get(how, '=')} {values[0]}"

    def parts(self) -> Request:
        """Names and values as the request carries them."""
        found: Request = {}
        if self.names:
            found["ExpressionAttributeNames"] = self.names
        if self.values:
            found["ExpressionAttributeValues"] = self.values
        return found


_SIGNS = {"equals": "=", "at_least": ">=", "below": "<"}


def _hashed(name: str) -> str:
    return "#" + "".join(sign if sign.isalnum() and sign.isascii() else "_" for sign in name)


def _reading(attributes: tuple[str, ...], is_strong: bool) -> Request:
    found: Request = {}
    if attributes:
        found["ProjectionExpression"] = ", ".join(_hashed(one) for one in attributes)
        found["ExpressionAttributeNames"] = {_hashed(one): one for one in attributes}
    if is_strong:
        found["ConsistentRead"] = True
    return found


def _key(place: Place) -> Json:
    made: dict[str, Json] = {one.attribute: {one.native: _filled(one)} for one in place.key}
    if place.copies > 1:
        first = place.key[0]
        made[first.attribute] = {first.native: f"{_filled(first)}#{{copy of {place.copies}}}"}
    return made


def _filled(filling: Filling) -> str:
    lone = filling.filled.template.lone
    if lone is not None:
        slot = filling.filled.slots[0] if filling.filled.slots else None
        return _constant(slot) or f":{lone.path}"
    return _text(filling.filled)


def _text(filled: Filled) -> str:
    """A key text, with constants in it and braces for what the caller gives."""
    slots = iter(filled.slots)
    found = ""
    for part in filled.template.parts:
        if isinstance(part, str):
            found += part
        else:
            slot = next(slots, None)
            found += (_constant(slot) if slot is not None else "") or placeholder(part)
    return found


def _constant(slot: Slot | None) -> str:
    """The value of a slot that a constant fills without a filter."""
    asked = slot.asked if slot is not None else None
    if (
        slot is None
        or asked is None
        or slot.placeholder.filters
        or asked.constants is None
        or len(asked.constants) != 1
    ):
        return ""
    return str(getattr(asked.constants[0], "value", asked.constants[0]))


def placeholder(part: Placeholder) -> str:
    """A placeholder as it is written in a template."""
    filters = "".join(f":{one.name}" + (f"({one.number})" if one.number else "") for one in part.filters)
    return f"{{{part.path}{filters}}}"


def _query(entity: Entity, call: Query) -> Json:
    expression = _Expression(entity)
    tests: list[str] = []
    for at, one in enumerate((*call.key, *call.equal)):
        word = one.attribute.replace(".", "_").replace("-", "_")
        text = _filled(one)
        if at == 0 and call.copies > 1 and not call.index:
            text += f"#{{copy of {call.copies}}}"
        tests.append(f"{expression.name((one.attribute,))} = {expression.value(word, one.native, text)}")
    if call.span is not None and (test := _span(expression, call.span)):
        tests.append(test)
    found: Request = {"operation": "Query", "TableName": call.table}
    if call.index:
        found["IndexName"] = call.index
    found["KeyConditionExpression"] = " AND ".join(tests)
    filters = [expression.condition(one) for one in call.filters]
    if call.mark is not None:
        attribute, value = call.mark
        filters.append(f"{expression.name((attribute,))} = {expression.value('mark', 'S', value)}")
    if call.head is not None:
        attribute, value = call.head
        filters.append(f"begins_with({expression.name((attribute,))}, {expression.value('head', 'S', value)})")
    if filters:
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


def _span(expression: _Expression, span: Span) -> str:
    """The condition on the sort key attribute that is read in part."""
    reading = span.reading
    word = span.attribute.replace(".", "_").replace("-", "_")
    name = expression.name((span.attribute,))
    head, lone = prefix_of(reading.template, reading.slots), reading.template.lone
    if reading.is_one:
        return f"{name} = {expression.value(word, span.native, head if lone is None else f':{lone.path}')}"
    if reading.range:
        inner = placeholder(reading.next) if reading.next is not None and lone is None else ""
        path = reading.range[0].field
        low, high = (
            (f"{head}{inner[:-1]} from}}", f"{head}{inner[:-1]} to}}") if inner else (f":{path}.from", f":{path}.to")
        )
        first, last = (
            expression.value(f"{word}_from", span.native, low),
            expression.value(f"{word}_to", span.native, high),
        )
        return f"{name} BETWEEN {first} AND {last}"
    if reading.prefix is not None:
        return f"begins_with({name}, {expression.value(word, span.native, f'{head}:{reading.prefix.field}')})"
    return f"begins_with({name}, {expression.value(word, span.native, head)})" if head else ""


def prefix_of(template: Template, slots: tuple[Slot, ...]) -> str:
    """The text up to the first placeholder that nothing fills."""
    found, at = "", 0
    for part in template.parts:
        if isinstance(part, str):
            found += part
        elif at == len(slots):
            break
        else:
            found += _constant(slots[at]) or placeholder(part)
            at += 1
    return found


def _write(entity: Entity, planned: Planned[TableTarget], call: Put | Update | Delete) -> Json:
    if call.place.copies > 1:
        one: Request = {
            "TableName": call.place.table,
            "Item": f"{{{entity.binding.entity.name}}}, {call.place.copies} copies",
        }
        word = type(call).__name__
        return {"operation": "TransactWriteItems", "TransactItems": [{word: one}]}
    expression = _Expression(entity)
    first = expression.name((call.place.key[0].attribute,)) if isinstance(call, Update) or _is_guarded(call) else ""
    if isinstance(call, Put):
        item = f"{{{entity.binding.entity.name}}}"
        if call.if_absent:
            found: Request = {"operation": "PutItem", "TableName": call.place.table, "Item": item}
            return found | {"ConditionExpression": f"attribute_not_exists({first})", **expression.parts()}
        if planned.pattern.batch > 1:
            return {"operation": "BatchWriteItem", "RequestItems": {call.place.table: [{"PutRequest": {"Item": item}}]}}
        return {"operation": "PutItem", "TableName": call.place.table, "Item": item}
    found = {
        "operation": "UpdateItem" if isinstance(call, Update) else "DeleteItem",
        "TableName": call.place.table,
        "Key": _key(call.place),
    }
    if isinstance(call, Update):
        found["UpdateExpression"] = _changes(expression, entity, call)
    guards = [expression.condition(one) for one in call.guards]
    if first:
        found["ConditionExpression"] = " AND ".join((f"attribute_exists({first})", *guards))
    return found | expression.parts()


def _is_guarded(call: Put | Update | Delete) -> bool:
    return call.if_absent if isinstance(call, Put) else bool(call.guards)


def _changes(expression: _Expression, entity: Entity, call: Update) -> str:
    sets = [
        f"{expression.name(entity.stored(path))} = "
        + expression.value(path.replace(".", "_"), entity.native(path), f":{path}")
        for path in call.sets
    ]
    for made in call.made:
        for attribute, native, template in made.attributes:
            text = "".join(part if isinstance(part, str) else placeholder(part) for part in template.parts)
            word = attribute.replace(".", "_").replace("-", "_")
            sets.append(f"{expression.name((attribute,))} = {expression.value(word, native, text)}")
    if call.pushes is not None and entity.native(call.pushes) == "L":
        name = expression.name(entity.stored(call.pushes))
        pushed = expression.value("pushed", "L", [f":{call.pushes}"])
        sets.append(f"{name} = list_append({name}, {pushed})")
    found = [f"SET {', '.join(sets)}"] if sets else []
    if call.removes:
        found.append(f"REMOVE {', '.join(expression.name(entity.stored(path)) for path in call.removes)}")
    adds = [(call.adds, "by")] if call.adds else []
    if call.pushes is not None and entity.native(call.pushes) != "L":
        adds.append((call.pushes, "pushed"))
    for path, word in adds:
        value = expression.value(word, entity.native(path), ":by" if word == "by" else [f":{path}"])
        found.append(f"ADD {expression.name(entity.stored(path))} {value}")
    return " ".join(found)
