"""Items and members that a call names, and what the server counts by itself."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from keywright.declare.answers import Page
from keywright.engines.redis.access.calls import Fetch, Probe, Rank, Size
from keywright.engines.redis.item import Command
from keywright.errors import UsageError
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.runtime.codec import Codec
from keywright.runtime.fill import texts
from keywright.runtime.given import Given
from keywright.runtime.judge import Judge, value_of

from . import cursor
from .scores import bits, ends_of, score_of, words
from .sending import key_of, keys_of, send

Named = tuple[str, Any]
"""A key, and the name of a member, or None where the key is the item's own."""

Lookup = Callable[[Any, list[Named]], Iterator[Any]]
"""(client, names): the instances that are there, or None for each that is not, in order."""


def fetching(call: Fetch, codec: Codec[Any]) -> Lookup:
    """A function that reads items by their keys, in one round trip."""
    kind, fields = call.structure.kind, call.fields
    make = codec.from_part if fields else codec.from_item
    is_many = kind != "hash" and call.keys.can_be_named_at_once

    def fetched(client: Any, named: list[Named]) -> Iterator[Any]:
        keys = [key for key, _ in named]
        if kind == "hash" and fields:
            replies = send(client, [("HMGET", key, *fields) for key in keys])
            answers: Iterable[Any] = (
                None if all(one is None for one in reply) else dict(zip(fields, reply, strict=True))
                for reply in replies
            )  # fmt: skip
        elif kind == "hash":
            answers = (reply or None for reply in send(client, [("HGETALL", key) for key in keys]))
        elif is_many and len(keys) > 1:
            answers = client.execute_command("MGET", *keys)
        else:
            answers = send(client, [("GET", key) for key in keys])
        for key, answer in zip(keys, answers, strict=True):
            yield None if answer is None else make((key, answer))

    return fetched


def probing(call: Probe, codec: Codec[Any]) -> Lookup:
    """A function that asks for members by their names, in one round trip."""
    kind, make = call.structure.kind, codec.from_item

    def probed(client: Any, named: list[Named]) -> Iterator[Any]:
        members: dict[str, list[Any]] = {}
        for key, member in named:
            members.setdefault(key, []).append(member)
        commands = [command for key, some in members.items() for command in _probes(kind, key, some)]
        replies = iter([one for reply in send(client, commands) for one in _several(reply)])
        for (key, member), reply in zip(named, replies, strict=True):
            answer = _answer(kind, member, reply)
            yield None if answer is None else make((key, answer))

    return probed


def _probes(kind: str, key: str, members: list[Any]) -> list[Command]:
    if kind == "bitmap":
        return [("GETBIT", key, bit) for bit in members]
    if kind == "geo":
        return [("GEOPOS", key, *members)]
    one, several = ("SISMEMBER", "SMISMEMBER") if kind == "set" else ("ZSCORE", "ZMSCORE")
    return [(one if len(members) == 1 else several, key, *members)]


def _several(reply: Any) -> list[Any]:
    return list(reply) if isinstance(reply, (list, tuple)) else [reply]


def _answer(kind: str, member: Any, reply: Any) -> Any:
    if kind in ("set", "bitmap"):
        return member if int(reply or 0) else None
    return None if reply is None else (member, reply)


def names_of(call: Fetch | Probe) -> Callable[[Given], list[Named]]:
    """A function from a call to all that it names, keys first."""
    keys = keys_of(call.keys)
    if isinstance(call, Fetch):
        return lambda given: [(key, None) for key in keys(given)]
    if call.bit is not None:
        bit = call.bit
        return lambda given: [(key, int(one)) for key in keys(given) for one in dict.fromkeys(given.of(bit))]
    assert call.members is not None
    members = texts(call.members)
    return lambda given: [(key, one) for key in keys(given) for one in dict.fromkeys(members(given))]


def listed(
    call: Fetch | Probe, pattern: Pattern, lookup: Lookup, test: Callable[[Given], Judge] | None
) -> Callable[[Any, Given], Page[Any]]:
    """A function from a client and a call to a page of what it names; a place is how many names are done with."""
    names = names_of(call)
    orders = [(value_of(one.field), one.is_descending) for one in call.order]

    def page(client: Any, given: Given) -> Page[Any]:
        if given.limit is not None and given.limit < 1:
            raise UsageError(f"a page has at least one item, not {given.limit}", "leave out limit=, or raise it")
        named, keep = names(given), test(given) if test else None
        done = 0 if given.cursor is None else cursor.read(pattern, given.cursor)
        items: list[Any] = []
        if orders:
            there = [one for one in lookup(client, named) if one is not None and (keep is None or keep(one))]
            for value, is_descending in reversed(orders):
                there.sort(key=value, reverse=is_descending)
            end = len(there) if given.limit is None else done + given.limit
            items, done, total = there[done:end], end, len(there)
        else:
            total = len(named)
            while done < total and (given.limit is None or len(items) < given.limit):
                end = total if given.limit is None else done + given.limit - len(items)
                some = lookup(client, named[done:end])
                items += [one for one in some if one is not None and (keep is None or keep(one))]
                done = min(end, total)
        return Page(tuple(items), cursor.written(pattern, done) if done < total else None)

    return page


def counted(call: Size, binding: Binding) -> Callable[[Any, Given], int]:
    """A function from a client and a call to a number that the server counts."""
    keys, command = keys_of(call.keys), call.command
    if command == "BITCOUNT":
        ends = ends_of(call.bounds, float)

        def bit_range(given: Given) -> Command | None:
            found = bits(ends(given))
            return None if found is None else (*map(str, found), "BIT")

        end_words: Callable[[Given], Command | None] = bit_range if call.bounds else lambda given: ()
    elif call.bounds:
        field = binding.entity.attribute(call.structure.value or "")
        assert field is not None
        score_ends = ends_of(call.bounds, score_of(field))

        def score_range(given: Given) -> Command | None:
            return words(score_ends(given))

        end_words = score_range
    else:

        def end_words(given: Given) -> Command | None:
            return ()

    if command == "ZCOUNT" and not call.bounds:
        raise TypeError("ZCOUNT needs two ends")

    def count(client: Any, given: Given) -> int:
        behind = end_words(given)
        return 0 if behind is None else sum(send(client, [(command, key, *behind) for key in keys(given)]))

    return count


def existing(call: Fetch) -> Callable[[Any, Given], int]:
    """A function from a client and a call to how many of its keys are there."""
    keys = keys_of(call.keys)
    is_many = call.keys.can_be_named_at_once

    def count(client: Any, given: Given) -> int:
        found = keys(given)
        if not found:
            return 0
        if is_many:
            return int(client.execute_command("EXISTS", *found))
        return sum(send(client, [("EXISTS", key) for key in found]))

    return count


def ranked(call: Rank) -> Callable[[Any, Given], int | None]:
    """A function from a client and a call to the place of a member."""
    key, member = key_of(call.keys), texts(call.member)
    command = "ZREVRANK" if call.is_backward else "ZRANK"

    def rank(client: Any, given: Given) -> int | None:
        found = client.execute_command(command, key(given), member(given)[0])
        return None if found is None else int(found)

    return rank
