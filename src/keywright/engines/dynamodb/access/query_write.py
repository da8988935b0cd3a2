"""Native form of writes."""

from keywright.access.partial_write import Versions
from keywright.access.search import Planned
from keywright.declare.store import VERSION
from keywright.ir.json import Json
from keywright.ir.text import counted

from ..schema.target import TableTarget
from .calls import DeleteItem, PutItems, TemplateAttribute, UpdateItem
from .layout import Layout
from .wording import Request, ShownExpression, key_of, placeholder


def write_query(entity: Layout, planned: Planned[TableTarget], call: PutItems | UpdateItem | DeleteItem) -> Json:
    """One write; all read copies in one transaction if there are several."""
    if call.place.copies > 1:
        action: Request = {
            "TableName": call.place.table,
            "Item": f"{{{entity.binding.entity.name}}}, {counted(call.place.copies, 'copy', 'copies')}",
        }
        word = "Put" if isinstance(call, PutItems) else "Update" if isinstance(call, UpdateItem) else "Delete"
        return {"operation": "TransactWriteItems", "TransactItems": [{word: action}]}
    expression = ShownExpression(entity)
    first = expression.name((call.place.key[0].attribute,)) if isinstance(call, UpdateItem) or _is_guarded(call) else ""
    if isinstance(call, PutItems):
        item = f"{{{entity.binding.entity.name}}}"
        if call.if_absent:
            request: Request = {"operation": "PutItem", "TableName": call.place.table, "Item": item}
            return request | {"ConditionExpression": f"attribute_not_exists({first})", **expression.parts()}
        if planned.pattern.batch > 1:
            return {"operation": "BatchWriteItem", "RequestItems": {call.place.table: [{"PutRequest": {"Item": item}}]}}
        return {"operation": "PutItem", "TableName": call.place.table, "Item": item}
    request = {
        "operation": "UpdateItem" if isinstance(call, UpdateItem) else "DeleteItem",
        "TableName": call.place.table,
        "Key": key_of(call.place),
    }
    if isinstance(call, UpdateItem):
        request["UpdateExpression"] = _update_expression(expression, entity, call)
    guards = [expression.condition(guard) for guard in call.guards]
    if isinstance(call, UpdateItem) and call.versions is not None:
        guards.append(_version_guard(expression, call.versions))
    if first:
        request["ConditionExpression"] = " AND ".join((f"attribute_exists({first})", *guards))
    return request | expression.parts()


def _version_guard(expression: ShownExpression, versions: Versions) -> str:
    """Condition on the schema version of an item."""
    name, greatest = expression.name((VERSION,)), expression.value("version", "N", str(versions.most))
    if versions.least == 1:
        return f"(attribute_not_exists({name}) OR {name} <= {greatest})"
    if versions.least == versions.most:
        return f"{name} = {greatest}"
    return f"{name} BETWEEN {expression.value('least', 'N', str(versions.least))} AND {greatest}"


def _is_guarded(call: PutItems | UpdateItem | DeleteItem) -> bool:
    return call.if_absent if isinstance(call, PutItems) else bool(call.guards)


def _update_expression(expression: ShownExpression, entity: Layout, call: UpdateItem) -> str:
    sets = [
        f"{expression.name(entity.stored(path))} = "
        + expression.value(path.replace(".", "_"), entity.native(path), f":{path}")
        for path in call.sets
    ]
    for derived in call.template_attributes:
        for attribute, native, template in derived.attributes if not derived.is_kept else ():
            text = "".join(part if isinstance(part, str) else placeholder(part) for part in template.parts)
            word = attribute.replace(".", "_").replace("-", "_")
            sets.append(f"{expression.name((attribute,))} = {expression.value(word, native, text)}")
    if call.pushes is not None and entity.native(call.pushes) == "L":
        name = expression.name(entity.stored(call.pushes))
        pushed = expression.value("pushed", "L", [f":{call.pushes}"])
        sets.append(f"{name} = list_append({name}, {pushed})")
    clauses = [f"SET {', '.join(sets)}"] if sets else []
    if removed := [entity.stored(path) for path in call.removes]:
        removed += [(name,) for derived in call.template_attributes if _leaves(derived, call) for name in derived.names]
        clauses.append(f"REMOVE {', '.join(map(expression.name, removed))}")
    adds = [(call.adds, "by")] if call.adds else []
    if call.pushes is not None and entity.native(call.pushes) != "L":
        adds.append((call.pushes, "pushed"))
    for path, word in adds:
        value = expression.value(word, entity.native(path), ":by" if word == "by" else [f":{path}"])
        clauses.append(f"ADD {expression.name(entity.stored(path))} {value}")
    return " ".join(clauses)


def _leaves(derived: TemplateAttribute, call: UpdateItem) -> bool:
    """Whether an update removes its item from an index, whatever the values of the call are."""
    needed = (*derived.optional, *(condition.field for condition in derived.where))
    return derived.is_kept and any(path in call.removes for path in needed)
