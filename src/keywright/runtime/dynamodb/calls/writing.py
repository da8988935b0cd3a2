"""Writes: of one item, of its read copies, of one of several shards, of several items together."""

import random
from collections.abc import Callable
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.request import request
from keywright.access.search import Planned
from keywright.engines.dynamodb.access.calls import Delete, Put, Update
from keywright.engines.dynamodb.access.paths import key_fields
from keywright.engines.dynamodb.target import TableTarget
from keywright.ir.binding import Binding
from keywright.runtime.codec import Call, Codec
from keywright.runtime.given import ConditionFailed, Given

from .batches import write_items
from .changes import Changes
from .conditions import Expression, judge_of, stored
from .natives import reader_of
from .spots import copy_of, keys_of
from .together import Action, code_of, transact

Actions = Callable[[Given], list[Action]]
"""The actions of one call."""


def prepare_write(planned: Planned[TableTarget], codec: Codec[Any]) -> Call:
    """A write as a function of a client and of what a call gives."""
    call, binding = _call(planned), planned.binding
    actions = actions_of(planned, codec)
    match call:
        case Put():
            return _putting(call, codec, actions)
        case Delete() if not call.guards and call.place.copies == 1:
            return _deleting(call, binding)
        case _ if call.place.copies > 1:
            return lambda client, given: transact(client, actions(given))
        case Update():
            return _updating(call, binding, actions)
        case _:
            return lambda client, given: _send(client.delete_item, actions(given)[0])


def _call(planned: Planned[TableTarget]) -> Put | Update | Delete:
    call = planned.path.call if isinstance(planned.path, AccessPath) else None
    assert isinstance(call, (Put, Update, Delete))
    return call


def actions_of(planned: Planned[TableTarget], codec: Codec[Any]) -> Actions:
    """A write as actions, one for each read copy."""
    call, binding = _call(planned), planned.binding
    if isinstance(call, Put):
        return lambda given: [
            Action("Put", _put(call, item), ()) for one in given.items for item in codec.to_items(one)
        ]
    keys = keys_of(binding, call.place)
    made: Callable[[Given], dict[str, Any]]
    if isinstance(call, Update):
        asked = request(planned.pattern, key_fields(planned.target, binding)).asked
        word, made = "Update", Changes(planned.target, binding, asked, call).request
    else:
        word, made = "Delete", _guarding(call, binding)

    def actions(given: Given) -> list[Action]:
        further = {"TableName": call.place.table, **made(given)}
        found = keys(given)
        random.shuffle(found)
        if call.place.copies == 1:
            return [Action(word, further, found)]
        return [Action(word, further, [copy_of(call.place, found[0], at)]) for at in range(call.place.copies)]

    return actions


def _put(call: Put, item: dict[str, Any]) -> dict[str, Any]:
    found = {"TableName": call.place.table, "Item": item}
    if call.if_absent:
        found["ConditionExpression"] = "attribute_not_exists(#key)"
        found["ExpressionAttributeNames"] = {"#key": call.place.key[0].attribute}
    return found


def _guarding(call: Delete, binding: Binding) -> Callable[[Given], dict[str, Any]]:
    judges = [judge_of(binding, one) for one in call.guards]

    def made(given: Given) -> dict[str, Any]:
        if not judges:
            return {}
        expression = Expression()
        tests = [f"attribute_exists({expression.name(call.place.key[0].attribute)})"]
        tests += [judge(expression, given) for judge in judges]
        return {"ConditionExpression": " AND ".join(tests), **expression.parts()}

    return made


def _putting(call: Put, codec: Codec[Any], actions: Actions) -> Call:
    def put(client: Any, given: Given) -> None:
        if len(given.items) == 1 and call.place.copies == 1:
            (item,) = codec.to_items(given.items[0])
            _conditional(client.put_item, **_put(call, item))
        elif call.if_absent or call.place.copies > 1:
            transact(client, actions(given))
        else:
            items = [item for one in given.items for item in codec.to_items(one)]
            latest = {str([item[one.attribute] for one in call.place.key]): item for item in items}
            write_items(client, call.place.table, [{"PutRequest": {"Item": item}} for item in latest.values()])

    return put


def _deleting(call: Delete, binding: Binding) -> Call:
    keys = keys_of(binding, call.place)

    def delete(client: Any, given: Given) -> None:
        found = keys(given)
        if len(found) == 1:
            client.delete_item(TableName=call.place.table, Key=found[0])
        else:  # in every shard
            write_items(client, call.place.table, [{"DeleteRequest": {"Key": key}} for key in found])

    return delete


def _updating(call: Update, binding: Binding, actions: Actions) -> Call:
    read = reader_of(binding, call.adds) if call.adds is not None else None
    names = call.adds.split(".") if call.adds is not None else []

    def update(client: Any, given: Given) -> Any:
        answer = _send(client.update_item, actions(given)[0], ReturnValues="UPDATED_NEW" if read else "NONE")
        if read is None:
            return None
        return read(_added(answer["Attributes"], binding, names))

    return update


def _added(attributes: dict[str, Any], binding: Binding, names: list[str]) -> dict[str, Any]:
    """The number among the attributes that changed."""
    path = stored(binding, ".".join(names))
    found: dict[str, Any] = attributes[path[0]]
    for name in path[1:]:
        found = found["M"][name]
    return found


def _send(send: Callable[..., Any], action: Action, **further: Any) -> Any:
    """Send a write; of a drawn shard the others are tried too, one after the other, before its condition has failed."""
    *others, last = action.keys
    for key in others:
        try:
            return _conditional(send, **action.request, **further, Key=key)
        except ConditionFailed:
            continue
    return _conditional(send, **action.request, **further, Key=last)


def _conditional(send: Callable[..., Any], **request: Any) -> Any:
    try:
        return send(**request)
    except Exception as error:
        if code_of(error) == "ConditionalCheckFailedException":
            raise ConditionFailed(f'the condition of the write to "{request["TableName"]}" does not hold') from error
        raise
