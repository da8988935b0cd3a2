"""Writes: of one item, of its read copies, of one of several shards, of several items together."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.request import request
from keywright.access.search import Planned
from keywright.engines.dynamodb.calls import Delete, Put, Update
from keywright.engines.dynamodb.capabilities import TRANSACTION_WRITES
from keywright.engines.dynamodb.paths import key_fields
from keywright.engines.dynamodb.target import TableTarget
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.runtime.codec import Call, Codec
from keywright.runtime.given import ConditionFailed, Given

from .batches import write_items
from .changes import Changes
from .conditions import Expression, judge_of, stored
from .natives import reader_of
from .spans import Key
from .spots import copy_of, keys_of

_TRIES, _PAUSE = 8, 0.02
"""How often a transaction that met another one is sent again, and after how many seconds at first."""


@dataclass(frozen=True, slots=True)
class Action:
    """One write of one item, or of one of several shards, as a part of a transaction."""

    word: str
    """Put, Update or Delete."""
    request: dict[str, Any]
    """All of it but the key."""
    keys: Sequence[Key]
    """The keys that it may have: several where a shard is drawn; none for a put, whose item has it."""


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
        if _code(error) == "ConditionalCheckFailedException":
            raise ConditionFailed(f'the condition of the write to "{request["TableName"]}" does not hold') from error
        raise


def _code(error: Exception) -> str:
    """The service's name for an error of the application's client, whose library is not imported here."""
    response = getattr(error, "response", None)
    return str(response.get("Error", {}).get("Code", "")) if isinstance(response, dict) else ""


def transact(client: Any, actions: list[Action]) -> None:
    """Do all actions or none; a drawn shard whose condition fails is drawn again."""
    if not actions:
        return
    if len(actions) > TRANSACTION_WRITES.value:
        problem = f"the call writes {len(actions)} items together, DynamoDB allows {TRANSACTION_WRITES.value}"
        raise UsageError(problem, "write fewer in one call")
    chosen = _Chosen(actions)
    pause, conflicts = _PAUSE, 0
    while True:
        try:
            client.transact_write_items(TransactItems=chosen.items())
        except Exception as error:
            if _code(error) != "TransactionCanceledException":
                raise
            reasons = _reasons(error)
            failed = [at for at, reason in enumerate(reasons) if reason == "ConditionalCheckFailed"]
            if failed:
                if not all(chosen.redraw(at) for at in failed):
                    raise ConditionFailed("a condition of the transaction does not hold") from error
                continue
            conflicts += 1
            if "TransactionConflict" not in reasons or conflicts == _TRIES:
                raise
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause *= 2
        else:
            return


def _reasons(error: Exception) -> list[str]:
    """Why a transaction was cancelled, action by action."""
    response: Any = getattr(error, "response", {})
    return [str(reason.get("Code", "")) for reason in response.get("CancellationReasons", ())]


class _Chosen:
    """The key of each action: no two have the same, since a transaction takes an item once."""

    def __init__(self, actions: list[Action]) -> None:
        self.actions = actions
        self.left = [list(action.keys) for action in actions]
        self.taken: list[Key | None] = [None] * len(actions)
        for at in range(len(actions)):
            self._draw(at)

    def _draw(self, at: int) -> bool:
        """Take the next key of an action that no other has; whether there is one."""
        others = [key for place, key in enumerate(self.taken) if place != at and self._is_same_table(place, at)]
        while self.left[at]:
            key = self.left[at].pop()
            if key not in others:
                self.taken[at] = key
                return True
        return False

    def _is_same_table(self, one: int, other: int) -> bool:
        return bool(self.actions[one].request["TableName"] == self.actions[other].request["TableName"])

    def redraw(self, at: int) -> bool:
        """Another shard for an action whose condition failed; whether there is one."""
        return len(self.actions[at].keys) > 1 and self._draw(at)

    def items(self) -> list[dict[str, Any]]:
        """The actions as the request carries them."""
        found = []
        for action, key in zip(self.actions, self.taken, strict=True):
            found.append({action.word: action.request if key is None else {**action.request, "Key": key}})
        return found
