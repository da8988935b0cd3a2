"""Access patterns that the families of a Redis server propose."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.adopt.laws import assert_is_as_a_person_writes
from tests.adopt.test_redis import ADOPTION, ENVIRONMENT, adopted

from keywright.api.adopt.patterns import with_patterns
from keywright.engines.contract.adoption import Sample
from keywright.engines.contract.observer import CommandCalls
from keywright.engines.redis.schema.target import StreamTarget
from keywright.engines.registry import engine_named

JSON = b'{"a":1}'
FAMILIES: Mapping[str, tuple[str, Mapping[str, Any], list[str]]] = {
    "a hash": ("hash", {f"user:{n}": {b"name": b"x"} for n in range(3)},
               ['user_by_id = kw.Get(User, eq="user_id")']),
    "a hash with a constant key": ("hash", {"config:limits": {b"uploads": b"1"}},
                                   ["config_limits = kw.Get(ConfigLimits)"]),
    "a string": ("string", {f"user:{n}:balance": b"x" for n in range(3)},
                 ['user_balance_by_user_id = kw.Get(UserBalance, eq="user_id")']),
    "a counter": ("string", {f"views:{n}": b"5" for n in range(3)},
                  ['view_by_id = kw.Get(View, eq="view_id")',
                   'increment_view = kw.Increment(View, "count", eq="view_id")']),
    "a set": ("set", {"online_users": [b"x", b"y"]},
              ["online_users = kw.Read(OnlineUser, limit=20)",
               'online_user_by_member = kw.Get(OnlineUser, eq="member")']),
    "scores": ("zset", {f"guild:{n}": [(b"p", 5.0)] for n in range(3)},
               ['top_guilds_by_id = kw.Read(Guild, eq="guild_id", order="-score", limit=20)',
                'rank_of_guild = kw.Rank(Guild, eq=["guild_id", "member"], order="-score")',
                'guild_by_id_and_member = kw.Get(Guild, eq=["guild_id", "member"])']),
    "times": ("zset", {"visits": [(b"p", 1767225600.25)]},
              ['visits = kw.Read(Visit, range="at", order="-at", limit=20)',
               'visit_by_member = kw.Get(Visit, eq="member")']),
    "times to come": ("zset", {"delayed_jobs": [(b"p", 1767225600.0)]},
                      ['due_delayed_jobs = kw.Read(DelayedJob, range="due_at", order="due_at", limit=20)',
                       'delayed_job_by_member = kw.Get(DelayedJob, eq="member")']),
    "places": ("zset", {"shops": [(b"p", 3663832614298053.0)]},
               ['nearby_shops = kw.Read(Shop, near="place", limit=20)']),
    "recent elements": ("list", {f"user:{n}:feed": [JSON] for n in range(3)},
                        ['user_feeds_by_user_id = kw.Read(UserFeed, eq="user_id", limit=20)']),
    "a queue": ("list", {"queue:emails": [JSON]}, []),
    "a stream": ("stream", {"audit": [{b"id": b"1"}]}, ["latest_audits = kw.Read(Audit, limit=20)"]),
}  # fmt: skip


def proposed(type: str, values: Mapping[str, Any], folder: Path, commands: CommandCalls | None = None) -> list[str]:
    """Lines from the first pattern on in the file of keys of one type."""
    streams = [StreamTarget("events:orders", ("billing",))] if "events:orders" in values else ()
    samples = {"redis": Sample(commands=commands)}
    found = with_patterns(engine_named("redis"), ADOPTION, adopted(type, values, streams), ENVIRONMENT, samples)
    lines = assert_is_as_a_person_writes(found, folder).splitlines()
    return [line for line in lines if (" = kw." in line and "kw.Redis" not in line) or line.startswith("# all")]


@pytest.mark.parametrize(("type", "values", "expected"), FAMILIES.values(), ids=FAMILIES)
def test_the_structure_of_a_family_suggests_its_patterns(
    type: str, values: Mapping[str, Any], expected: list[str], tmp_path: Path
) -> None:
    lines = proposed(type, values, tmp_path)
    assert [line.partition("  # ")[0] for line in lines if not line.startswith("#")] == expected


def test_a_stream_is_taken_by_each_of_its_groups(tmp_path: Path) -> None:
    values = {"events:orders": [{b"id": b"1"}, {b"id": b"2"}]}
    assert proposed("stream", values, tmp_path) == [
        "billing = kw.ConsumerGroup(",
        "next_order_event_for_billing = kw.Take(OrderEvent, group=billing)",
    ]


HASHES = {f"user:{n}": {b"name": b"x"} for n in range(3)}


def test_the_calls_of_commands_are_evidence(tmp_path: Path) -> None:
    calls = CommandCalls({"HGETALL": 12_345, "HMGET": 6, "HGET": 5, "GET": 9}, days=12.2)
    assert proposed("hash", HASHES, tmp_path, calls) == [
        "# all hashes: 12,345 HGETALL and 6 HMGET in 12 days",
        'user_by_id = kw.Get(User, eq="user_id")',
    ]


@pytest.mark.parametrize(
    ("calls", "is_proposed"),
    [
        (CommandCalls({"GET": 9}, days=12), False),
        (CommandCalls({"GET": 9}, days=6), True),
        (CommandCalls({"GET": 9}), True),
        (CommandCalls({"GET": 9}, days=12, is_partial=True), True),
    ],
    ids=["for a week", "for six days", "unknown since when", "replicas answer too"],
)
def test_commands_that_were_never_called_propose_nothing(
    calls: CommandCalls, is_proposed: bool, tmp_path: Path
) -> None:
    assert bool(proposed("hash", HASHES, tmp_path, calls)) is is_proposed


def test_a_queue_is_taken_from_if_applications_take_from_the_right(tmp_path: Path) -> None:
    values = {"queue:emails": [JSON]}
    assert proposed("list", values, tmp_path, CommandCalls({"BRPOP": 4}, days=1)) == [
        "take_from_email_job = kw.Take(EmailJob)  # all lists: 4 BRPOP in 1 day",
    ]
    assert proposed("list", values, tmp_path, CommandCalls({"LPOP": 4}, days=1)) == []
