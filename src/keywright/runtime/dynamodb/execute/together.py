"""Transactions: several writes of single items, of which all or none take effect."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.dynamodb.schema.capabilities import TRANSACTION_WRITES
from keywright.errors import UsageError
from keywright.ir.text import counted
from keywright.record import Record
from keywright.runtime.validate.arguments import ConditionFailed

from ..client_types import DynamoClient
from .spans import Key

_ATTEMPTS, _PAUSE = 8, 0.02
"""Most attempts of a transaction that conflicts with another one, and seconds of the first pause."""


class Action(Record):
    """One write of one item, or of an item in one of several shards, as a part of a transaction."""

    word: str
    """Put, Update or Delete."""
    request: dict[str, Any]
    """The request without its key."""
    keys: Sequence[Key]
    """Possible keys: several if a shard is drawn; none for a put, whose item contains the key."""
    refused: Callable[[Mapping[str, Any]], Exception | None] = lambda item: None
    """Error for a stored item that failed the condition for a reason other than the condition itself, else None."""


def code_of(error: Exception) -> str:
    """The service's code of an error of the application's client, whose library is not imported here."""
    response = getattr(error, "response", None)
    return str(response.get("Error", {}).get("Code", "")) if isinstance(response, dict) else ""


def transact(client: DynamoClient, actions: list[Action]) -> None:
    """Perform all actions or none; if the condition of a drawn shard fails, another shard is drawn."""
    if not actions:
        return
    if len(actions) > TRANSACTION_WRITES.value:
        problem = (
            f"the call writes {counted(len(actions), 'item')} together, DynamoDB allows {TRANSACTION_WRITES.value}"
        )
        raise UsageError(problem, "write fewer in one call")
    keys = _DrawnKeys(actions)
    pause, conflicts = _PAUSE, 0
    while True:
        try:
            client.transact_write_items(TransactItems=keys.items())
        except Exception as error:
            if code_of(error) != "TransactionCanceledException":
                raise
            reasons = _reasons(error)
            failed = [position for position, reason in enumerate(reasons) if reason == "ConditionalCheckFailed"]
            if failed:
                for position, item in _items(error):
                    if refusal := actions[position].refused(item):
                        raise refusal from None
                if not all(keys.redraw(position) for position in failed):
                    raise ConditionFailed("a condition of the transaction is not met") from error
                continue
            conflicts += 1
            if "TransactionConflict" not in reasons or conflicts == _ATTEMPTS:
                raise
            time.sleep(pause * random.uniform(0.5, 1.5))
            pause *= 2
        else:
            return


def without_conflicts(send: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The answer to a request that is repeated while it conflicts with a transaction of others."""
    pause = _PAUSE
    for _ in range(_ATTEMPTS - 1):
        try:
            return send()
        except Exception as error:
            if code_of(error) != "TransactionCanceledException" or "TransactionConflict" not in _reasons(error):
                raise
        time.sleep(pause * random.uniform(0.5, 1.5))
        pause *= 2
    return send()


def _reasons(error: Exception) -> list[str]:
    """Reasons why a transaction was cancelled, by action."""
    response: Any = getattr(error, "response", {})
    return [str(reason.get("Code", "")) for reason in response.get("CancellationReasons", ())]


def _items(error: Exception) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """(index of an action, the item that failed its condition), if the service returns the item."""
    response: Any = getattr(error, "response", {})
    for position, reason in enumerate(response.get("CancellationReasons", ())):
        if item := reason.pop("Item", None):  # a raised error must not contain the item
            yield position, item


class _DrawnKeys:
    """Key of each action; all differ, because a transaction accepts each item once."""

    def __init__(self, actions: list[Action]) -> None:
        self.actions = actions
        self.left = [list(action.keys) for action in actions]
        self.taken: list[Key | None] = [None] * len(actions)
        for position, action in enumerate(actions):
            if not self._draw(position) and action.keys:
                problem = f"two writes of the call change the item {action.keys[0]}, and DynamoDB allows only one"
                raise UsageError(problem, "remove one of them, or make two calls")

    def _draw(self, position: int) -> bool:
        """Draw an action's next key that no other action has; False if there is none."""
        others = [
            key for other, key in enumerate(self.taken) if other != position and self._is_same_table(other, position)
        ]
        while self.left[position]:
            key = self.left[position].pop()
            if key not in others:
                self.taken[position] = key
                return True
        return False

    def _is_same_table(self, first: int, second: int) -> bool:
        return bool(self.actions[first].request["TableName"] == self.actions[second].request["TableName"])

    def redraw(self, position: int) -> bool:
        """Draw another shard for an action whose condition failed; False if there is none."""
        return len(self.actions[position].keys) > 1 and self._draw(position)

    def items(self) -> list[dict[str, Any]]:
        """Actions as items of the request."""
        items = []
        for action, key in zip(self.actions, self.taken, strict=True):
            items.append({action.word: action.request if key is None else {**action.request, "Key": key}})
        return items
