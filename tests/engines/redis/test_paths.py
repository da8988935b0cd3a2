"""Which patterns are served, by what, and why the others are not."""

import pytest
from tests.engines.redis import patterned
from tests.engines.redis.planning import CLUSTER, REPLICATED, Plans

from keywright.access.path import AccessPath, By, NotServed, Rejected
from keywright.engines.redis.access.calls import CallKeys, Fetch, Transaction
from keywright.engines.redis.engine import ENGINE
from keywright.record import replace

PLANS = Plans(patterned.__file__, vars(patterned))

VERDICTS = [
    ("user", "Fetch x1 none"),
    ("user_names", "Fetch x1 none"),
    ("user_nick", "Fetch x1 none"),
    ("user_address", "Fetch x1 none"),
    ("user_if_admin", "Fetch x1 none residual is_admin = True"),
    ("users", "Fetch x10 none"),
    ("users_in_order", "Fetch x3 memory"),
    ("users_by_nick", 'no: "nick" may be None or is not a single value, so it has no order'),
    ("users_who_log_in", "Fetch x2 none residual logins >= 2"),
    ("count_users", "Fetch x1 none"),
    ("count_admins", "Fetch x1 none residual is_admin = True"),
    ("user_by_first", 'no: the pattern has no equality on "name", and "user:{name}" is read by its whole key'),
    ("users_of_month", 'no: the pattern has no equality on "name", and "user:{name}" is read by its whole key'),
    ("users_joined_with", "no: Redis has no joins: read the other entity by its key, or store a copy of its fields"),
    (
        "logins_by_level",
        "no: Redis has no aggregates over groups: maintain a RedisCounter or RedisHash for each group",
    ),
    ("rank_user", "no: a hash has no ranks: store the members in a RedisSortedSet"),
    ("users_around", "no: a hash has no ranks: store the members in a RedisSortedSet"),
    ("put_user", "PutItems x1 none"),
    ("sign_up", "PutItems x1 none"),
    ("sign_up_several", "PutItems x1 none"),
    ("rename", "SetFields x1 none"),
    ("forget_nick", "SetFields x1 none"),
    ("forget_first", 'no: "first" is required and cannot be removed'),
    ("retitle", "SetFields x1 none"),
    ("retitle_half", 'no: "sort" is computed from "last" too: add it to sets= or eq='),
    ("rejoin", "SetFields x1 none"),
    ("move", "SetFields x1 none"),
    ("move_city", 'no: "address.city" is not a separate field: set "address" as a whole'),
    ("rename_key", 'no: the call has no value of "name", a part of the key "user:{name}": add it to eq='),
    ("tag_user", 'no: "tags" is one JSON text here, without pushes: store its elements in a RedisList'),
    ("promote", "SetFields x1 none"),
    ("promote_low", "SetFields x1 none"),
    ("promote_rich", 'no: no script can check "debt < 1" on decimal: store whole cents in an int'),
    ("rename_if_first", "SetFields x1 none"),
    ("log_in", "Increase x1 none"),
    ("log_in_below", "Increase x1 none"),
    ("earn", "Increase x1 none"),
    ("owe", 'no: "debt" is decimal, and Redis adds in floating point: store whole cents in an int'),
    ("drop_user", "Remove x1 none"),
    ("drop_low", "Remove x1 none"),
    ("drop_user_of_level", "Remove x1 none"),
    ("take_user", "no: a hash has no next item: take from a RedisList, RedisStream or RedisRateLimit"),
    ("blank", "Fetch x1 none"),
    ("set_blank", "SetFields x1 none"),
    ("clear_blank", "SetFields x1 none"),
    ("extend_blank", "SetFields x1 none"),
    ("put_blank", "PutItems x1 none"),
    ("note", "Fetch x1 none"),
    ("note_anyhow", "Fetch x2 none"),
    ("notes", "Fetch x5 none residual words contains :words"),
    ("put_note", "PutItems x1 none"),
    ("new_note", "PutItems x1 none"),
    (
        "edit_note",
        "no: JSON text is not changed in place, because scripts round numbers: use a RedisHash, or a RedisJson",
    ),
    ("put_lease", "PutItems x1 none"),
    ("take_over", "SetFields x1 none"),
    ("switch", "Fetch x1 none"),
    ("new_switch", "PutItems x1 none"),
    ("flip", "SetFields x1 none"),
    ("flip_on", "SetFields x1 none"),
    ("drop_switch", "Remove x1 none"),
    ("hit", "Increase x1 none"),
    ("hit_below", "Increase x1 none"),
    ("hits_of_day", "Fetch x3 none"),
    ("hits_of_week", "Fetch x24 none residual day between :day"),
    ("hits_of_range", "no: the number of keys in the range is unknown: add span= or fan_out="),
    ("drop_hits", "Remove x3 none"),
    ("set_hits", "no: the shard of the key is random, so the item is unknown"),
    ("new_hits", "no: the shard of the key is random, so the item may exist in another shard"),
    ("events_between", "Range x6 index"),
    ("events_between_up", "Range x6 index"),
    ("latest_in_room", "Range x4 index"),
    ("comings", "Range x6 index residual what = 'come'"),
    ("count_events", "CountElements x6 none"),
    ("count_comings", "Range x6 none residual what = 'come'"),
    ("event", "Probe x1 none residual at = :at"),
    ("put_event", "PutItems x1 none"),
    ("best_bids", "Range x4 merge"),
    ("best_bids_by_name", "Range x4 merge"),
    (
        "mixed_bids",
        "no: equal scores are ordered by member, in the direction of the score: order both in the same direction",
    ),
    ("bids_by_name", 'no: members are ordered by "amount", not by "bidder"'),
    ("bids_between", "Range x4 none"),
    ("bids_from_ten", "Range x4 merge"),
    ("bids_below_ten", "CountElements x4 none"),
    ("bids_at", "Range x4 merge"),
    ("some_bids", "Probe x2 memory"),
    ("bids_like", "Range x4 none residual bidder prefix :bidder"),
    ("bid", "Probe x1 none"),
    ("bid_rank", "MemberRank x1 index"),
    ("bid_rank_up", "MemberRank x1 index"),
    ("bid_rank_shared", "Neighbours x1 index"),
    ("bids_around", "Neighbours x1 index"),
    ("bids_around_up", "Neighbours x1 index"),
    ("bids_around_some", "no: a rank counts all members, without conditions: remove where="),
    ("bid_rank_by_name", 'no: members are ranked by "amount": write order="-amount"'),
    ("put_bid", "PutItems x1 none"),
    ("first_bid", "PutItems x1 none"),
    ("raise_bid", "Increase x1 none"),
    ("raise_low_bid", "Increase x1 none"),
    ("set_bid", "SetFields x1 none"),
    ("drop_bid", "Remove x1 none"),
    ("drop_low_bid", "Remove x1 none"),
    ("drop_bid_of", "Remove x1 none"),
    ("drop_lot", "Remove x4 none"),
    ("runners", "Range x1 index"),
    ("runners_by_name", "Range x1 index"),
    ("runners_up", "Range x1 index"),
    ("runners_wrong", 'no: equal scores are ordered by "second", against the direction of the score'),
    ("runners_between", "CountElements x1 none"),
    ("runners_at", "Range x1 index"),
    ("runner", "Probe x1 none"),
    ("runner_rank", "MemberRank x1 index"),
    ("runner_rank_shared", 'no: "second" orders equal scores, so that no rank is shared: remove ties='),
    ("runners_around", "Neighbours x1 index"),
    ("enter", "PutItems x1 none"),
    ("run_on", "SetFields x1 none"),
    ("run_half", 'no: "points" and "second" are one number: set both, and nothing else'),
    ("run_if", 'no: "points" and "second" are one number, so "points < 9" cannot be checked'),
    ("run_more", 'no: an increment would keep "second": use kw.Update(..., sets=["points", "second"])'),
    ("numbers", "Range x1 index"),
    (
        "numbers_in_order",
        'no: equal scores are ordered by the member as text, where "number" is unordered: pad it and put it first',
    ),
    (
        "numbers_by_number",
        'no: equal scores are ordered by the member as text, where "number" is unordered: pad it and put it first',
    ),
    ("numbers_above", 'no: the key does not contain "number": the whole sorted set would be read'),
    ("all_numbers", "Range x1 none"),
    ("drop_number", "Remove x1 none"),
    ("add_weight", "Increase x1 none"),
    ("new_number", "PutItems x1 none"),
    ("friends", "Range x1 none"),
    ("all_friends", "Range x1 none"),
    ("friends_of_group", "Range x1 none residual group = :group"),
    ("friends_in_order", 'no: a set has no order: store the members in a RedisSortedSet whose score is "name"'),
    ("friends_of_two", "Range x10 none"),
    ("are_friends", "Probe x1 none"),
    ("which_are_friends", "Probe x1 memory"),
    ("count_friends", "CountElements x1 none"),
    ("count_friends_of_group", "Range x1 none residual group = :group"),
    ("befriend", "PutItems x1 none"),
    ("befriend_first", "PutItems x1 none"),
    ("part", "Remove x1 none"),
    ("part_from_all", "Remove x1 none"),
    ("change_friend", 'no: "name" is part of the key, and a key never changes: delete the item and put another'),
    ("take_friend", "no: a set has no next item: take from a RedisList, RedisStream or RedisRateLimit"),
    ("steps", "Range x1 none"),
    (
        "steps_in_order",
        'no: a list has the order of its pushes: store the elements in a RedisSortedSet whose score is "number"',
    ),
    ("long_steps", "Range x1 none residual number >= 10"),
    ("last_step", "Range x1 none"),
    ("count_steps", "CountElements x1 none"),
    ("add_step", "PutItems x1 none"),
    ("new_step", "no: an element of a list has no key: store the elements in a RedisSet or RedisSortedSet"),
    ("drop_step", "Remove x1 none"),
    ("drop_step_by_number", 'no: an element of a list is found by its whole text: add "text" to eq='),
    ("next_step", "Pop x1 none"),
    ("lines", "Range x1 none"),
    ("lines_with", 'no: the key does not contain "number": the whole stream would be read'),
    ("count_lines", "CountElements x1 none"),
    ("add_line", "PutItems x1 none"),
    ("take_lines", "ClaimEntries x1 none"),
    ("add_job", "PutItems x1 none"),
    ("take_jobs", "ClaimEntries x1 none"),
    ("jobs", "Range x1 none"),
    ("count_jobs", "CountElements x1 none"),
    ("add_two_jobs", "Transaction x1 none"),
    ("take_for_writers", 'no: the stream has no group "writers": add it to groups='),
    ("take_for_nobody", "no: entries of a stream are taken for a group: add group="),
    ("drop_lines", "no: deleting the key would delete its consumer groups: keep= removes entries of a stream"),
    ("traces", "Range x3 merge"),
    ("take_traces", "no: the shard of the key is random: the shard of the next item is unknown"),
    ("add_trace", "PutItems x1 none"),
    ("seat", "Probe x1 none"),
    ("seats_of", "Probe x1 none"),
    ("all_seats", "no: a bitmap returns one bit, or the number of set bits: use a RedisSet to list them"),
    ("count_seats", "CountElements x1 none"),
    ("count_row", "CountElements x1 none"),
    ("count_front", "CountElements x1 none"),
    ("sit", "PutItems x1 none"),
    ("sit_alone", "PutItems x1 none"),
    ("leave", "Remove x1 none"),
    ("guests", "CountElements x1 none"),
    ("guests_of_days", "CountElements x1 none"),
    (
        "list_guests",
        "no: a HyperLogLog counts members, and cannot list them: use kw.Count, or a RedisSet",
    ),
    ("come", "PutItems x1 none"),
    ("come_once", "no: a HyperLogLog is not exact about its members: use a RedisSet"),
    ("visitors", "CountElements x1 none"),
    ("visit", "PutItems x1 none"),
    ("shop", "Probe x1 none"),
    ("shops_near", "Near x1 index"),
    ("shops_near_in_order", "no: results are in the order of distance: remove order="),
    ("shops", "no: a geo set supports near=, or a named member"),
    ("count_shops", "CountElements x1 none"),
    ("count_shops_near", "Near x1 index"),
    ("open_shop", "PutItems x1 none"),
    ("open_new_shop", "PutItems x1 none"),
    ("move_shop", "SetFields x1 none"),
    ("close_shop", "Remove x1 none"),
    ("pour", "Permit x1 none"),
    ("pour_four", "no: a call would never be allowed 4 permits at once: the most are 3"),
    ("record_pour", "no: a bucket has no calls to record: take its tokens with kw.Take"),
    ("allow", "Permit x1 none"),
    ("allow_try", "Permit x1 none"),
    ("calls", "no: a rate limit contains calls, not items: use kw.Take"),
    ("record_call", "PutItems x1 none"),
    ("open_account", "PutItems x1 none"),
    ("account", "Fetch x1 none"),
    ("book", "Transaction x1 none"),
    ("note_both", "Transaction x1 none"),
    ("book_and_befriend", "Transaction x1 none"),
]
"""(pattern, what serves it: call, keys at the most, how order comes about, what is judged afterwards; or why not)."""


@pytest.mark.parametrize(("pattern", "verdict"), VERDICTS, ids=[entry for entry, _ in VERDICTS])
def test_a_pattern_is_served_or_refused_with_its_reason(pattern: str, verdict: str) -> None:
    assert PLANS.verdict(pattern) == verdict


def test_every_pattern_has_a_verdict() -> None:
    assert {entry for entry, _ in VERDICTS} == PLANS.patterns.keys()


@pytest.mark.parametrize(
    ("binding", "fields"),
    [
        ("User", ("name",)),
        ("Note", ("status", "note_id")),
        ("Hits", ("page", "day")),
        ("Bid", ("lot", "bidder")),
        ("Step", ("run",)),
        ("Line", ()),
        ("Seat", ("hall", "number")),
        ("Shop", ("kind", "name")),
        ("Call", ("user",)),
    ],
)
def test_an_item_is_identified_by_key_and_member(binding: str, fields: tuple[str, ...]) -> None:
    result = next(entry for entry in PLANS.design.bindings if entry.name == binding)
    assert ENGINE.key_fields(PLANS.target(binding), result) == fields


def test_an_entity_that_the_target_lacks_is_not_served() -> None:
    user = PLANS["user"]
    (other,) = ENGINE.lower(Plans(__file__, {"Step": patterned.Step, "server": patterned.server}).design)
    (rejected,) = ENGINE.paths(other, user.binding, user.pattern)
    assert rejected.reason == 'server "patterned" does not contain "User"'  # type: ignore[union-attr]


def test_a_field_that_an_older_target_lacks_answers_nothing() -> None:
    served = PLANS["user_if_admin"]
    (shape,) = (entry for entry in served.target.shape if entry.name == "User")
    older = replace(shape, fields=tuple(field for field in shape.fields if field.name != "is_admin"))
    target = replace(served.target, shape=tuple(older if entry is shape else entry for entry in served.target.shape))
    (rejected,) = ENGINE.paths(target, served.binding, served.pattern)
    assert rejected == Rejected(By("structure", "user:{name}"), 'a hash does not support "is_admin = True"')


def test_a_strong_read_needs_a_server_without_replicas() -> None:
    plans = Plans(patterned.__file__, vars(patterned), REPLICATED)
    path = plans["account"].path
    assert isinstance(path, NotServed)
    assert path.reason.startswith("a strong read needs a server without replicas, or MemoryDB")
    write = plans["put_user"].path
    assert isinstance(write, AccessPath)
    assert write.consistency == "session"
    assert write.notes == ("a failover loses the last writes, because replication is asynchronous",)


CLUSTERED = Plans(patterned.__file__, vars(patterned), CLUSTER)


def test_on_a_cluster_the_keys_of_a_transaction_share_a_tag() -> None:
    assert CLUSTERED.verdict("book") == "Transaction x1 none"
    assert CLUSTERED.verdict("book_and_befriend") == (
        "no: on a cluster the keys of a transaction need one slot: put the same {field:tag} into each key"
    )
    path = CLUSTERED["book"].path
    assert isinstance(path, AccessPath)
    assert path.notes == (
        "one Lua script, because there are conditions",
        'all calls must have the same "owner", which selects the node',
    )


def test_on_a_cluster_keys_of_several_slots_are_asked_one_by_one() -> None:
    keys = []
    for plans in (PLANS, CLUSTERED):
        path = plans["notes"].path
        assert isinstance(path, AccessPath)
        assert isinstance(path.call, Fetch)
        keys.append(path.call.keys)
    assert [(key.is_cluster, key.has_one_slot) for key in keys] == [(False, False), (True, False)]
    path = CLUSTERED["best_bids"].path
    assert isinstance(path, AccessPath)
    bids = path.call.keys  # type: ignore[attr-defined]
    assert isinstance(bids, CallKeys)
    assert bids.has_one_slot


def test_a_transaction_is_a_script_only_where_there_are_conditions() -> None:
    result = []
    for name in ("book", "note_both"):
        path = PLANS[name].path
        assert isinstance(path, AccessPath)
        assert isinstance(path.call, Transaction)
        result.append(path.call.is_script)
    assert result == [True, False]


def test_nothing_is_fixed_by_another_declaration() -> None:
    unserved = PLANS["user_by_first"]
    assert list(ENGINE.fixes(unserved.target, unserved.binding, unserved.pattern)) == []
