"""Steps that make a server, and what a probe says of them."""

from typing import Any

import pytest

from keywright.engines.contract.classes import row_of
from keywright.engines.contract.diff import diff
from keywright.engines.contract.plan import ObjectState, Statement, probe
from keywright.engines.contract.shape import EntityShape
from keywright.engines.interface import Description
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.migrate.create import create
from keywright.engines.redis.migrate.diff import CLASSES, PARTS
from keywright.engines.redis.schema.target import Placement, ServerTarget, StreamTarget, StructureTarget
from keywright.record import replace

SETTINGS = (
    ("appendonly", "yes"), ("io-threads", "4"), ("maxmemory", "1073741824"), ("maxmemory-policy", "allkeys-lru"),
    ("save", "60 1"),
)  # fmt: skip
SERVER = ServerTarget(
    "s", 1, SETTINGS, (StreamTarget("events", ("billing", "shipping")),), placement=Placement("valkey", "9.1")
)


@pytest.mark.parametrize(
    "changed",
    [{"window": "sliding", "burst": None}, {"window": "fixed", "burst": None}, {"burst": 9}, {"limit": 9}],
)
def test_a_limit_that_counts_differently_is_a_safe_change(changed: dict[str, Any]) -> None:
    bucket = StructureTarget("Call", "rate limit", limit=5, per_seconds=60, window="bucket", burst=20)
    shape = (EntityShape("Call", (("key", "call:{user}"),), (), 1),)
    before, after = (
        ENGINE.describe(ServerTarget("s", 1, shape=shape, structures=(structure,)))
        for structure in (bucket, replace(bucket, **changed))
    )
    (change,) = diff("redis/s", PARTS, before, after, ("s",))
    row = row_of(CLASSES, change)
    assert (row.classes, row.why) == ("S", "calls are counted differently")


@pytest.mark.parametrize(
    ("before", "after"), [(None, "second from 0 to 9"), ("second from 0 to 9", "-second from 0 to 9")]
)
def test_scores_with_another_second_number_are_of_another_structure(before: str | None, after: str | None) -> None:
    shape = (EntityShape("Race", (("key", "race"),), (), 1),)
    sides = (
        ENGINE.describe(
            ServerTarget(
                "s", 1, shape=shape, structures=(StructureTarget("Race", "sorted set", value="points", then=then),)
            )
        )
        for then in (before, after)
    )
    (change,) = diff("redis/s", PARTS, *sides, ("s",))
    assert row_of(CLASSES, change).classes == "R"


@pytest.mark.parametrize(
    ("before", "after", "classes"),
    [
        ({}, {"due": "at"}, "S"),
        ({"due": "at"}, {"due": "on", "groups": ("a", "b")}, "S"),
        ({"due": "at"}, {}, "D"),
        ({"due": "at", "kept": 9}, {}, "BD"),
    ],
)
def test_entries_that_wait_are_lost_without_a_due_time(
    before: dict[str, Any], after: dict[str, Any], classes: str
) -> None:
    shape = (EntityShape("Job", (("key", "jobs"),), (), 1),)
    sides = (
        ENGINE.describe(ServerTarget("s", 1, shape=shape, structures=(StructureTarget("Job", "stream", **options),)))
        for options in ({"groups": ("a",), **before}, {"groups": ("a",), **after})
    )
    (change,) = diff("redis/s", PARTS, *sides, ("s",))
    assert row_of(CLASSES, change).classes == classes


def live(streams: tuple[StreamTarget, ...] = (), **settings: str) -> Description:
    result = {name.replace("_", "-"): value for name, value in settings.items()}
    return ENGINE.describe(ServerTarget("s", 1, tuple(sorted(result.items())), streams))


def statement(*object: str) -> Statement:
    return next(entry for entry in create(SERVER) if entry.object == object)


def test_the_memory_limit_comes_after_the_policy_and_what_is_read_at_start_has_no_step() -> None:
    assert [(entry.summary, entry.native, entry.before) for entry in create(SERVER)] == [
        ('set "appendonly" to yes', {"command": ["CONFIG", "SET", "appendonly", "yes"]}, (None, "no")),
        (
            'set "maxmemory-policy" to allkeys-lru',
            {"command": ["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]},
            (None, "noeviction"),
        ),
        ('set "save" to 60 1', {"command": ["CONFIG", "SET", "save", "60 1"]}, (None, "3600 1 300 100 60 10000", "")),
        ('set "maxmemory" to 1073741824', {"command": ["CONFIG", "SET", "maxmemory", "1073741824"]}, (None, "0")),
        (
            'create consumer group "billing" of stream "events"',
            {"command": ["XGROUP", "CREATE", "events", "billing", "$", "MKSTREAM"]},
            (None,),
        ),
        (
            'create consumer group "shipping" of stream "events"',
            {"command": ["XGROUP", "CREATE", "events", "shipping", "$", "MKSTREAM"]},
            (None,),
        ),
    ]


def test_a_service_takes_no_settings_as_commands() -> None:
    server = ServerTarget("s", 1, SETTINGS, SERVER.streams, placement=Placement("memorydb"))
    assert {entry.object[0] for entry in create(server)} == {"streams"}


def test_a_setting_that_nobody_chose_is_absent() -> None:
    assert probe(statement("settings", "maxmemory-policy"), live(maxmemory_policy="noeviction")) is ObjectState.ABSENT
    assert probe(statement("settings", "save"), live(save="3600 1 300 100 60 10000")) is ObjectState.ABSENT
    assert probe(statement("settings", "save"), live(save="")) is ObjectState.ABSENT


def test_a_setting_that_is_as_wanted_is_present() -> None:
    assert probe(statement("settings", "maxmemory-policy"), live(maxmemory_policy="allkeys-lru")) is ObjectState.PRESENT


def test_a_setting_that_somebody_chose_is_a_conflict() -> None:
    assert (
        probe(statement("settings", "maxmemory-policy"), live(maxmemory_policy="volatile-ttl")) is ObjectState.CONFLICT
    )
    assert probe(statement("settings", "maxmemory"), live(maxmemory="1")) is ObjectState.CONFLICT


def test_a_group_is_there_or_not() -> None:
    entry = live((StreamTarget("events", ("billing",)),))
    assert probe(statement("streams", "events", "billing"), entry) is ObjectState.PRESENT
    assert probe(statement("streams", "events", "shipping"), entry) is ObjectState.ABSENT
    assert probe(statement("streams", "events", "shipping"), live()) is ObjectState.ABSENT


def test_only_what_the_wanted_server_names_counts() -> None:
    server_target = ServerTarget(
        "s", 1, (("hz", "10"), ("save", "60 1")),
        (StreamTarget("events", ("billing", "x")), StreamTarget("other", ("y",))),
        placement=Placement("valkey", "9.1", 2),
    )  # fmt: skip
    server = ServerTarget("s", 1, (("save", ""),), SERVER.streams, placement=Placement("valkey"))
    assert ENGINE.managed(server_target, server) == ServerTarget(
        "s", 1, (("save", "60 1"),), (StreamTarget("events", ("billing",)),), placement=Placement("valkey", None, 2)
    )


def test_a_service_is_called_by_its_own_name() -> None:
    server_target: Any = ServerTarget("s", 1, placement=Placement("redis", "7.1"))
    server = ServerTarget("s", 1, placement=Placement("elasticache", "7.1"))
    assert ENGINE.managed(server_target, server) == server


def test_a_server_is_a_store_of_its_own() -> None:
    assert ENGINE.store(SERVER) == "redis/s"
