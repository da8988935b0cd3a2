"""Sending of commands: one alone, several in one round trip, or several in a transaction."""

from collections.abc import Callable, Sequence
from typing import Any

from keywright.engines.redis.access.calls import CallKeys
from keywright.engines.redis.schema.item import RedisCommand
from keywright.runtime.items.fill import texts
from keywright.runtime.validate.arguments import Arguments

from ..client_types import RedisClient


def send(client: RedisClient, commands: Sequence[RedisCommand]) -> list[Any]:
    """The answers to some commands, in one round trip; each may be for another node."""
    if len(commands) == 1:
        return [client.execute_command(*commands[0])]
    return _piped(client, commands, transaction=False) if commands else []


def at_once(client: RedisClient, commands: Sequence[RedisCommand]) -> list[Any]:
    """The answers to some commands in one transaction: MULTI and EXEC, unless there is only one command."""
    if len(commands) == 1:
        return [client.execute_command(*commands[0])]
    return _piped(client, commands, transaction=True) if commands else []


def _piped(client: RedisClient, commands: Sequence[RedisCommand], *, transaction: bool) -> list[Any]:
    pipeline = client.pipeline(transaction=transaction)
    for command in commands:
        pipeline.execute_command(*command)
    return list(pipeline.execute())


def keys_of(keys: CallKeys) -> Callable[[Arguments], list[str]]:
    """A function from a call to its keys."""
    texts_of, key_prefix = texts(keys.filled, is_backward=keys.is_backward), keys.prefix
    if keys.filled.is_single:
        return lambda arguments: [key_prefix + key for key in texts_of(arguments)]
    # Different values may have the same text, for example with :lower; each key is read once.
    return lambda arguments: list(dict.fromkeys(key_prefix + key for key in texts_of(arguments)))


def key_of(keys: CallKeys) -> Callable[[Arguments], str]:
    """A function from a call to its single key."""
    call_keys = keys_of(keys)
    return lambda arguments: call_keys(arguments)[0]
