"""Takes: the next elements of a list, the next entries of a stream, permits of a rate limit."""

import socket
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

from keywright.declare.answers import Taken
from keywright.engines.redis.access.calls import ClaimEntries, Permit, Pop
from keywright.engines.redis.schema.layout import bucket_key, dead_letters, delayed
from keywright.engines.redis.schema.target import StructureTarget
from keywright.errors import UsageError
from keywright.runtime.items.codec import Codec
from keywright.runtime.items.fill import texts
from keywright.runtime.validate.arguments import Arguments

from ..client_types import RedisClient
from .limit_scripts import BUCKET, FIXED, SLIDING
from .scripts import CLAIMED, RELEASED, UNREADABLE
from .sending import key_of


def popped(call: Pop, codec: Codec[Any]) -> Callable[[RedisClient, Arguments], list[Any]]:
    """A function from a client and a call to the oldest elements of a list, which it removes."""
    key = key_of(call.keys)

    def pop(client: RedisClient, arguments: Arguments) -> list[Any]:
        name = key(arguments)
        return [
            codec.from_item((name, element))
            for element in client.execute_command("RPOP", name, arguments.limit or 1) or ()
        ]

    return pop


def claimed(call: ClaimEntries, codec: Codec[Any]) -> Callable[[RedisClient, Arguments], Taken[Any]]:
    """A function from a client and a call to entries for a group: unacknowledged entries first, then new ones.

    Entries stay pending until the caller acknowledges them. Entries that cannot become an instance are moved to the
    dead letters at once, and so are entries that were delivered too often. The consumer has the machine's name, so that
    there are no more consumers than machines.
    """
    key, consumer, trim = key_of(call.keys), socket.gethostname(), _trimming(call.structure)
    positions: dict[str, Any] = {}  # the end of the last scan of unacknowledged entries: a hint for all clients

    def claim(client: RedisClient, arguments: Arguments) -> Taken[Any]:
        name = key(arguments)
        keys, consumer_words = [name, dead_letters(name)], [call.group, consumer, trim(arguments)]
        now = "" if arguments.now is None else int(arguments.now.timestamp() * 1000)
        waiting = [delayed(name)] if call.structure.due else []
        limits = [call.idle_milliseconds, arguments.limit or 1, call.max_deliveries]
        position, set_aside_count, entries = CLAIMED(
            client, [*keys, *waiting], [*consumer_words, *limits, positions.get(name, "0-0"), now]
        )
        positions[name] = position
        ids, items, unreadable, deliveries = list[Any](), list[Any](), list[Any](), list[int]()
        for id, words, count in entries:
            try:
                items.append(codec.from_item((name, dict(zip(words[::2], words[1::2], strict=True)))))
            except (TypeError, ValueError, LookupError):
                unreadable.append(id)
            else:
                ids.append(id)
                deliveries.append(int(count))
        if unreadable:
            UNREADABLE(client, keys, [*consumer_words, *unreadable])

        def acknowledge(places: Sequence[int]) -> None:
            client.execute_command("XACK", name, call.group, *(ids[position] for position in places))

        def release(places: Sequence[int], after: timedelta) -> None:
            idle = call.idle_milliseconds - after // timedelta(milliseconds=1)
            if not 0 <= idle <= call.idle_milliseconds:
                most = timedelta(milliseconds=call.idle_milliseconds)
                raise UsageError(
                    f"after={after} is not from 0 to the {most} of claim_after", "choose a time in between"
                )
            RELEASED(client, [name], [call.group, consumer, idle, *(ids[position] for position in places)])

        set_aside_count = int(set_aside_count) + len(unreadable)
        return Taken(items, acknowledge, set_aside_count, release=release, deliveries=deliveries)

    return claim


def _trimming(structure: StructureTarget) -> Callable[[Arguments], str]:
    """A function from a call to the XADD options that trim the dead letters like the stream."""
    if structure.kept_seconds is None:
        words = f"MAXLEN ~ {structure.kept}" if structure.kept else ""
        return lambda arguments: words
    kept_seconds = structure.kept_seconds

    def since(arguments: Arguments) -> str:
        now = time.time() if arguments.now is None else arguments.now.timestamp()
        return f"MINID ~ {int((now - kept_seconds) * 1000)}"

    return since


def permitted(call: Permit) -> Callable[[RedisClient, Arguments], bool]:
    """A function from a client and a call that returns whether the call is allowed."""
    key, limit, per = key_of(call.keys), call.structure.limit or 0, call.structure.per_seconds or 1
    member = texts(call.member) if call.member else None

    def slide(client: RedisClient, arguments: Arguments) -> bool:
        now = "" if arguments.now is None else f"{arguments.now.timestamp():.6f}"
        member_words = (member(arguments)[0], 0) if member else (uuid4().hex, 1)
        return bool(SLIDING(client, [key(arguments)], [limit, per, arguments.limit or 1, now, *member_words]))

    def count(client: RedisClient, arguments: Arguments) -> bool:
        # A script needs its keys in advance, and the period is part of the key: it is computed from the local clock.
        now = time.time() if arguments.now is None else arguments.now.timestamp()
        window = f"{key(arguments)}:{int(now) // per}"
        return bool(FIXED(client, [window], [limit, 2 * per, arguments.limit or 1]))

    def pour(client: RedisClient, arguments: Arguments) -> bool:
        now = "" if arguments.now is None else f"{arguments.now.timestamp():.6f}"
        bucket, burst = bucket_key(key(arguments)), call.structure.burst or limit
        return bool(BUCKET(client, [bucket], [limit, per, burst, arguments.limit or 1, now]))

    return {"fixed": count, "bucket": pour}.get(call.structure.window or "", slide)
