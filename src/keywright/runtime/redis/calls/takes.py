"""Taking what is next: elements of a list, entries of a stream, permits of a rate limit."""

import socket
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from keywright.engines.redis.access.calls import Claim, Permit, Pop
from keywright.runtime.codec import Codec
from keywright.runtime.fill import texts
from keywright.runtime.given import Given

from .. import values
from .scripts import FIXED, SLIDING
from .sending import key_of


def popped(call: Pop, codec: Codec[Any]) -> Callable[[Any, Given], list[Any]]:
    """A function from a client and a call to the oldest elements of a list, which leave it."""
    key = key_of(call.keys)

    def pop(client: Any, given: Given) -> list[Any]:
        name = key(given)
        return [codec.from_item((name, one)) for one in client.execute_command("RPOP", name, given.limit or 1) or ()]

    return pop


def claimed(call: Claim, codec: Codec[Any]) -> Callable[[Any, Given], list[Any]]:
    """A function from a client and a call to entries for a group: what was left unfinished, then what is new.

    Entries are acknowledged when they have become instances: one that cannot stays with the group, for a person. The
    consumer is called by the machine, so that there are no more of them than machines.
    """
    key, consumer = key_of(call.keys), socket.gethostname()
    group, idle = call.group, call.idle_milliseconds

    def claim(client: Any, given: Given) -> list[Any]:
        name, wanted = key(given), given.limit or 1
        answer = client.execute_command("XAUTOCLAIM", name, group, consumer, idle, "0-0", "COUNT", wanted)
        found = _entries(answer[1])
        if len(found) < wanted:
            more = client.execute_command(
                "XREADGROUP", "GROUP", group, consumer, "COUNT", wanted - len(found), "STREAMS", name, ">"
            )
            found += _of_stream(more)
        items = [codec.from_item((name, fields)) for _, fields in found]
        if found:
            client.execute_command("XACK", name, group, *(id for id, _ in found))
        return items

    return claim


def _entries(answer: Any) -> list[tuple[str, Any]]:
    """(id, fields) of entries; those that were trimmed meanwhile have no fields."""
    return [(values.to_text(one[0]), one[1]) for one in answer or () if one is not None and one[1] is not None]


def _of_stream(answer: Any) -> list[tuple[str, Any]]:
    """The entries of the one stream that was read, in the forms of either protocol."""
    if not answer:
        return []
    if isinstance(answer, dict):
        (parts,) = answer.values()
        return [entry for part in parts for entry in _entries(part)]
    return _entries(answer[0][1])


def permitted(call: Permit) -> Callable[[Any, Given], bool]:
    """A function from a client and a call to whether it is allowed."""
    key, limit, per = key_of(call.keys), call.structure.limit or 0, call.structure.per_seconds or 1
    member = texts(call.member) if call.member else None

    def slide(client: Any, given: Given) -> bool:
        now = "" if given.now is None else f"{given.now.timestamp():.6f}"
        named = (member(given)[0], 0) if member else (uuid4().hex, 1)
        return bool(SLIDING(client, [key(given)], [limit, per, given.limit or 1, now, *named]))

    def count(client: Any, given: Given) -> bool:
        # The period is a part of the key, which a script must be told: so it goes by this machine's clock.
        now = time.time() if given.now is None else given.now.timestamp()
        window = f"{key(given)}:{int(now) // per}"
        return bool(FIXED(client, [window], [limit, 2 * per, given.limit or 1]))

    return count if call.structure.window == "fixed" else slide
