"""Writes as conditions and commands: one alone, several in MULTI and EXEC, or a script if there are conditions."""

import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from keywright.engines.redis.access.calls import PutItems
from keywright.engines.redis.schema.item import Argument, GeoMember, RedisCommand, RedisItem, Scored, commands
from keywright.record import Record
from keywright.runtime.errors import WrongVersion
from keywright.runtime.items.codec import Codec
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

from ..client_types import RedisClient
from .scripts import GUARDED
from .sending import at_once


class Ops(Record):
    """One write of one call."""

    guards: tuple[RedisCommand, ...]
    """Conditions: (name, structure, key, field or member, kind of comparison, values...)."""
    commands: tuple[RedisCommand, ...]
    """Commands that are executed if all conditions hold."""
    entity: str = ""
    """Name of the entity, for a condition on the version of an item."""


MakeOps = Callable[[Arguments], Sequence[Ops]]


def run(client: RedisClient, writes: Sequence[Ops]) -> list[Any]:
    """The answers to all commands, which are executed atomically.

    Raises ConditionFailed if a condition does not hold; nothing is changed then.
    """
    guards = [guard for ops in writes for guard in ops.guards]
    commands = [command for ops in writes for command in ops.commands]
    if not guards:
        return at_once(client, commands)
    keys = list(
        dict.fromkeys(str(words[position]) for rows, position in ((guards, 2), (commands, 1)) for words in rows)
    )
    arguments: list[Argument] = [len(guards)]
    for words in (*guards, *commands):
        arguments += [len(words), *words]
    answers: list[Any]
    holds, *answers = GUARDED(client, keys, arguments)
    if not holds:
        position = int(answers[0]) - 1
        if guards[position][0] == "version":
            entities = [ops.entity for ops in writes for _ in ops.guards]
            raise WrongVersion(entities[position], int(answers[1]), int(guards[position][-1]))
        raise ConditionFailed(_failed(guards[position]))
    return answers


NOT_FINITE = "the number would exceed the range of Redis: 64 bits, or a finite float"
"""Message for an increment that a server rejects, or whose result no float can represent."""


def _failed(guard: RedisCommand) -> str:
    """The message about a failed guard; without key and values, which may be personal data and would be logged."""
    condition = str(guard[0])
    match condition:
        case "absent":
            return "the item exists already"
        case "present":
            return "no such item exists"
        case "shorter":
            return "the list has as many elements as the model allows"
        case "object":
            return "the stored document has no object at the path of the change"
        case "finite":
            return NOT_FINITE
        case "exact":
            return "the score would exceed 2^53, up to which whole numbers are exact"
        case _:
            return f"the item does not meet the condition {condition.replace('_', ' ')}"


def put_ops(call: PutItems, codec: Codec[Any]) -> MakeOps:
    """A function from a call to the writes of its items."""

    def ops(arguments: Arguments) -> list[Ops]:
        items = [item for instance in arguments.items for item in codec.to_items(instance)]
        now = time.time() if arguments.now is None else arguments.now.timestamp()
        return [Ops(_absent(item) if call.if_absent else (), commands(item, now)) for item in items]

    return ops


def _absent(item: RedisItem) -> tuple[RedisCommand, ...]:
    kind = item.structure.kind
    match kind, item.value:
        case (("set" | "bitmap"), str() | bytes() | int()):
            return (("absent", kind, item.key, item.value, "text"),)
        case _, Scored(member=member) | GeoMember(member=member):
            return (("absent", kind, item.key, member, "text"),)
        case _:
            return (("absent", "key", item.key, "", "text"),)


def put(call: PutItems, codec: Codec[Any]) -> Callable[[RedisClient, Arguments], None]:
    """A function that writes the items of a call."""
    ops = put_ops(call, codec)

    def plain(client: RedisClient, arguments: Arguments) -> None:
        writes = ops(arguments)
        guards = [guard for write in writes for guard in write.guards]
        if repeated := next((guard for index, guard in enumerate(guards) if guard in guards[:index]), None):
            raise ConditionFailed(_failed(repeated))
        if call.is_cluster:  # each item is written atomically; the items may be on several nodes
            for write in writes:
                run(client, [write])
        else:
            run(client, writes)

    def native(client: RedisClient, arguments: Arguments) -> None:
        if len(arguments.items) != 1:
            return plain(client, arguments)
        (item,) = codec.to_items(arguments.items[0])
        if not _is_new(client.execute_command(*_only_if_absent(item)), item.structure.kind):
            raise ConditionFailed(_failed(_absent(item)[0]))
        return None

    return native if call.if_absent == "command" else plain


def _only_if_absent(item: RedisItem) -> RedisCommand:
    """The single command that writes an item unless it exists."""
    ((name, key, *words), *_) = commands(item, 0)
    match item.structure.kind:
        case "string" | "counter" | "cache":
            ttl = item.structure.ttl_seconds
            return (name, key, *words, "NX", *(() if ttl is None else ("EX", ttl)))
        case "json":
            return (name, key, *words, "NX")
        case "sorted set" | "geo":
            return (name, key, "NX", *words)
        case _:
            return (name, key, *words)


def _is_new(answer: Any, kind: str) -> bool:
    """Whether there was no item before: SET answers OK then, SETBIT the former bit."""
    return not int(answer) if kind == "bitmap" else bool(answer)


def element_of(codec: Codec[Any], fields: tuple[str, ...], arguments: Arguments) -> Argument:
    """The text of a list element, from the fields in a call."""
    (item,) = codec.to_items(SimpleNamespace(**{name: arguments.values[name] for name in fields}))
    assert isinstance(item.value, (str, bytes))
    return item.value
