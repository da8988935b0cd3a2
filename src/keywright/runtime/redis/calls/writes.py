"""Writes as conditions and commands: alone, together in MULTI and EXEC, or in one script where there are conditions."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from keywright.engines.redis.access.calls import Put
from keywright.engines.redis.item import Argument, Command, Item, Place, Scored, commands
from keywright.runtime.codec import Codec
from keywright.runtime.given import ConditionFailed, Given

from .scripts import GUARDED
from .sending import at_once


@dataclass(frozen=True, slots=True)
class Ops:
    """One write of one call."""

    guards: tuple[Command, ...]
    """Conditions: (how, structure, key, field or member, kind of comparison, values...)."""
    commands: tuple[Command, ...]
    """What is carried out if all hold."""


MakeOps = Callable[[Given], Sequence[Ops]]


def run(client: Any, many: Sequence[Ops]) -> list[Any]:
    """The answers to all commands, which are carried out together.

    Raises ConditionFailed where a condition does not hold; nothing is changed then.
    """
    guards = [guard for ops in many for guard in ops.guards]
    written = [command for ops in many for command in ops.commands]
    if not guards:
        return at_once(client, written)
    keys = list(dict.fromkeys(str(words[at]) for some, at in ((guards, 2), (written, 1)) for words in some))
    arguments: list[Argument] = [len(guards)]
    for words in (*guards, *written):
        arguments += [len(words), *words]
    answers: list[Any]
    holds, *answers = GUARDED(client, keys, arguments)
    if not holds:
        raise ConditionFailed(_failed(guards[int(answers[0]) - 1]))
    return answers


def _failed(guard: Command) -> str:
    how, _, key, field, _, *asked = map(str, guard)
    named = f'"{key}"' + (f' "{field}"' if field else "")
    if how in ("absent", "present"):
        return f"{named} is {'there already' if how == 'absent' else 'not there'}"
    return f"{named} is not {how.replace('_', ' ')} {', '.join(asked)}"


def put_ops(call: Put, codec: Codec[Any]) -> MakeOps:
    """A function from a call to the writes of its items."""

    def ops(given: Given) -> list[Ops]:
        items = [item for instance in given.items for item in codec.to_items(instance)]
        now = time.time() if given.now is None else given.now.timestamp()
        return [Ops(_absent(item) if call.if_absent else (), commands(item, now)) for item in items]

    return ops


def _absent(item: Item) -> tuple[Command, ...]:
    kind = item.structure.kind
    match kind, item.value:
        case (("set" | "bitmap"), str() | bytes() | int()):
            return (("absent", kind, item.key, item.value, "text"),)
        case _, Scored(member=member) | Place(member=member):
            return (("absent", kind, item.key, member, "text"),)
        case _:
            return (("absent", "key", item.key, "", "text"),)


def put(call: Put, codec: Codec[Any]) -> Callable[[Any, Given], None]:
    """A function that writes the items of a call."""
    ops = put_ops(call, codec)

    def plain(client: Any, given: Given) -> None:
        many = ops(given)
        guards = [guard for one in many for guard in one.guards]
        if twice := next((one for at, one in enumerate(guards) if one in guards[:at]), None):
            raise ConditionFailed(_failed(twice))
        if call.is_cluster:  # each item is whole; all of them may be on several nodes
            for one in many:
                run(client, [one])
        else:
            run(client, many)

    def native(client: Any, given: Given) -> None:
        if len(given.items) != 1:
            return plain(client, given)
        (item,) = codec.to_items(given.items[0])
        if not _is_new(client.execute_command(*_only_if_absent(item)), item.structure.kind):
            raise ConditionFailed(_failed(_absent(item)[0]))
        return None

    return native if call.if_absent == "command" else plain


def _only_if_absent(item: Item) -> Command:
    """The one command that writes an item where there is none."""
    ((name, key, *words), *_) = commands(item, 0)
    match item.structure.kind:
        case "string" | "counter" | "cache":
            ttl = item.structure.ttl_seconds
            return (name, key, *words, "NX", *(() if ttl is None else ("EX", ttl)))
        case "sorted set" | "geo":
            return (name, key, "NX", *words)
        case _:
            return (name, key, *words)


def _is_new(answer: Any, kind: str) -> bool:
    """Whether the answer says that there was nothing: SET tells so by OK, SETBIT by the bit that was."""
    return not int(answer) if kind == "bitmap" else bool(answer)


def element_of(codec: Codec[Any], fields: tuple[str, ...], given: Given) -> Argument:
    """The text of an element of a list whose fields a call gives."""
    (item,) = codec.to_items(SimpleNamespace(**{name: given.values[name] for name in fields}))
    assert isinstance(item.value, (str, bytes))
    return item.value
