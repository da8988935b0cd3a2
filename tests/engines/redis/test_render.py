"""The files for stock tools, as a person reads them."""

from keywright.engines.environment import ByteSize
from keywright.engines.interface import Artefact
from keywright.engines.redis.declare.settings import RedisEnvironment
from keywright.engines.redis.render import render
from keywright.engines.redis.schema.place import place
from keywright.engines.redis.schema.target import ServerTarget, StreamTarget

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


def test_a_service_gets_the_parameters_that_it_takes() -> None:
    environment = RedisEnvironment(flavour="memorydb", version="7.1")
    assert rendered(SERVER, environment) == (Artefact("redis/orders.parameters.json", PARAMETERS),)


def test_a_service_without_parameter_groups_gets_no_file() -> None:
    assert rendered(SERVER, RedisEnvironment(flavour="elasticache-serverless")) == ()


def test_what_is_empty_or_has_blanks_stands_in_quotes() -> None:
    server = ServerTarget("s", 1, (("notify-keyspace-events", ""), ("save", ""), ("search-friso-ini", 'a "b"')))
    (artefact,) = rendered(server, RedisEnvironment(flavour="valkey", version="9.1"))
    assert artefact.text.splitlines()[1].startswith("# Run `valkey-server s.conf")
    assert artefact.text.splitlines()[3:] == [
        "# Persistence",
        'save ""',
        "",
        "# Further settings",
        'notify-keyspace-events ""',
        r'search-friso-ini "a \"b\""',
    ]
