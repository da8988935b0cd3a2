"""The files for stock tools, as a person reads them."""

from keywright.engines.environment import ByteSize
from keywright.engines.interface import Artefact
from keywright.engines.redis.declare.settings import RedisEnvironment, RedisTls
from keywright.engines.redis.render import render
from keywright.engines.redis.schema.place import place, refuse
from keywright.engines.redis.schema.target import ServerTarget, StreamTarget
from keywright.record import replace

SERVER = ServerTarget(
    "orders",
    2,
    (
        ("appendfsync", "everysec"),
        ("appendonly", "yes"),
        ("client-output-buffer-limit", "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"),
        ("maxmemory-policy", "noeviction"),
        ("notify-keyspace-events", "g$lKE"),
        ("repl-backlog-size", "67108864"),
        ("save", "3600 1 60 10000"),
    ),
    (StreamTarget("events:orders", ("billing", "ship it")),),
)

CONF = """\
# Settings of server "orders" for Redis 7.0, written by `keywright compile`.
# Run `redis-server orders.conf --port 6379 --dir /data`, or `include` it in the server's own file.

# Memory
maxmemory 3gb
maxmemory-policy noeviction

# Persistence
appendonly yes
appendfsync everysec
save 3600 1
save 60 10000

# Process
cluster-enabled yes
io-threads 4

# Further settings
client-output-buffer-limit normal 0 0 0
client-output-buffer-limit slave 268435456 67108864 60
client-output-buffer-limit pubsub 33554432 8388608 60
notify-keyspace-events g$lKE
repl-backlog-size 64mb

# Hardened defaults, each replaced by settings= of the server
lazyfree-lazy-eviction yes
lazyfree-lazy-expire yes
lazyfree-lazy-server-del yes
lazyfree-lazy-user-del yes
lazyfree-lazy-user-flush yes
replica-lazy-flush yes
maxmemory-clients 10%
tcp-keepalive 60

# Connections
protected-mode yes

# Consumer groups, to be created with redis-cli once the server runs
#   XGROUP CREATE k2:events:orders billing $ MKSTREAM
#   XGROUP CREATE k2:events:orders "ship it" $ MKSTREAM
"""

PARAMETERS = """\
[
  {
    "ParameterName": "maxmemory-policy",
    "ParameterValue": "noeviction"
  },
  {
    "ParameterName": "notify-keyspace-events",
    "ParameterValue": "g$lKE"
  }
]
"""


def rendered(server: ServerTarget, environment: RedisEnvironment) -> tuple[Artefact, ...]:
    return render(server, place(server, environment), environment)


def test_a_server_of_ones_own_gets_a_redis_conf() -> None:
    environment = RedisEnvironment(flavour="redis", version="7.0", ram=ByteSize(4 * 2**30), cluster=True, io_threads=4)
    assert rendered(SERVER, environment) == (Artefact("redis/orders.conf", CONF),)


def added(environment: RedisEnvironment, **settings: str) -> list[str]:
    """The lines that come after the declared settings."""
    (artefact,) = rendered(ServerTarget("orders", 1, tuple(sorted(settings.items()))), environment)
    return [line for line in artefact.text.splitlines() if line and not line.startswith("#")]


def test_hardened_defaults_are_those_that_the_version_has_and_does_not_set_itself() -> None:
    assert added(RedisEnvironment(flavour="redis", version="6.2")) == [
        *(f"lazyfree-lazy-{when} yes" for when in ("eviction", "expire", "server-del", "user-del", "user-flush")),
        "replica-lazy-flush yes",
        "client-output-buffer-limit normal 256mb 64mb 60",
        "tcp-keepalive 60",
        "acl-pubsub-default resetchannels",
        "protected-mode yes",
    ]
    assert added(RedisEnvironment(flavour="valkey", version="8.1"), **{"tcp-keepalive": "300"}) == [
        "tcp-keepalive 300",
        "maxmemory-clients 10%",
        "client-output-buffer-limit normal 256mb 64mb 60",
        "protected-mode yes",
    ]


TLS = RedisTls(certificate="/etc/redis/a b.crt", key="/etc/redis/a.key", authority="/etc/redis/ca.crt")


def test_tls_replaces_the_port_and_is_that_of_replicas_and_nodes_too() -> None:
    environment = RedisEnvironment(flavour="redis", version="7.2", tls=TLS, replicas=1, cluster=True)
    (artefact,) = rendered(SERVER, environment)
    assert "redis-server orders.conf --dir /data" in artefact.text
    assert added(environment)[-9:] == [
        "protected-mode yes",
        "port 0",
        "tls-port 6379",
        'tls-cert-file "/etc/redis/a b.crt"',
        "tls-key-file /etc/redis/a.key",
        "tls-ca-cert-file /etc/redis/ca.crt",
        "tls-auth-clients yes",
        "tls-replication yes",
        "tls-cluster yes",
    ]


def test_tls_is_refused_for_services_and_for_ports_that_there_are_not() -> None:
    def problems(environment: RedisEnvironment) -> list[str]:
        return [rejection.problem for rejection in refuse(place(PLAIN, environment), environment)]

    assert problems(RedisEnvironment(flavour="redis", tls=TLS)) == []
    assert problems(RedisEnvironment(flavour="memorydb", tls=TLS)) == [
        '"redis.tls" is set, and MemoryDB has certificates of its own'
    ]
    assert problems(RedisEnvironment(flavour="valkey", tls=replace(TLS, port=0))) == [
        '"redis.tls.port" is 0, Valkey takes 1 to 65535'
    ]


PLAIN = ServerTarget("orders", 1, (("maxmemory-policy", "noeviction"),))


def test_a_service_gets_the_parameters_that_it_takes() -> None:
    environment = RedisEnvironment(flavour="memorydb", version="7.1")
    assert rendered(SERVER, environment) == (Artefact("redis/orders.parameters.json", PARAMETERS),)


def test_a_service_without_parameter_groups_gets_no_file() -> None:
    assert rendered(SERVER, RedisEnvironment(flavour="elasticache-serverless")) == ()


def test_what_is_empty_or_has_blanks_stands_in_quotes() -> None:
    server = ServerTarget("s", 1, (("notify-keyspace-events", ""), ("save", ""), ("search-friso-ini", 'a "b"')))
    (artefact,) = rendered(server, RedisEnvironment(flavour="valkey", version="9.1"))
    assert artefact.text.splitlines()[1].startswith("# Run `valkey-server s.conf")
    assert artefact.text.splitlines()[3:9] == [
        "# Persistence",
        'save ""',
        "",
        "# Further settings",
        'notify-keyspace-events ""',
        r'search-friso-ini "a \"b\""',
    ]
