"""Keys, values and configuration files of Redis, as `keywright adopt` reads them, without a server."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.edit.create.model_file import ModelFile, source_of
from keywright.engines.contract.adoption import Adopted, Adoption, Sample, Schema
from keywright.engines.redis.adopt.conf_lines import split
from keywright.engines.redis.adopt.key_parts import parts_of
from keywright.engines.redis.adopt.key_shapes import KEPT, SHAPES, KeyShapes, written
from keywright.engines.redis.adopt.lifetimes import lifetime_of
from keywright.engines.redis.adopt.sampled_keys import SampledShape, StoredKey
from keywright.engines.redis.adopt.values import unreadable
from keywright.engines.redis.declare.settings import RedisEnvironment
from keywright.engines.redis.schema.delayed_entry import entry
from keywright.engines.redis.schema.lower import settings_of
from keywright.engines.redis.schema.target import ServerTarget, StreamTarget
from keywright.engines.redis.schema.users import UserTarget
from keywright.engines.registry import part_of

ADOPTION = part_of("redis", "adoption", "ADOPTION", Adoption)
ENVIRONMENT = RedisEnvironment(flavour="redis", version="7.2")


@given(st.text(max_size=60))
def test_the_parts_of_a_key_are_the_key(key: str) -> None:
    assert "".join(text for _, text in parts_of(key)) == key


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        ("user:5", "user:<number>"),
        ("page_views_2026-01-01", "page_views_<date>"),
        ("celery-task-meta-6f9619ff-8b86-d011-b42d-00cf4fc964ff", "celery-task-meta-<uuid>"),
        ("lb:{chess}:2026-W05", "lb:{chess}:<week>"),
        ("rl:127.0.0.1:29430000", "rl:<address>:<number>"),
        ("x:2026-01-01T10:00:00.000000Z:o1", "x:<time>:<text>"),
        ("by:a.b@example.org", "by:<mail>"),
        ("a" * 513, "<long>"),
    ],
)
def test_keys_have_shapes(key: str, shape: str) -> None:
    assert "".join(written(key.encode())) == shape


def test_shapes_take_bounded_memory() -> None:
    shapes = KeyShapes()
    letters = "abcdefghijklmnopqrst"
    for number in range(30_000):
        words = [letters[number // 20**place % 20] * (place + 1) for place in range(4)]
        shapes.add(":".join(words).encode(), "hash")
    assert len(shapes.counts) <= SHAPES + 1
    assert sum(counted.count for counted in shapes.counts.values()) == 30_000
    assert all(len(counted.keys) <= KEPT for counted in shapes.counts.values())


def test_frequent_words_are_kept_among_many_that_are_values() -> None:
    shapes, letters = KeyShapes(), "abcdefghijklmnopqrst"
    for number in range(20_000):
        word = "".join(letters[number // 20**place % 20] for place in range(4))
        shapes.add(f"session:{number}".encode() if number % 2 else f"{word}:{number}".encode(), "hash")
    assert ("hash", "session", ":", "<number>") in shapes.counts
    assert len(shapes.counts) < 100


def adopted(type: str, values: Mapping[str, Any], streams: Sequence[StreamTarget] = ()) -> Adopted:
    """The declarations for keys of one type; values by key."""
    shapes = KeyShapes()
    for key in values:
        shapes.add(key.encode(), type)
    sampled = [
        SampledShape(shape, counted.count, tuple(StoredKey(key, values[key.decode()], None) for key in counted.keys))
        for shape, counted in shapes.counts.items()
    ]
    return ADOPTION.adopt(ServerTarget("redis", 1, (), tuple(streams)), {"redis": Sample(sampled)}, ENVIRONMENT)


def keys(adopted: Adopted) -> list[str]:
    return sorted(binding.spec.key for binding in adopted.design.bindings)


def strings(*names: str) -> Mapping[str, bytes]:
    return dict.fromkeys(names, b"text")


@pytest.mark.parametrize(
    ("names", "templates"),
    [
        (("user:alice", "user:bob", "user:carol"), ["user:{user_name}"]),
        (("user:alice:cart", "user:alice:orders"), ["user:{user_name}:cart", "user:{user_name}:orders"]),
        (("widget:1", "widget:2", "widget:3"), ["widget:{widget_id}"]),
        (tuple(f"widget:{n}:zork" for n in range(30)), ["widget:{widget_id}:zork"]),
        (tuple(f"widget:{n}:zork" for n in range(4)), ["widget:{widget_id}:{name}"]),
        (("queue:emails",), ["queue:emails"]),
        (("session:abcdefgh", "session:a1b2c3d4", "session:12345678"), ["session:{session_id}"]),
        (("alice",), []),
        (("visits:alice:2026-01-01", "visits:alice:2026-01-02", "visits:alice:2026-01-03"),
         ["visits:{visit_name}:{day:date}"]),
        (("n:{a1}:x", "n:{b2}:x", "n:{c3}:x"), ["n:{n_id:tag}:x"]),
        (("n:{a:1}:total", "n:{b:2}:total", "n:{c:3}:total"), []),
    ],
)  # fmt: skip
def test_only_known_or_shown_words_are_constants(names: tuple[str, ...], templates: list[str]) -> None:
    assert keys(adopted("string", strings(*names))) == templates


def test_words_before_different_fields_are_constants() -> None:
    values = {
        f"user:{word}:{n}": {field.encode(): b"1"} for word, field in (("zork", "a"), ("quux", "b")) for n in range(3)
    }
    assert keys(adopted("hash", values)) == ["user:{user_name}:{number}"]
    values = {key.replace("user", "thing"): value for key, value in values.items()}
    assert keys(adopted("hash", values)) == ["thing:quux:{quux_id}", "thing:zork:{zork_id}"]


def test_texts_have_patterns_only_where_keys_could_be_the_same() -> None:
    names = [f"user:x{n}" for n in range(3)] + [f"user:x{n}:balance" for n in range(3)]
    both = adopted("string", strings(*names))
    types = {binding.spec.key: binding.entity.attributes[0].type for binding in both.design.bindings}
    assert {type.pattern for type in types.values()} == {"^[a-z0-9_-]+$"}
    alone = adopted("string", strings(*names[:3])).design.bindings[0]
    assert alone.entity.attributes[0].type.pattern is None


def test_a_field_with_the_value_of_the_key_is_the_field_of_the_key() -> None:
    values = {f"player:{n}": json.dumps({"player_id": n, "level": 1}).encode() for n in range(3)}
    (binding,) = adopted("string", values).design.bindings
    assert [attribute.name for attribute in binding.entity.attributes] == ["player_id", "level"]


def test_the_time_of_entries_that_wait_is_a_field_of_the_stream() -> None:
    times = (b"2026-12-01T10:00:00.250000Z", b"2026-12-01T11:00:00.000000Z", b"2026-12-01T11:00:00.000000Z")
    entries = [
        {b"id": b"%d" % n, b"at": b"2026-01-01T00:00:00.000000Z", b"run_at": time} for n, time in enumerate(times)
    ]
    scores = (1796119200250.0, 1796122800000.0, 1796122800000.0)
    members = [(entry(str(score), {k.decode(): v for k, v in fields.items()}), score)
               for fields, score in zip(entries, scores, strict=True)]  # fmt: skip
    shapes = [
        SampledShape(("stream", "events", ":", "orders"), 1, (StoredKey(b"events:orders", entries, None),), 0),
        SampledShape(
            ("zset", "{", "events", ":", "orders", "}", ":", "delayed"), 1,
            (StoredKey(b"{events:orders}:delayed", members, None),), 0,
        ),
    ]  # fmt: skip
    target = ServerTarget("redis", 1, (), (StreamTarget("events:orders", ("billing",)),))
    result = ADOPTION.adopt(target, {"redis": Sample(shapes)}, ENVIRONMENT)
    assert [binding.spec.due for binding in result.design.bindings] == ["run_at"], result.not_expressed
    assert not result.not_expressed


def test_groups_are_those_of_the_stream() -> None:
    entries = [{b"id": b"1"}, {b"id": b"2"}]
    result = adopted("stream", {"events:orders": entries}, [StreamTarget("events:orders", ("billing",))])
    assert [group.name for group in result.design.bindings[0].spec.groups] == ["billing"]
    assert not result.not_expressed
    result = adopted("stream", {"events:zork": entries}, [StreamTarget("events:zork", ("billing",))])
    assert keys(result) == ["events:{event_name}"]
    assert [part.reason for part in result.not_expressed] == ["1 stream with groups whose keys contain values"]


NAMES = ("alice", "bob", "carol", "dave")


@pytest.mark.parametrize(
    ("type", "values"),
    [
        ("hash", {"users": {name.encode(): b"1" for name in NAMES}}),
        ("hash", {f"room:{n}": {name.encode(): b"1" for name in NAMES[n : n + 2]} for n in range(3)}),
        ("string", {"online": json.dumps(dict.fromkeys(NAMES, 1)).encode()}),
        ("string", {f"{name}:{n}": b"1" for name in NAMES for n in range(4)}),
        ("string", {f"{name}-{n}": b"1" for name in NAMES for n in range(4)}),
        ("string", {f"{name}:{word}": b"1" for name in NAMES for word in ("cart", "orders", "session")}),
        ("string", {f"team:{n}:{name}": b"1" for n in range(9) for name in NAMES[n % 3 : n % 3 + 2]}),
        ("set", {f"follows:{name}": [other.encode() for other in NAMES] for name in NAMES}),
        ("list", {"log": [json.dumps({name: 1}).encode() for name in NAMES]}),
        ("stream", {f"inbox:{name}": [{b"from": name.encode()}] for name in NAMES}),
    ],
)
def test_names_of_persons_reach_no_file(type: str, values: Mapping[str, Any]) -> None:
    result = adopted(type, values, [StreamTarget(key, ("readers",)) for key in values if type == "stream"])
    text = source_of(ModelFile("Adopted.", result.design, result.comments))
    text += " ".join(f"{part.object} {part.reason}" for part in result.not_expressed)
    assert not [name for name in NAMES if name in text.lower()]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"\x80\x04\x95.", "Python's pickle"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"\xff\xfe", "binary data"),
        (b'{"a": NaN}', "text that looks like JSON and is none"),
        (b"{'a': 1}", "text that looks like JSON and is none"),
        (b'O:8:"User":0:{}', "PHP serialization"),
        (b'{"a": 1}', ""),
        ("grüße".encode(), ""),
    ],
)
def test_values_of_other_formats_are_named(value: bytes, reason: str) -> None:
    assert unreadable(value) == reason


@pytest.mark.parametrize(
    ("left", "hours"),
    [
        ([3600 - n for n in range(0, 3600, 60)], 1),
        ([86_390, 86_395, 86_399], 24),
        ([3000, 100, 50], None),
        ([3600, None, 3600], None),
        ([5000 + n for n in range(30)], None),
        ([50] * 30, None),
    ],
)
def test_a_time_to_live_needs_evidence(left: list[int | None], hours: int | None) -> None:
    ttl = lifetime_of(left).ttl
    assert (ttl and ttl.total_seconds() / 3600) == hours


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("save 900 1", ["save", "900", "1"]),
        (r'requirepass "a\x41\n\" b"', ["requirepass", 'aA\n" b']),
        (r"user 'it\'s'", ["user", "it's"]),
        ('save ""', ["save", ""]),
        ('a "b', None),
        ('a "b"c', None),
    ],
)
def test_lines_are_split_as_the_server_splits_them(line: str, words: list[str] | None) -> None:
    assert split(line) == words


CONF = """\
# comment
include conf.d/*.conf
requirepass "s3cret word"
MAXMEMORY-POLICY allkeys-lfu
save 900 1
save 300 10
appendonly yes
appendfsync always
appendfsync everysec
hash-max-ziplist-entries 64
slave-read-only no
client-output-buffer-limit replica 512mb 64mb 60
client-output-buffer-limit pubsub 32mb 8mb 120
maxmemory 2gb
hz many
frobnicate 1
include missing.conf
"""


def schema(paths: Mapping[str, str]) -> Schema:
    result = ADOPTION.read_schema(paths)
    assert result is not None
    return result


def test_users_are_counted_without_their_names() -> None:
    users = (UserTarget("keywright", ("+@all",)), UserTarget("mary", ("+get", "~a:*")))
    result = ADOPTION.adopt(ServerTarget("redis", 1, users=users), {}, ENVIRONMENT)
    assert [(part.object, part.reason) for part in result.not_expressed] == [
        ("users", "1 user with rights of their own: write used_by= to the patterns of each")
    ]


def test_lines_that_a_setting_writes_name_the_setting() -> None:
    own = "protected-mode yes\ntls-port 6379\naclfile users.acl\nuser mary on #0a1b ~* +@all\nbind *\n"
    conf = f"{own}appendonly yes\ntimeout 0\nhz 10\n"
    assert [part.reason for part in schema({"redis.conf": conf}).not_expressed] == [
        '"tls-port": set tls: in stacks/Pulumi.<env>.yaml',
        '"aclfile": set users: in stacks/Pulumi.<env>.yaml',
        '"user": set users: in stacks/Pulumi.<env>.yaml',
        '"bind" belongs to the process, not to its data',
    ]


def test_a_configuration_file_is_a_server() -> None:
    read = schema({"etc/redis.conf": CONF, "etc/conf.d/a.conf": "maxmemory-policy noeviction\ntimeout 300\n"})
    (target,) = read.targets
    result = ADOPTION.adopt(target, {}, ENVIRONMENT)
    server = result.design.physicals[0].spec
    assert settings_of(server) == dict(target.settings) == {
        "appendfsync": "everysec", "appendonly": "yes", "hash-max-listpack-entries": "64",
        "maxmemory-policy": "allkeys-lfu", "replica-read-only": "no", "save": "300 10", "timeout": "300",
        "client-output-buffer-limit": "normal 0 0 0 slave 536870912 67108864 60 pubsub 33554432 8388608 120",
    }  # fmt: skip
    assert (server.name, server.role) == ("redis", "cache")
    reasons = {part.object: part.reason for part in read.not_expressed}
    assert list(reasons) == [f"etc/redis.conf:{line}" for line in (3, 14, 15, 16, 17)]
    assert "s3cret" not in " ".join(reasons.values())


def test_points_of_save_are_added_up_without_an_include() -> None:
    (target,) = schema({"a.conf": "save 900 1\nsave 300 10 60 1000\n"}).targets
    assert dict(target.settings)["save"] == "900 1 300 10 60 1000"
    (target,) = schema({"a.conf": 'save 900 1\nsave ""\nsave 5 6\n'}).targets
    assert dict(target.settings)["save"] == "5 6"


def test_a_file_without_persistence_has_the_snapshots_of_the_server() -> None:
    (target,) = schema({"cache.conf": "timeout 10\nport 6379\n"}).targets
    server = ADOPTION.adopt(target, {}, ENVIRONMENT).design.physicals[0].spec
    assert (server.name, server.role) == ("cache", "primary")
    assert settings_of(server) | {"save": "3600 1 300 100 60 10000", "appendonly": "no"} == settings_of(server)


def test_files_of_other_programs_are_no_configuration() -> None:
    assert ADOPTION.read_schema({"nginx.conf": "worker_processes 4;\nevents { worker_connections 1; }\n"}) is None
