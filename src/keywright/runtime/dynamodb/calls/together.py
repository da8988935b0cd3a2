"""Transactions: several writes of single items, all or none of which are done."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from keywright.engines.dynamodb.capabilities import TRANSACTION_WRITES
from keywright.errors import UsageError
from keywright.runtime.given import ConditionFailed

from .spans import Key

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


def code_of(error: Exception) -> str:
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
            if code_of(error) != "TransactionCanceledException":
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
        for at, action in enumerate(actions):
            if not self._draw(at) and action.keys:
                problem = f"two writes of the call are of one item, {action.keys[0]}, and DynamoDB writes each once"
                raise UsageError(problem, "say one of them, or do one after the other")

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
