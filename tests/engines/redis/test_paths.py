"""Which patterns are served, by what, and why the others are not."""

from dataclasses import replace

import pytest
from tests.engines.redis import patterned
from tests.engines.redis.planning import CLUSTER, REPLICATED, Plans

from keywright.access.path import AccessPath, By, NotServed, Rejected
from keywright.engines.redis.access.calls import Fetch, Keys, Together
from keywright.engines.redis.engine import ENGINE

PLANS = Plans(patterned.__file__, vars(patterned))

VERDICTS = [
    ("user", "Fetch x1 none"),
    ("user_names", "Fetch x1 none"),
    ("user_nick", "Fetch x1 none"),
    ("user_address", "Fetch x1 none"),
    ("user_if_admin", "Fetch x1 none residual is_admin = True"),
    ("users", "Fetch x10 none"),
    ("users_in_order", "Fetch x3 memory"),
    ("users_by_nick", 'no: "nick" may be None or is no single value, by which nothing is ordered'),
    ("users_who_log_in", "Fetch x2 none residual logins >= 2"),
    ("count_users", "Fetch x1 none"),
    ("count_admins", "Fetch x1 none residual is_admin = True"),
    ("user_by_first", 'no: the pattern does not say "name" by equality, and "user:{name}" is found by its whole key'),
    ("users_of_month", 'no: the pattern does not say "name" by equality, and "user:{name}" is found by its whole key'),
    ("users_joined_with", "no: Redis joins nothing: read the other entity by its key, or keep a copy of its fields"),
    (
        "logins_by_level",
        "no: Redis computes no figures over groups: keep a RedisCounter or RedisHash for each, counted on writes",
    ),
    ("rank_user", "no: a hash has no ranks: keep the members in a RedisSortedSet"),
    ("put_user", "Put x1 none"),
    ("sign_up", "Put x1 none"),
    ("sign_up_several", "Put x1 none"),
    ("rename", "Change x1 none"),
    ("forget_nick", "Change x1 none"),
    ("forget_first", 'no: "first" is needed and cannot be removed'),
    ("retitle", "Change x1 none"),
    ("retitle_half", 'no: "sort" is made of "last" too: add it to sets= or eq='),
    ("rejoin", "Change x1 none"),
    ("move", "Change x1 none"),
    ("move_city", 'no: "address.city" is no field of its own: set "address" as a whole'),
    ("rename_key", 'no: the call does not say "name", a part of the key "user:{name}": add it to eq='),
    ("tag_user", 'no: "tags" is one JSON text here, and nothing is pushed into it: keep its elements in a RedisList'),
    ("promote", "Change x1 none"),
    ("promote_low", "Change x1 none"),
    ("promote_rich", 'no: no script can judge "debt < 1" on decimal: keep whole cents in an int'),
    ("rename_if_first", "Change x1 none"),
    ("log_in", "Increase x1 none"),
    ("log_in_below", "Increase x1 none"),
    ("earn", "Increase x1 none"),
    ("owe", 'no: "debt" is decimal, and Redis adds in floating point: keep whole cents in an int'),
    ("drop_user", "Remove x1 none"),
    ("drop_low", "Remove x1 none"),
    ("take_user", "no: nothing in a hash is next: take from a RedisList, RedisStream or RedisRateLimit"),
    ("blank", "Fetch x1 none"),
    ("set_blank", "Change x1 none"),
    ("clear_blank", "Change x1 none"),
    ("extend_blank", "Change x1 none"),
    ("put_blank", "Put x1 none"),
    ("note", "Fetch x1 none"),
    ("note_anyhow", "Fetch x2 none"),
    ("notes", "Fetch x5 none residual words contains :words"),
    ("put_note", "Put x1 none"),
    ("new_note", "Put x1 none"),
    (
        "edit_note",
        "no: JSON is not changed in place, a script would round numbers and lose empty lists: use a RedisHash",
    ),
    ("put_lease", "Put x1 none"),
    ("take_over", "Change x1 none"),
    ("switch", "Fetch x1 none"),
    ("new_switch", "Put x1 none"),
    ("flip", "Change x1 none"),
    ("flip_on", "Change x1 none"),
    ("drop_switch", "Remove x1 none"),
    ("hit", "Increase x1 none"),
    ("hit_below", "Increase x1 none"),
    ("hits_of_day", "Fetch x3 none"),
    ("hits_of_week", "Fetch x24 none residual day between :day"),
    ("hits_of_range", "no: nothing says how many keys the range covers: add span= or fan_out="),
    ("drop_hits", "Remove x3 none"),
    ("set_hits", "no: the shard of the key is drawn at random, so nothing says which item is meant"),
    ("new_hits", "no: the shard of the key is drawn at random, so the item may be there in another one"),
    ("events_between", "Range x6 index"),
    ("events_between_up", "Range x6 index"),
    ("latest_in_room", "Range x4 index"),
    ("comings", "Range x6 index residual what = 'come'"),
    ("count_events", "Size x6 none"),
    ("count_comings", "Range x6 none residual what = 'come'"),
    ("event", "Probe x1 none residual at = :at"),
    ("put_event", "Put x1 none"),
    ("best_bids", "Range x4 merge"),
    ("best_bids_by_name", "Range x4 merge"),
    ("mixed_bids", "no: equal scores come by member, in the direction of the score: order both in the same direction"),
    ("bids_by_name", 'no: members are ordered by "amount", not by "bidder"'),
    ("bids_between", "Range x4 none"),
    ("bids_from_ten", "Range x4 merge"),
    ("bids_below_ten", "Size x4 none"),
    ("bids_at", "Range x4 merge"),
    ("some_bids", "Probe x2 memory"),
    ("bids_like", "Range x4 none residual bidder prefix :bidder"),
    ("bid", "Probe x1 none"),
    ("bid_rank", "Rank x1 index"),
    ("bid_rank_up", "Rank x1 index"),
    ("bid_rank_by_name", 'no: members are ranked by "amount": write order="-amount"'),
    ("put_bid", "Put x1 none"),
    ("first_bid", "Put x1 none"),
    ("raise_bid", "Increase x1 none"),
    ("raise_low_bid", "Increase x1 none"),
    ("set_bid", "Change x1 none"),
    ("drop_bid", "Remove x1 none"),
    ("drop_low_bid", "Remove x1 none"),
    ("drop_lot", "Remove x4 none"),
    ("numbers", "Range x1 index"),
    (
        "numbers_in_order",
        'no: equal scores come by the text of the member, where "number" is not in order: pad it and put it first',
    ),
    (
        "numbers_by_number",
        'no: equal scores come by the text of the member, where "number" is not in order: pad it and put it first',
    ),
    ("numbers_above", 'no: the key does not hold "number": all of the sorted set would be read'),
    ("all_numbers", "Range x1 none"),
    ("drop_number", "Remove x1 none"),
    ("add_weight", "Increase x1 none"),
    ("new_number", "Put x1 none"),
    ("friends", "Range x1 none"),
    ("all_friends", "Range x1 none"),
    ("friends_of_group", "Range x1 none residual group = :group"),
    ("friends_in_order", 'no: a set has no order: keep the members in a RedisSortedSet whose score is "name"'),
    ("friends_of_two", "Range x10 none"),
    ("are_friends", "Probe x1 none"),
    ("which_are_friends", "Probe x1 memory"),
    ("count_friends", "Size x1 none"),
    ("count_friends_of_group", "Range x1 none residual group = :group"),
    ("befriend", "Put x1 none"),
    ("befriend_first", "Put x1 none"),
    ("part", "Remove x1 none"),
    ("part_from_all", "Remove x1 none"),
    ("change_friend", 'no: "name" is part of the key, and a key never changes: delete the item and put another'),
    ("take_friend", "no: nothing in a set is next: take from a RedisList, RedisStream or RedisRateLimit"),
    ("steps", "Range x1 none"),
    (
        "steps_in_order",
        'no: a list is in the order of its pushes: keep the elements in a RedisSortedSet whose score is "number"',
    ),
    ("long_steps", "Range x1 none residual number >= 10"),
    ("last_step", "Range x1 none"),
    ("count_steps", "Size x1 none"),
    ("add_step", "Put x1 none"),
    ("new_step", "no: an element of a list has no key: keep the elements in a RedisSet or RedisSortedSet"),
    ("drop_step", "Remove x1 none"),
    ("drop_step_by_number", 'no: an element of a list is found by its whole text: add "text" to eq='),
    ("next_step", "Pop x1 none"),
    ("lines", "Range x1 none"),
    ("lines_with", 'no: the key does not hold "number": all of the stream would be read'),
    ("count_lines", "Size x1 none"),
    ("add_line", "Put x1 none"),
    ("take_lines", "Claim x1 none"),
    ("take_for_writers", 'no: the stream has no group "writers": add it to groups='),
    ("take_for_nobody", "no: entries of a stream are taken for a group: say group="),
    ("drop_lines", "no: with the key its consumer groups would go: entries leave a stream by keep="),
    ("traces", "Range x3 merge"),
    ("take_traces", "no: the shard of the key is drawn at random: nothing says in which one is what is next"),
    ("add_trace", "Put x1 none"),
    ("seat", "Probe x1 none"),
    ("seats_of", "Probe x1 none"),
    ("all_seats", "no: a bitmap tells of one bit, or how many are set: keep a RedisSet to list them"),
    ("count_seats", "Size x1 none"),
    ("count_row", "Size x1 none"),
    ("count_front", "Size x1 none"),
    ("sit", "Put x1 none"),
    ("sit_alone", "Put x1 none"),
    ("leave", "Remove x1 none"),
    ("guests", "Size x1 none"),
    ("guests_of_days", "Size x1 none"),
    (
        "list_guests",
        "no: a HyperLogLog tells how many members there are, never which: use kw.Count, or keep a RedisSet",
    ),
    ("come", "Put x1 none"),
    ("come_once", "no: a HyperLogLog does not know for sure what it has counted: keep a RedisSet"),
    ("shop", "Probe x1 none"),
    ("shops_near", "Near x1 index"),
    ("shops_near_in_order", "no: what is near comes by distance: leave out order="),
    ("shops", "no: a geo set answers near=, or for a member that is named"),
    ("count_shops", "Size x1 none"),
    ("count_shops_near", "Near x1 index"),
    ("open_shop", "Put x1 none"),
    ("open_new_shop", "Put x1 none"),
    ("move_shop", "Change x1 none"),
    ("close_shop", "Remove x1 none"),
    ("allow", "Permit x1 none"),
    ("allow_try", "Permit x1 none"),
    ("calls", "no: a rate limit holds calls, not items: use kw.Take"),
    ("record_call", "Put x1 none"),
    ("open_account", "Put x1 none"),
    ("account", "Fetch x1 none"),
    ("book", "Together x1 none"),
    ("note_both", "Together x1 none"),
    ("book_and_befriend", "Together x1 none"),
]
"""(pattern, what serves it: call, keys at the most, how order comes about, what is judged afterwards; or why not)."""


@pytest.mark.parametrize(("pattern", "verdict"), VERDICTS, ids=[one for one, _ in VERDICTS])
def test_a_pattern_is_served_or_refused_with_its_reason(pattern: str, verdict: str) -> None:
    assert PLANS.verdict(pattern) == verdict


def test_every_pattern_has_a_verdict() -> None:
    assert {one for one, _ in VERDICTS} == PLANS.patterns.keys()


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
    found = next(one for one in PLANS.design.bindings if one.name == binding)
    assert ENGINE.key_fields(PLANS.target(binding), found) == fields


def test_an_entity_that_the_target_lacks_is_not_served() -> None:
    user = PLANS["user"]
    (other,) = ENGINE.lower(Plans(__file__, {"Step": patterned.Step, "server": patterned.server}).design)
    (rejected,) = ENGINE.paths(other, user.binding, user.pattern)
    assert rejected.reason == 'server "patterned" does not hold "User"'  # type: ignore[union-attr]


def test_a_field_that_an_older_target_lacks_answers_nothing() -> None:
    served = PLANS["user_if_admin"]
    (shape,) = (one for one in served.target.shape if one.name == "User")
    older = replace(shape, fields=tuple(one for one in shape.fields if one.name != "is_admin"))
    target = replace(served.target, shape=tuple(older if one is shape else one for one in served.target.shape))
    (rejected,) = ENGINE.paths(target, served.binding, served.pattern)
    assert rejected == Rejected(By("structure", "user:{name}"), 'no hash answers "is_admin = True"')


def test_a_strong_read_needs_a_server_without_replicas() -> None:
    plans = Plans(patterned.__file__, vars(patterned), REPLICATED)
    path = plans["account"].path
    assert isinstance(path, NotServed)
    assert path.reason.startswith("a strong read needs a server without replicas, or MemoryDB")
    write = plans["put_user"].path
    assert isinstance(write, AccessPath)
    assert write.consistency == "session"
    assert write.notes == ("a failover loses what was written last: copies follow behind",)


CLUSTERED = Plans(patterned.__file__, vars(patterned), CLUSTER)


def test_on_a_cluster_the_keys_of_a_transaction_share_a_tag() -> None:
    assert CLUSTERED.verdict("book") == "Together x1 none"
    assert CLUSTERED.verdict("book_and_befriend") == (
        "no: on a cluster the keys of a transaction need one slot: put the same {field:tag} into each key"
    )
    path = CLUSTERED["book"].path
    assert isinstance(path, AccessPath)
    assert path.notes == (
        "one Lua script, as there are conditions",
        'all calls must give the same "owner", which decides the node',
    )


def test_on_a_cluster_keys_of_several_slots_are_asked_one_by_one() -> None:
    keys = []
    for plans in (PLANS, CLUSTERED):
        path = plans["notes"].path
        assert isinstance(path, AccessPath)
        assert isinstance(path.call, Fetch)
        keys.append(path.call.keys)
    assert [(one.is_cluster, one.has_one_slot) for one in keys] == [(False, False), (True, False)]
    path = CLUSTERED["best_bids"].path
    assert isinstance(path, AccessPath)
    bids = path.call.keys  # type: ignore[attr-defined]
    assert isinstance(bids, Keys)
    assert bids.has_one_slot


def test_a_transaction_is_a_script_only_where_there_are_conditions() -> None:
    found = []
    for name in ("book", "note_both"):
        path = PLANS[name].path
        assert isinstance(path, AccessPath)
        assert isinstance(path.call, Together)
        found.append(path.call.is_script)
    assert found == [True, False]


def test_nothing_is_fixed_by_another_declaration() -> None:
    unserved = PLANS["user_by_first"]
    assert list(ENGINE.fixes(unserved.target, unserved.binding, unserved.pattern)) == []
