"""Writes: of one item, of its read copies, of one of several shards, of several items in one transaction."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from keywright.access.partial_write import Versions
from keywright.access.path import AccessPath
from keywright.access.query import request
from keywright.access.search import Planned
from keywright.declare.store import VERSION
from keywright.engines.dynamodb.access.calls import DeleteItem, PutItems, UpdateItem
from keywright.engines.dynamodb.access.paths.plan import key_fields
from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.target import TableTarget
from keywright.ir.binding import Binding
from keywright.runtime.errors import wrong_version
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

from ..client_types import DynamoClient
from .batches import write_items
from .changes import Changes
from .conditions import RequestExpression, filter_of, stored
from .key_ranges import copy_of, keys_of
from .natives import reader_of
from .together import Action, code_of, transact

Actions = Callable[[Arguments], list[Action]]
"""Function from a call to its actions."""


def prepare_write(planned: Planned[TableTarget], codec: Codec[Any]) -> PatternFunction:
    """Write as a function of a client and the arguments of a call."""
    call, binding = _call(planned), planned.binding
    actions = actions_of(planned, codec)
    match call:
        case PutItems():
            return _put_function(call, codec, actions)
        case DeleteItem() if not call.guards and call.place.copies == 1:
            return _delete_function(call, binding)
        case _ if call.place.copies > 1:
            return lambda client, arguments: transact(client, actions(arguments))
        case UpdateItem():
            return _update_function(call, binding, actions)
        case _:
            return lambda client, arguments: _send(client.delete_item, actions(arguments)[0])


def _call(planned: Planned[TableTarget]) -> PutItems | UpdateItem | DeleteItem:
    call = planned.path.call if isinstance(planned.path, AccessPath) else None
    assert isinstance(call, (PutItems, UpdateItem, DeleteItem))
    return call


def actions_of(planned: Planned[TableTarget], codec: Codec[Any]) -> Actions:
    """Write as actions, one for each read copy."""
    call, binding = _call(planned), planned.binding
    if isinstance(call, PutItems):
        return lambda arguments: [
            Action("Put", _put(call, item), ()) for instance in arguments.items for item in codec.to_items(instance)
        ]
    keys = keys_of(binding, call.place)
    expressions: Callable[[Arguments], dict[str, Any]]
    refusal = _version_refusal(binding, call.versions if isinstance(call, UpdateItem) else None)
    if isinstance(call, UpdateItem):
        conditions = request(planned.pattern, key_fields(planned.target, binding)).conditions
        name, expressions = "Update", Changes(planned.target, binding, conditions, call).request
    else:
        name, expressions = "Delete", _guards(call, binding)

    def actions(arguments: Arguments) -> list[Action]:
        parameters = {"TableName": call.place.table, **expressions(arguments)}
        call_keys = keys(arguments)
        random.shuffle(call_keys)
        if call.place.copies == 1:
            return [Action(name, parameters, call_keys, refusal)]
        copies = (copy_of(call.place, call_keys[0], number) for number in range(call.place.copies))
        return [Action(name, parameters, [key], refusal) for key in copies]

    return actions


def _version_refusal(
    binding: Binding[Item], versions: Versions | None
) -> Callable[[Mapping[str, Any]], Exception | None]:
    """Function that returns an error if an item failed its condition because of its schema version."""

    def refusal(item: Mapping[str, Any]) -> Exception | None:
        version = item.get(VERSION, {}).get("N", "")
        return wrong_version(binding.name, versions, int(version) if version.isdecimal() else None)

    return refusal


def _put(call: PutItems, item: dict[str, Any]) -> dict[str, Any]:
    parameters = {"TableName": call.place.table, "Item": item}
    if call.if_absent:
        parameters["ConditionExpression"] = "attribute_not_exists(#key)"
        parameters["ExpressionAttributeNames"] = {"#key": call.place.key[0].attribute}
    return parameters


def _guards(call: DeleteItem, binding: Binding[Item]) -> Callable[[Arguments], dict[str, Any]]:
    guards = [filter_of(binding, guard) for guard in call.guards]

    def expressions(arguments: Arguments) -> dict[str, Any]:
        if not guards:
            return {}
        expression = RequestExpression()
        tests = [f"attribute_exists({expression.name(call.place.key[0].attribute)})"]
        tests += [write_guard(expression, arguments) for write_guard in guards]
        return {"ConditionExpression": " AND ".join(tests), **expression.parts()}

    return expressions


def _put_function(call: PutItems, codec: Codec[Any], actions: Actions) -> PatternFunction:
    def put(client: DynamoClient, arguments: Arguments) -> None:
        if len(arguments.items) == 1 and call.place.copies == 1:
            (item,) = codec.to_items(arguments.items[0])
            _conditional(client.put_item, lambda item: None, **_put(call, item))
        elif call.if_absent or call.place.copies > 1:
            transact(client, actions(arguments))
        else:
            items = [item for instance in arguments.items for item in codec.to_items(instance)]
            latest = {str([item[filling.attribute] for filling in call.place.key]): item for item in items}
            write_items(client, call.place.table, [{"PutRequest": {"Item": item}} for item in latest.values()])

    return put


def _delete_function(call: DeleteItem, binding: Binding[Item]) -> PatternFunction:
    keys = keys_of(binding, call.place)

    def delete(client: DynamoClient, arguments: Arguments) -> None:
        call_keys = keys(arguments)
        if len(call_keys) == 1:
            client.delete_item(TableName=call.place.table, Key=call_keys[0])
        else:  # one item in each shard
            write_items(client, call.place.table, [{"DeleteRequest": {"Key": key}} for key in call_keys])

    return delete


def _update_function(call: UpdateItem, binding: Binding[Item], actions: Actions) -> PatternFunction:
    read = reader_of(binding, call.adds) if call.adds is not None else None
    names = call.adds.split(".") if call.adds is not None else []

    def update(client: DynamoClient, arguments: Arguments) -> Any:
        answer = _send(client.update_item, actions(arguments)[0], ReturnValues="UPDATED_NEW" if read else "NONE")
        if read is None:
            return None
        return read(_new_number(answer["Attributes"], binding, names))

    return update


def _new_number(attributes: dict[str, Any], binding: Binding[Item], names: list[str]) -> dict[str, Any]:
    """The number among the changed attributes."""
    path = stored(binding, ".".join(names))
    attribute: dict[str, Any] = attributes[path[0]]
    for name in path[1:]:
        attribute = attribute["M"][name]
    return attribute


def _send(send: Callable[..., Any], action: Action, **options: Any) -> Any:
    """Send a write; for a drawn shard, the condition fails only after each shard has been tried."""
    *others, last = action.keys
    for key in others:
        try:
            return _conditional(send, action.refused, **action.request, **options, Key=key)
        except ConditionFailed:
            continue
    return _conditional(send, action.refused, **action.request, **options, Key=last)


def _conditional(
    send: Callable[..., Any], refused: Callable[[Mapping[str, Any]], Exception | None], **request: Any
) -> Any:
    try:
        return send(**request)
    except Exception as error:
        if code_of(error) == "ConditionalCheckFailedException":
            item = error.response.pop("Item", None)  # type: ignore[attr-defined]  # a raised error must not contain it
            if item and (refusal := refused(item)):
                raise refusal from None
            raise ConditionFailed(f'the condition of the write to "{request["TableName"]}" does not hold') from error
        raise
