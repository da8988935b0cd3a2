"""Commands on their way to the server: alone, several in one round trip, or at once."""

from collections.abc import Callable, Sequence
from typing import Any

from keywright.engines.redis.access.calls import Keys
from keywright.engines.redis.item import Command
from keywright.runtime.fill import texts
from keywright.runtime.given import Given


def send(client: Any, commands: Sequence[Command]) -> list[Any]:
    """The answers to some commands, in one round trip; each may be for another node."""
    if len(commands) == 1:
        return [client.execute_command(*commands[0])]
    return _piped(client, commands, transaction=False) if commands else []


def at_once(client: Any, commands: Sequence[Command]) -> list[Any]:
    """The answers to some commands that are carried out together: MULTI and EXEC, unless it is one alone."""
    if len(commands) == 1:
        return [client.execute_command(*commands[0])]
    return _piped(client, commands, transaction=True) if commands else []


def _piped(client: Any, commands: Sequence[Command], *, transaction: bool) -> list[Any]:
    pipeline = client.pipeline(transaction=transaction)
    for command in commands:
        pipeline.execute_command(*command)
    return list(pipeline.execute())


def keys_of(keys: Keys) -> Callable[[Given], list[str]]:
    """A function from a call to its keys."""
    made, begins = texts(keys.filled, is_backward=keys.is_backward), keys.prefix
    if keys.filled.is_single:
        return lambda given: [begins + key for key in made(given)]
    # Values that differ may have one text, as with :lower, and nothing is read twice.
    return lambda given: list(dict.fromkeys(begins + key for key in made(given)))


def key_of(keys: Keys) -> Callable[[Given], str]:
    """A function from a call to its one key."""
    made = keys_of(keys)
    return lambda given: made(given)[0]
