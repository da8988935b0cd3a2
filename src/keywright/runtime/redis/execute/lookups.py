"""Items and members that a call names, and numbers that the server counts."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from keywright.declare.answers import Page
from keywright.engines.redis.access.calls import CountElements, Fetch, MemberRank, Probe
from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.item import RedisCommand
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.runtime.items.codec import Codec, Unreadable
from keywright.runtime.items.fill import texts
from keywright.runtime.residual_filter import Judge, value_of
from keywright.runtime.validate.arguments import Arguments

from ..client_types import RedisClient
from . import cursor
from .documents import parts_in, reading
from .scores import bits, ends_of, score_ends, words
from .sending import key_of, keys_of, send

NamedMember = tuple[str, Any]
"""A key and a member; the member is None if the item has its own key."""

MemberLookup = Callable[[RedisClient, list[NamedMember]], Iterator[Any]]
"""(client, names): the instance of each name, or None if it is missing, in order."""


def fetching(call: Fetch, codec: Codec[Any]) -> MemberLookup:
    """A function that reads items by their keys, in one round trip."""
    kind, fields, stored = call.structure.kind, call.fields, call.names
    make = codec.from_part if fields else codec.from_item
    is_many = kind != "hash" and call.keys.can_be_named_at_once

    def fetched(client: RedisClient, names: list[NamedMember]) -> Iterator[Any]:
        keys = [key for key, _ in names]
        if kind == "hash" and fields:
            replies = send(client, [("HMGET", key, *fields) for key in keys])
            answers: Iterable[Any] = (
                None if all(value is None for value in reply) else dict(zip(fields, reply, strict=True))
                for reply in replies
            )  # fmt: skip
        elif kind == "json":
            replies = send(client, reading(keys, fields, is_many=is_many))
            answers = replies[0] if len(replies) < len(keys) else replies
            if fields:
                answers = (None if answer is None else parts_in(answer, fields, stored) for answer in answers)
        elif kind == "hash":
            answers = (reply or None for reply in send(client, [("HGETALL", key) for key in keys]))
        elif is_many and len(keys) > 1:
            answers = client.execute_command("MGET", *keys)
        else:
            answers = send(client, [("GET", key) for key in keys])
        for key, answer in zip(keys, answers, strict=True):
            yield None if answer is None else make((key, answer))

    return fetched


def probing(call: Probe, codec: Codec[Any]) -> MemberLookup:
    """A function that reads members by name, in one round trip."""
    kind, make = call.structure.kind, codec.from_item

    def probed(client: RedisClient, names: list[NamedMember]) -> Iterator[Any]:
        members: dict[str, list[Any]] = {}
        for key, member in names:
            members.setdefault(key, []).append(member)
        commands = [command for key, key_members in members.items() for command in _probes(kind, key, key_members)]
        replies = iter([answer_part for reply in send(client, commands) for answer_part in _several(reply)])
        for (key, member), reply in zip(names, replies, strict=True):
            answer = _answer(kind, member, reply)
            yield None if answer is None else make((key, answer))

    return probed


def _probes(kind: str, key: str, members: list[Any]) -> list[RedisCommand]:
    if kind == "bitmap":
        return [("GETBIT", key, bit) for bit in members]
    if kind == "geo":
        return [("GEOPOS", key, *members)]
    single, several = ("SISMEMBER", "SMISMEMBER") if kind == "set" else ("ZSCORE", "ZMSCORE")
    return [(single if len(members) == 1 else several, key, *members)]


def _several(reply: Any) -> list[Any]:
    return list(reply) if isinstance(reply, (list, tuple)) else [reply]


def _answer(kind: str, member: Any, reply: Any) -> Any:
    if kind in ("set", "bitmap"):
        return member if int(reply or 0) else None
    return None if reply is None else (member, reply)


def names_of(call: Fetch | Probe) -> Callable[[Arguments], list[NamedMember]]:
    """A function from a call to all items that it names, ordered by key first."""
    keys = keys_of(call.keys)
    if isinstance(call, Fetch):
        return lambda arguments: [(key, None) for key in keys(arguments)]
    if call.bit is not None:
        bit = call.bit
        return lambda arguments: [
            (key, int(number)) for key in keys(arguments) for number in dict.fromkeys(arguments.of(bit))
        ]
    assert call.members is not None
    members = texts(call.members)
    return lambda arguments: [(key, member) for key in keys(arguments) for member in dict.fromkeys(members(arguments))]


def listed(
    call: Fetch | Probe, pattern: Pattern, lookup: MemberLookup, test: Callable[[Arguments], Judge] | None
) -> Callable[[RedisClient, Arguments], Page[Any]]:
    """A function from a client and a call to a page of named items; a place is the number of names before it."""
    names = names_of(call)
    orders = [(value_of(ordering.field), ordering.is_descending) for ordering in call.order]

    def page(client: RedisClient, arguments: Arguments) -> Page[Any]:
        if arguments.limit is not None and arguments.limit < 1:
            raise UsageError(f"a page has at least one item, not {arguments.limit}", "omit limit=, or raise it")
        all_names, keep = names(arguments), test(arguments) if test else None
        done = 0 if arguments.cursor is None else cursor.read(pattern, arguments.cursor)
        items: list[Any] = []
        if orders:
            items_read = [
                item for item in lookup(client, all_names) if item is not None and (keep is None or keep(item))
            ]
            sorted_items = [item for item in items_read if type(item) is not Unreadable]
            for value, is_descending in reversed(orders):
                sorted_items.sort(key=value, reverse=is_descending)
            # Unreadable items cannot be compared, and come first.
            sorted_items = [*(item for item in items_read if type(item) is Unreadable), *sorted_items]
            end = len(sorted_items) if arguments.limit is None else done + arguments.limit
            items, done, total = sorted_items[done:end], end, len(sorted_items)
        else:
            total = len(all_names)
            while done < total and (arguments.limit is None or len(items) < arguments.limit):
                end = total if arguments.limit is None else done + arguments.limit - len(items)
                items += [
                    item
                    for item in lookup(client, all_names[done:end])
                    if item is not None and (keep is None or keep(item))
                ]
                done = min(end, total)
        return Page(tuple(items), cursor.written(pattern, done) if done < total else None)

    return page


def counted(call: CountElements, binding: Binding[Structure]) -> Callable[[RedisClient, Arguments], int]:
    """A function from a client and a call to a number that the server counts."""
    keys, command = keys_of(call.keys), call.command
    if command == "BITCOUNT":
        ends = ends_of(call.bounds, float)

        def bit_range(arguments: Arguments) -> RedisCommand | None:
            first_and_last = bits(ends(arguments))
            return None if first_and_last is None else (*map(str, first_and_last), "BIT")

        end_words: Callable[[Arguments], RedisCommand | None] = bit_range if call.bounds else lambda arguments: ()
    elif call.bounds:
        range_of = score_ends(call.bounds, binding)

        def score_range(arguments: Arguments) -> RedisCommand | None:
            return words(range_of(arguments))

        end_words = score_range
    else:

        def end_words(arguments: Arguments) -> RedisCommand | None:
            return ()

    if command == "ZCOUNT" and not call.bounds:
        raise TypeError("ZCOUNT needs two ends")

    if command == "PFCOUNT":  # PFCOUNT of several keys counts a member once
        return lambda client, arguments: _united(client, keys(arguments))

    def count(client: RedisClient, arguments: Arguments) -> int:
        range_words = end_words(arguments)
        return (
            0 if range_words is None else sum(send(client, [(command, key, *range_words) for key in keys(arguments)]))
        )

    return count


def _united(client: RedisClient, keys: list[str]) -> int:
    return int(client.execute_command("PFCOUNT", *keys)) if keys else 0


def existing(call: Fetch) -> Callable[[RedisClient, Arguments], int]:
    """A function from a client and a call to the number of its keys that exist."""
    keys = keys_of(call.keys)
    is_many = call.keys.can_be_named_at_once

    def count(client: RedisClient, arguments: Arguments) -> int:
        call_keys = keys(arguments)
        if not call_keys:
            return 0
        if is_many:
            return int(client.execute_command("EXISTS", *call_keys))
        return sum(send(client, [("EXISTS", key) for key in call_keys]))

    return count


def ranked(call: MemberRank) -> Callable[[RedisClient, Arguments], int | None]:
    """A function from a client and a call to the rank of a member."""
    key, member = key_of(call.keys), texts(call.member)
    command = "ZREVRANK" if call.is_backward else "ZRANK"

    def rank(client: RedisClient, arguments: Arguments) -> int | None:
        answer = client.execute_command(command, key(arguments), member(arguments)[0])
        return None if answer is None else int(answer)

    return rank
