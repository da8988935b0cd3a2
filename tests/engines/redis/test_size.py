"""Memory and bytes against the worked examples of the sizing notes; costs of calls."""

import pytest
from tests.engines.redis import patterned
from tests.engines.redis.planning import CLUSTER, Plans

from keywright.access.cost import Band
from keywright.access.path import AccessPath
from keywright.engines.redis.access.cost import COMPLEXITY
from keywright.engines.redis.access.evidence import _allowed
from keywright.engines.redis.access.layout import layout_of
from keywright.engines.redis.access.size import (
    Allocator,
    bucket_share,
    hash_memory,
    intset_memory,
    key_memory,
    listpack_entry,
    set_memory,
    size_class,
    sorted_set_memory,
    string_memory,
)
from keywright.engines.redis.access.wire import item_bytes, key_bytes
from keywright.engines.redis.engine import ENGINE

ALLOCATORS: tuple[Allocator, Allocator] = ("bundled", "system")
PLANS = Plans(patterned.__file__, vars(patterned))


@pytest.mark.parametrize(
    ("length", "bytes"),
    [(4, (72, 96)), (44, (112, 128)), (45, (120, 144)), (100, (176, 192)), (1_000, (1_088, 1_104)), (None, (64, 80))],
)
def test_a_string_with_a_key_of_sixteen_bytes(length: int | None, bytes: tuple[int, int]) -> None:
    assert (
        tuple(key_memory(16, allocator=allocator) + string_memory(length, allocator) for allocator in ALLOCATORS)
        == bytes
    )


def test_an_expiry_is_another_entry() -> None:
    memory = [
        key_memory(16, has_ttl=True, allocator=allocator) + string_memory(100, allocator) for allocator in ALLOCATORS
    ]
    assert memory == [200, 224]


@pytest.mark.parametrize(
    ("fields", "bytes"),
    [(10, (440, 448)), (100, (3_640, 3_648)), (512, (20_536, 20_544)), (513, (41_136, 49_360))],
)
def test_a_hash_doubles_with_its_513th_field(fields: int, bytes: tuple[int, int]) -> None:
    assert (
        tuple(key_memory(10, allocator=allocator) + hash_memory(fields, 8, 20, allocator) for allocator in ALLOCATORS)
        == bytes
    )


def test_one_long_value_turns_a_small_hash_into_a_table() -> None:
    assert hash_memory(5, 8, 64) < hash_memory(5, 8, 65) / 1.2


@pytest.mark.parametrize(
    ("members", "bytes"),
    [
        (10, (312, 320)),
        (100, (2_616, 2_624)),
        (128, (3_128, 3_136)),
        (129, (14_953, 18_000)),
        (1_000, (102_829, 126_344)),
    ],
)
def test_a_sorted_set_grows_fivefold_with_its_129th_member(members: int, bytes: tuple[int, int]) -> None:
    score = listpack_entry(100_000)
    memory = (
        key_memory(10, allocator=allocator) + sorted_set_memory(members, 16, score, allocator)
        for allocator in ALLOCATORS
    )
    assert all(abs(entry - other) < 1 for entry, other in zip(memory, bytes, strict=True))


def test_a_set_and_a_set_of_numbers() -> None:
    assert [key_memory(10, allocator=allocator) + set_memory(1_000, 16, allocator) for allocator in ALLOCATORS] == [
        56_304,
        72_320,
    ]
    assert [key_memory(10, allocator=allocator) + intset_memory(512, 4, allocator) for allocator in ALLOCATORS] == [
        2_616,
        2_624,
    ]


@pytest.mark.parametrize(("payload", "gigabytes"), [(2_048, 26.99), (2_042, 21.87)])
def test_six_bytes_of_payload_are_worth_five_gigabytes(payload: int, gigabytes: float) -> None:
    keys = 10_000_000
    each = key_memory(40, has_ttl=True) + string_memory(payload) + 2 * bucket_share(keys)
    assert round(each * keys / 1e9, 2) == gigabytes


@pytest.mark.parametrize(
    ("value", "bytes"),
    [(0, 2), (127, 2), (128, 3), (-1, 3), (4_095, 3), (4_096, 4), (70_000, 5), (2**31 - 1, 6), (2**31, 10), ("a", 3),
     ("a" * 63, 65), ("a" * 64, 67), ("a" * 126, 130)],
)  # fmt: skip
def test_entries_of_a_compact_block(value: int | str, bytes: int) -> None:
    assert listpack_entry(value) == bytes


@pytest.mark.parametrize(("size", "bytes"), [(1, 8), (24, 24), (65, 80), (129, 160), (257, 320), (2_049, 2_560)])
def test_classes_of_the_allocator(size: int, bytes: int) -> None:
    assert size_class(size) == bytes


def found(name: str):  # type: ignore[no-untyped-def]
    binding = next(binding for binding in PLANS.design.bindings if binding.name == name)
    return layout_of(PLANS.target(name), binding)


def test_bytes_of_keys_and_items_follow_from_types_and_bounds() -> None:
    assert key_bytes(found("Bid")) == Band(5 + 2 + 1 + 1 + 1, 5 + 2 + 10.5 + 1 + 1, 5 + 2 + 80 + 1 + 1)
    assert item_bytes(found("Friend")) == Band(3, 12.5, 82)
    assert item_bytes(found("Switch")) == Band(4, 4.5, 5)
    assert item_bytes(found("Line")).missing == {"Line.text: Field(max_length=) or Size(max=)"}


@pytest.mark.parametrize(
    ("pattern", "units", "trips", "complexity"),
    [
        ("user", Band(12, 12, 12), Band(1, 1, 1), "O(N)"),
        ("note", Band(1, 1, 1), Band(1, 1, 1), "O(1)"),
        ("best_bids", Band(0, 3, 12), Band(1, 1, 1), "O(log(N)+M)"),
        ("steps", Band(0, 4, 4), Band(1, 1, 1), "O(S+N)"),
        ("latest_in_room", Band(0, 3, 3), Band(1, 1, 4), "O(log(N)+M)"),
        ("friends", Band(0, 128, 128), Band(1, 1, 1), "O(1) for every call"),
        ("bid_rank", Band(1, 1, 1), Band(1, 1, 1), "O(log(N))"),
        ("bid_rank_shared", Band(1, 1, 1), Band(1, 1, 1), "ZSCORE O(1), ZCOUNT O(log(N))"),
        ("bids_around", Band(1, 6, 6), Band(1, 1, 1), "ZREVRANK O(log(N)), ZCARD O(1), ZRANGE O(log(N)+M)"),
        ("count_steps", Band(1, 1, 1), Band(1, 1, 1), "O(1)"),
        (
            "take_lines",
            Band(0, 3, 3),
            Band(1, 2, 3),
            "XAUTOCLAIM O(1), XPENDING O(N), XREADGROUP O(M), XACK O(1)",
        ),
        (
            "allow",
            Band(3, 4, 8),
            Band(1, 1, 1),
            "ZREMRANGEBYSCORE O(log(N)+M), ZCARD O(1), ZADD O(log(N)), EXPIRE O(1)",
        ),
    ],
)
def test_what_a_call_costs(pattern: str, units: Band, trips: Band, complexity: str) -> None:
    cost = ENGINE.cost(PLANS[pattern])
    assert (cost.unit, cost.units, cost.round_trips, cost.complexity) == ("elements", units, trips, complexity)


def test_a_bound_that_nobody_said_is_named() -> None:
    assert ENGINE.cost(PLANS["all_friends"]).missing == {"Friend: limit="}
    assert ENGINE.cost(PLANS["shops_near"]).missing == {"the requested distance"}
    assert ENGINE.cost(PLANS["friends_of_group"]).missing == {"Friend: limit="}


def test_a_write_of_several_items_is_one_trip_on_one_node_and_one_for_each_on_several() -> None:
    clustered = Plans(patterned.__file__, vars(patterned), CLUSTER)
    trips = [ENGINE.cost(plans["sign_up_several"]).round_trips.high for plans in (PLANS, clustered)]
    assert trips == [1, 2]


def test_every_command_that_is_sent_has_a_documented_complexity() -> None:
    for name in PLANS.patterns:
        planned = PLANS[name]
        if isinstance(planned.path, AccessPath):
            assert ENGINE.cost(planned).complexity
            sent = _allowed(planned.path.call, planned)  # type: ignore[arg-type]
            assert sent - {"EVALSHA", "EVAL", "STAND-IN"} <= COMPLEXITY.keys()
