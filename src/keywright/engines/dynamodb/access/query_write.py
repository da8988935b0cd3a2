"""The native form of writes."""

from keywright.access.search import Planned
from keywright.ir.json import Json

from ..target import TableTarget
from .calls import Delete, Put, Update
from .layout import Entity
from .wording import Expression, Request, key_of, placeholder


def write_query(entity: Entity, planned: Planned[TableTarget], call: Put | Update | Delete) -> Json:
    """One write, of all read copies where there are several."""
    if call.place.copies > 1:
        one: Request = {
            "TableName": call.place.table,
            "Item": f"{{{entity.binding.entity.name}}}, {call.place.copies} copies",
        }
        word = type(call).__name__
        return {"operation": "TransactWriteItems", "TransactItems": [{word: one}]}
    expression = Expression(entity)
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
        "Key": key_of(call.place),
    }
    if isinstance(call, Update):
        found["UpdateExpression"] = _changes(expression, entity, call)
    guards = [expression.condition(one) for one in call.guards]
    if first:
        found["ConditionExpression"] = " AND ".join((f"attribute_exists({first})", *guards))
    return found | expression.parts()


def _is_guarded(call: Put | Update | Delete) -> bool:
    return call.if_absent if isinstance(call, Put) else bool(call.guards)


def _changes(expression: Expression, entity: Entity, call: Update) -> str:
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
