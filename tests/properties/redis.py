"""Generated settings of a local Redis server, and environments of a stack file."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from keywright.engines.contract.shape import EntityShape, FieldShape
from keywright.engines.redis.declare.settings import RedisEnvironment, RedisUsers, ServerSettings
from keywright.engines.redis.schema.capabilities import DIRECTIVES, FLAVOURS, is_service
from keywright.engines.redis.schema.directive import Directive, canonical
from keywright.engines.redis.schema.search_target import SearchTarget
from keywright.engines.redis.schema.target import ServerTarget, StreamTarget, StructureTarget
from keywright.engines.redis.schema.users import UserTarget
from keywright.record import replace

SETTABLE = (
    "active-expire-effort", "activerehashing", "auto-aof-rewrite-min-size", "auto-aof-rewrite-percentage",
    "client-output-buffer-limit", "hash-max-listpack-entries", "hash-max-listpack-value",
    "hll-sparse-max-bytes", "hz", "latency-monitor-threshold", "latency-tracking",
    "latency-tracking-info-percentiles", "lazyfree-lazy-expire", "lazyfree-lazy-user-del", "lfu-decay-time",
    "lfu-log-factor", "list-compress-depth", "list-max-listpack-size", "maxmemory-clients", "maxmemory-samples",
    "no-appendfsync-on-rewrite", "notify-keyspace-events", "rdbcompression",
    "set-max-intset-entries", "slowlog-log-slower-than", "slowlog-max-len", "stop-writes-on-bgsave-error",
    "stream-node-max-bytes", "stream-node-max-entries", "tcp-keepalive", "tracking-table-max-keys",
    "zset-max-listpack-entries",
)  # fmt: skip
"""Directives that do not affect a test's own connection."""

_NAMES = st.text("abcdefghij-", min_size=1, max_size=8).filter(lambda name: name[0] != "-")
_MB = 2**20


def value_of(directive: Directive) -> SearchStrategy[str]:
    """Values of a directive, in notations of a person."""
    low = -5 if directive.low is None else directive.low
    high = min(directive.high or 10_000, 10_000)
    words = st.sampled_from(directive.values.split() or [""])
    by_kind: dict[str, SearchStrategy[str]] = {
        "flag": st.sampled_from(["yes", "no"]),
        "integer": st.integers(low, high).map(str),
        "memory": st.builds("{}{}".format, st.integers(1, 64), st.sampled_from(["mb", "k", "kb", ""])),
        "share": st.integers(0, 100).map("{}%".format),
        "word": words,
        "words": words,
        "events": st.lists(st.sampled_from("KEg$lshzxetdmn")).map("".join),
        "limits": st.sampled_from(["replica 64mb 16mb 30", "pubsub 1mb 512kb 10 normal 0 0 0"]),
        "percentiles": st.sampled_from(["50", "99 99.9", "50 90 99.99"]),
    }
    return by_kind[directive.kind]


@st.composite
def settings(draw: st.DrawFn) -> tuple[tuple[str, str], ...]:
    """Declared settings."""
    directives = {
        "maxmemory-policy": draw(st.sampled_from(["noeviction", "allkeys-lru", "volatile-lfu", "volatile-ttl"])),
        "appendonly": draw(st.sampled_from(["yes", "no"])),
        "save": draw(st.sampled_from(["", "60 1000", "3600 1 300 10"])),
    }
    if directives["appendonly"] == "yes":
        directives["appendfsync"] = draw(st.sampled_from(["always", "everysec", "no"]))
    for name in draw(st.lists(st.sampled_from(SETTABLE), max_size=6, unique=True)):
        directives[name] = canonical(DIRECTIVES[name], draw(value_of(DIRECTIVES[name])))
    return tuple(sorted(directives.items()))


_STREAMS = st.dictionaries(
    st.builds("events:{}".format, _NAMES), st.sets(_NAMES, min_size=1, max_size=3), max_size=3
).map(
    lambda groups_by_key: tuple(
        StreamTarget(key, tuple(sorted(groups))) for key, groups in sorted(groups_by_key.items())
    )
)

_STRUCTURES = st.sampled_from(
    [
        {"kind": "hash", "ttl_seconds": 60},
        {"kind": "string", "value": "name", "expires_at": "ends_at"},
        {"kind": "sorted set", "value": "points", "kept": 100},
        {"kind": "sorted set", "value": "points", "then": "-second from 0 to 9"},
        {"kind": "stream", "kept_seconds": 3600, "groups": ("a", "b")},
        {"kind": "stream", "kept": 9, "groups": ("a",), "due": "points"},
        {"kind": "rate limit", "limit": 10, "per_seconds": 60, "window": "fixed"},
        {"kind": "rate limit", "limit": 10, "per_seconds": 60, "window": "bucket", "burst": 20},
        {"kind": "cache", "source": "Product"},
        {"kind": "json", "expires_at": "ends_at"},
    ]
)


_RULES = ("+get", "+hset", "+zrange", "%R~e0:*", "%W~e1:{*}", "~events", "~{events}:dead")

_USERS = st.dictionaries(_NAMES, st.sets(st.sampled_from(_RULES), min_size=1), max_size=3).map(
    lambda rules_by_name: tuple(UserTarget(name, tuple(sorted(rules))) for name, rules in sorted(rules_by_name.items()))
)


_FIELDS = st.sampled_from(
    [
        {"path": "$.points", "type": "NUMERIC", "sortable": "exact"},
        {"path": "$.name", "type": "TAG", "casesensitive": True},
        {"path": "$.name", "type": "TEXT", "weight": 2.5, "nostem": True},
        {"path": "$.at", "type": "GEO"},
        {"path": "$.v", "type": "VECTOR", "algorithm": "FLAT", "dim": 4, "metric": "COSINE"},
    ]
)
_INDEXES = st.dictionaries(
    st.builds("search-{}".format, _NAMES),
    st.fixed_dictionaries(
        {
            "on": st.just("JSON"),
            "prefixes": st.lists(st.builds("{}:".format, _NAMES), min_size=1, max_size=1),
            "fields": st.dictionaries(_NAMES, _FIELDS, min_size=1, max_size=3),
        },
        optional={"direct": st.just(True), "stopwords": st.just([])},
    ),
    max_size=2,
).map(lambda indexes: tuple(SearchTarget(name, index) for name, index in sorted(indexes.items())))


def targets(name: SearchStrategy[str] = _NAMES) -> SearchStrategy[ServerTarget]:
    """Declared servers for a local server."""
    structures = st.lists(_STRUCTURES, max_size=3)
    return st.builds(_target, name, st.integers(1, 3), settings(), _STREAMS, _USERS, structures, _INDEXES)


def without_modules(server: ServerTarget) -> ServerTarget:
    """The same for a server without modules."""
    structures = tuple(structure for structure in server.structures if structure.kind != "json")
    names = {structure.entity for structure in structures}
    shape = tuple(entity for entity in server.shape if entity.name in names)
    return replace(server, indexes=(), structures=structures, shape=shape)


def _target(
    name: str,
    generation: int,
    settings: tuple[tuple[str, str], ...],
    streams: tuple[StreamTarget, ...],
    users: tuple[UserTarget, ...],
    options: list[dict[str, object]],
    indexes: tuple[SearchTarget, ...],
) -> ServerTarget:
    fields = (FieldShape("name", "n", "text", is_required=True), FieldShape("points", "points", "integer", False))
    shape = tuple(EntityShape(f"E{at}", (("key", f"e{at}:{{name}}"),), fields, at + 1) for at in range(len(options)))
    structures = tuple(StructureTarget(f"E{at}", **option) for at, option in enumerate(options))  # type: ignore[arg-type]
    return ServerTarget(name, generation, settings, streams, users, indexes, (), shape, structures)


def told(server: ServerTarget) -> ServerTarget:
    """What the resources of a placed server tell: those of a service leave out its settings, which are parameters of a
    group that Pulumi names and nobody of ours reads; tests/engines/redis/test_parameters.py tells what is in it.
    Users are told where the environment has them.
    """
    assert server.placement is not None
    server = server if server.placement.has_users else replace(server, users=())
    return replace(server, settings=()) if is_service(server.placement.flavour) else server


@st.composite
def environments(draw: st.DrawFn) -> RedisEnvironment:
    """Environments of every flavour, known version and size."""
    flavour = draw(st.sampled_from(sorted(FLAVOURS)))
    sizes = st.none() | st.integers(1, 4096).map(lambda number: number * _MB)
    own = st.builds(ServerSettings, ram=sizes, maxmemory=sizes, replicas=st.none() | st.integers(0, 3))
    return RedisEnvironment(
        flavour=flavour,  # type: ignore[arg-type]  # a key of FLAVOURS is one of the literals
        version=draw(st.none() | st.sampled_from(FLAVOURS[flavour].versions or (None,))),
        ram=draw(sizes),
        maxmemory=draw(sizes),
        replicas=draw(st.integers(0, 2)),
        cluster=draw(st.booleans()),
        io_threads=draw(st.none() | st.integers(1, 8)),
        users=draw(st.sampled_from([None, RedisUsers(), RedisUsers(file="users.acl")])),
        servers=draw(st.dictionaries(_NAMES, own, max_size=2)),
    )
