"""Transactions: all writes of a call at once, or none."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from keywright.access.search import Planned
from keywright.engines.redis.access.calls import Increase, PutItems, Remove, SetFields, Transaction
from keywright.engines.redis.access.keys import slot
from keywright.engines.redis.schema.item import RedisCommand
from keywright.engines.redis.schema.target import ServerTarget
from keywright.errors import UsageError
from keywright.runtime.items.codec import Codec
from keywright.runtime.validate.arguments import Arguments

from ..client_types import RedisClient
from .changes import increase_ops, remove_ops
from .updates import change_ops
from .writes import MakeOps, Ops, put_ops, run


def together(
    call: Transaction, planned: Planned[ServerTarget], codecs: Mapping[str, Codec[Any]]
) -> Callable[[RedisClient, Arguments], None]:
    """A function that executes all writes of a transaction, or none."""
    makers = [_ops(part, codecs[part.binding.name]) for part in planned.parts]

    def write(client: RedisClient, arguments: Arguments) -> None:
        writes = [
            ops
            for make, calls in zip(makers, arguments.parts, strict=True)
            for part_arguments in calls
            for ops in make(part_arguments)
        ]
        _check(writes, is_cluster=call.is_cluster)
        run(client, writes)

    return write


def _ops(part: Planned[ServerTarget], codec: Codec[Any]) -> MakeOps:
    match part.access_path.call:
        case PutItems() as call:
            return put_ops(call, codec)
        case SetFields() as call:
            return change_ops(call, part.binding)
        case Increase() as call:
            return increase_ops(call, part.binding, is_part=True)
        case Remove() as call:
            return remove_ops(call, part.binding, codec)
        case other:
            raise TypeError(f"{type(other).__name__} cannot be part of a transaction")


def _check(writes: list[Ops], *, is_cluster: bool) -> None:
    """Reject a call that writes an item twice, because conditions are checked before the first write.

    This includes numbers, which another write of the call could move out of Redis' range.
    """
    subjects = [(str(words[2]), str(words[3])) for ops in writes for words in ops.guards if words[0] in _EXISTENCE]
    repeated = next((subject for subject, count in Counter(subjects).items() if count > 1), None)
    repeated = repeated or _increased_twice(writes)
    if repeated is not None:
        problem = f'"{" ".join(part for part in repeated if part)}" is written twice in one transaction'
        raise UsageError(problem, "write each item once: conditions are checked before the first write")
    keys = {str(command[1]) for ops in writes for command in ops.commands}
    if is_cluster and len({slot(key) for key in keys}) > 1:
        problem = f"the keys of the transaction are in several slots: {', '.join(sorted(keys))}"
        raise UsageError(problem, "pass the same value for the field in the braces of each key")


def _increased_twice(writes: list[Ops]) -> tuple[str, str] | None:
    """The key and the member of a number that one write increases and another write changes."""
    written = [{_subject(command) for command in ops.commands} for ops in writes]
    for index, ops in enumerate(writes):
        increased = {_subject(command) for command in ops.commands if command[0] in _INCREASE}
        changed_elsewhere = set[tuple[str, str]]().union(*written[:index], *written[index + 1 :])
        if increased & changed_elsewhere:
            return min(increased & changed_elsewhere)
    return None


def _subject(command: RedisCommand) -> tuple[str, str]:
    """The key, with the member if the key contains several items."""
    index = _MEMBER.get(str(command[0]))
    return str(command[1]), "" if index is None else str(command[index])


_INCREASE = ("INCRBY", "HINCRBY", "HINCRBYFLOAT", "ZINCRBY", "JSON.NUMINCRBY")
_MEMBER = {"ZINCRBY": 3, "ZADD": -1, "ZREM": 2}
_EXISTENCE = ("absent", "present")
