"""Products, versions and directives of Redis, Valkey and the services that speak their protocol, as data."""

from keywright.engines.capability import Flavour, Limit, Source, Support, is_older

from .directive import Directive

_CONF = Source("https://github.com/redis/redis/blob/7.4/src/config.c", "2026-11-21")
_VALKEY = Source("https://github.com/valkey-io/valkey/blob/9.1/src/config.c", "2026-11-21")
_LRM = Source("https://github.com/redis/redis/releases/tag/8.6.0", "2026-11-21")
_FULL = Source("https://redis.io/docs/latest/operate/oss_and_stack/management/config-file", "2026-11-21")
_MODULES = Source("https://valkey.io/topics/modules-intro/", "2026-11-21")
_RESERVED = Source("https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/redis-memory-management.html", "2026-11-21")
_ELASTICACHE = Source(
    "https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/ParameterGroups.Engine.html", "2026-11-21"
)
_RESTRICTED = Source("https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/RestrictedCommands.html", "2026-11-21")
_SERVERLESS = Source("https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/RedisConfiguration.html", "2026-11-21")
_MEMORYDB = Source("https://docs.aws.amazon.com/memorydb/latest/devguide/parametergroups.redis.html", "2026-11-21")
_LOG = Source("https://docs.aws.amazon.com/memorydb/latest/devguide/what-is-memorydb.html", "2026-11-21")

MEMORY_SHARE = Limit(75, _RESERVED)
"""Percent of a machine's memory that data may use; the rest is for buffers, and for copies during a snapshot."""

VALUE_BYTES = Limit(512 * 2**20, Source("https://redis.io/docs/latest/develop/data-types/strings/", "2026-11-22"))
"""The most bytes of one value."""

BITMAP_BITS = Limit(2**32, Source("https://redis.io/docs/latest/commands/setbit/", "2026-11-22"))
"""The most bits of one value."""

GEO_LATITUDE = 85.05112878
"""The largest latitude of a place, north and south, in degrees.
Source: https://redis.io/docs/latest/commands/geoadd/, 2026-11-22."""

SCORE_WHOLE = Limit(2**53, Source("https://redis.io/docs/latest/develop/data-types/sorted-sets/", "2026-11-22"))
"""The bound up to which a score, a double, represents every integer exactly."""

_PARAMETERS = Source(
    "https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/ParameterGroups.Engine.html", "2026-11-22"
)
IO_THREADS = {
    "redis": Limit(128, Source("https://github.com/redis/redis/blob/7.0/src/config.c", "2026-11-22")),
    "valkey": Limit(256, Source("https://github.com/valkey-io/valkey/blob/9.1/src/config.c", "2026-11-22")),
}
"""The most threads that read and write sockets, by product; a service sets them itself."""

SERVICE_REPLICAS = Limit(
    5, Source("https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/Replication.Redis.Groups.html", "2026-11-22")
)
"""The most replicas of a shard, in ElastiCache and in MemoryDB."""

CLIENTS = Limit(65_000, _PARAMETERS)
"""Connections that a node of a service allows; the limit is fixed."""

PREVIOUS_GENERATIONS = {
    "cache.t1": "cache.t4g", "cache.m1": "cache.m7g", "cache.m2": "cache.r7g",
    "cache.m3": "cache.m7g", "cache.c1": "cache.m7g", "cache.r3": "cache.r7g",
}  # fmt: skip
"""The current family of nodes of ElastiCache by the previous one.
Source: https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/CacheNodes.SupportedTypes.html, 2026-11-23."""

END_OF_SUPPORT = {"2": "2023-01-13", "3": "2023-07-31", "4": "2026-01-31", "5": "2026-01-31"}
"""Last day of standard support of Redis OSS in ElastiCache, by version. MemoryDB has announced none.
Source: https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/extended-support.html and
https://docs.aws.amazon.com/AmazonElastiCache/latest/red-ug/deprecated-engine-versions.html, 2026-11-23."""

NAME_PATTERN = r"[A-Za-z0-9][A-Za-z0-9_.-]*"
"""Characters of a server's name, which is part of a file name."""

OWN_WORDS = {
    "maxmemory-policy": 'write eviction="..."',
    "appendonly": "write persistence=[kw.Aof(...)], or [] for none",
    "appendfsync": 'write persistence=[kw.Aof(fsync="...")]',
    "save": "write persistence=[kw.Rdb(after={seconds: changes})]",
    "maxmemory": "memory differs between environments: set ram: or maxmemory: in stacks/Pulumi.<env>.yaml",
    "cluster-enabled": "set cluster: true in stacks/Pulumi.<env>.yaml",
    "io-threads": "it depends on the machine: set io-threads: in stacks/Pulumi.<env>.yaml",
    "replicaof": "set replicas: in stacks/Pulumi.<env>.yaml",
    "databases": "use one server for each purpose, or key prefixes: a cluster has database 0 only",
}
"""Directives that settings= does not take because another option sets them, each with the option to use."""

PROCESS = frozenset((
    "aclfile", "always-show-logo", "aof-rewrite-cpulist", "aof_rewrite_cpulist", "appenddirname",
    "appendfilename", "availability-zone", "bgsave-cpulist", "bgsave_cpulist", "bind", "bind-source-addr",
    "bio-cpulist", "bio_cpulist", "cluster-announce-bus-port", "cluster-announce-client-ipv4",
    "cluster-announce-client-ipv6", "cluster-announce-client-port", "cluster-announce-client-tls-port",
    "cluster-announce-hostname", "cluster-announce-human-nodename", "cluster-announce-ip",
    "cluster-announce-port", "cluster-announce-tls-port", "cluster-config-file", "cluster-port",
    "daemonize", "dbfilename", "dir", "disable-thp", "enable-debug-assert", "enable-debug-command",
    "enable-module-command", "enable-protected-configs", "hash-seed", "ignore-warnings", "include",
    "loadmodule", "log-format", "log-timestamp-format", "logfile", "loglevel", "masterauth", "masteruser",
    "oom-score-adj", "oom-score-adj-values", "pidfile", "port", "primaryauth", "primaryuser",
    "proc-title-template", "protected-mode", "rdbchecksum", "rdma-bind", "rdma-port", "rename-command",
    "replica-announce-ip", "replica-announce-port", "requirepass", "sentinel", "server-cpulist",
    "server_cpulist", "set-proc-title", "slave-announce-ip", "slave-announce-port", "slaveof",
    "socket-mark-id", "supervised", "syslog-enabled", "syslog-facility", "syslog-ident", "tcp-backlog",
    "tls-auth-clients", "tls-ca-cert-dir", "tls-ca-cert-file", "tls-cert-file", "tls-ciphers",
    "tls-ciphersuites", "tls-client-cert-file", "tls-client-key-file", "tls-client-key-file-pass",
    "tls-cluster", "tls-dh-params-file", "tls-key-file", "tls-key-file-pass", "tls-port",
    "tls-prefer-server-ciphers", "tls-protocols", "tls-replication", "tls-session-cache-size",
    "tls-session-cache-timeout", "tls-session-caching", "unixsocket", "unixsocketgroup", "unixsocketperm",
    "user",
))  # fmt: skip
"""Directives of the process rather than of its data, including secrets: never declared or read. Source: _CONF."""

_STACK = Source("https://redis.io/docs/latest/develop/whats-new/redis-feature-sets", "2026-11-28")
_AWS_JSON = Source("https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/json-gs.html", "2026-11-28")
_MEMORYDB_JSON = Source("https://docs.aws.amazon.com/memorydb/latest/devguide/json-gs.html", "2026-11-28")

STRUCTURE_FEATURES = {"json": "json"}
"""Features that structures need: types of modules, by kind."""

STRUCTURE_TITLES = {"json": "a JSON document"}
"""Names of these structures in messages."""

MODULE_PREFIXES = {"search-": "search", "ts-": "time series", "bf-": "Bloom filter", "cf-": "Cuckoo filter"}
"""Prefixes of the directives of modules that are built into Redis 8. Source: _FULL."""

_SINCE_8 = (("valkey", "8.0", "yes"),)

DIRECTIVES = {
    directive.name: directive
    for directive in (
        Directive("acl-pubsub-default", "word", "allchannels", values="allchannels resetchannels",
                  changed=(("redis", "7.0", "resetchannels"), ("valkey", "7.2", "resetchannels"))),
        Directive("acllog-max-len", "integer", "128"),
        Directive("active-defrag-cycle-max", "integer", "25", low=1, high=99),
        Directive("active-defrag-cycle-min", "integer", "1", low=1, high=99),
        Directive("active-defrag-ignore-bytes", "memory", "104857600", low=1),
        Directive("active-defrag-max-scan-fields", "integer", "1000", low=1),
        Directive("active-defrag-threshold-lower", "integer", "10", high=1000),
        Directive("active-defrag-threshold-upper", "integer", "100", high=1000),
        Directive("active-expire-effort", "integer", "1", low=1, high=10),
        Directive("activedefrag", "flag", "no"),
        Directive("activerehashing", "flag", "yes"),
        Directive("aof-load-truncated", "flag", "yes"),
        Directive("aof-rewrite-incremental-fsync", "flag", "yes"),
        Directive("aof-timestamp-enabled", "flag", "no", redis="7.0"),
        Directive("aof-use-rdb-preamble", "flag", "yes"),
        Directive("appendfsync", "word", "everysec", values="everysec always no"),
        Directive("appendonly", "flag", "no"),
        Directive("auto-aof-rewrite-min-size", "memory", "67108864"),
        Directive("auto-aof-rewrite-percentage", "integer", "100"),
        Directive("busy-reply-threshold", "integer", "5000", redis="7.0"),
        Directive("client-output-buffer-limit", "limits",
                  "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"),
        Directive("client-query-buffer-limit", "memory", "1073741824", low=1048576),
        Directive("cluster-allow-pubsubshard-when-down", "flag", "yes", redis="7.0"),
        Directive("cluster-allow-reads-when-down", "flag", "no"),
        Directive("cluster-allow-replica-migration", "flag", "yes"),
        Directive("cluster-enabled", "flag", "no", is_fixed=True),
        Directive("cluster-link-sendbuf-limit", "memory", "0", redis="7.0"),
        Directive("cluster-migration-barrier", "integer", "1"),
        Directive("cluster-node-timeout", "integer", "15000"),
        Directive("cluster-replica-validity-factor", "integer", "10"),
        Directive("cluster-require-full-coverage", "flag", "yes"),
        Directive("cluster-slot-stats-enabled", "flag", "no", redis=None, valkey="8.0"),
        Directive("crash-log-enabled", "flag", "yes"),
        Directive("crash-memcheck-enabled", "flag", "yes"),
        Directive("dual-channel-replication-enabled", "flag", "no", redis=None, valkey="8.0"),
        Directive("dynamic-hz", "flag", "yes", gone="9.1"),
        Directive("hash-max-listpack-entries", "integer", "512", redis="7.0"),
        Directive("hash-max-listpack-value", "memory", "64", redis="7.0"),
        Directive("hash-max-ziplist-entries", "integer", "512", renamed="hash-max-listpack-entries"),
        Directive("hash-max-ziplist-value", "memory", "64", renamed="hash-max-listpack-value"),
        Directive("hide-user-data-from-log", "flag", "no", redis="7.4", valkey="8.0", changed=_SINCE_8),
        Directive("hll-sparse-max-bytes", "memory", "3000"),
        Directive("hz", "integer", "10", low=1, high=500),
        Directive("io-threads", "integer", "1", low=1, high=256, is_fixed=True),
        Directive("jemalloc-bg-thread", "flag", "yes"),
        Directive("latency-monitor-threshold", "integer", "0"),
        Directive("latency-tracking", "flag", "yes", redis="7.0"),
        Directive("latency-tracking-info-percentiles", "percentiles", "50 99 99.9", redis="7.0"),
        Directive("lazyfree-lazy-eviction", "flag", "no", changed=_SINCE_8),
        Directive("lazyfree-lazy-expire", "flag", "no", changed=_SINCE_8),
        Directive("lazyfree-lazy-server-del", "flag", "no", changed=_SINCE_8),
        Directive("lazyfree-lazy-user-del", "flag", "no", changed=_SINCE_8),
        Directive("lazyfree-lazy-user-flush", "flag", "no", changed=_SINCE_8),
        Directive("lfu-decay-time", "integer", "1"),
        Directive("lfu-log-factor", "integer", "10"),
        Directive("list-compress-depth", "integer", "0"),
        Directive("list-max-listpack-size", "integer", "-2", low=None, redis="7.0"),
        Directive("list-max-ziplist-size", "integer", "-2", low=None, renamed="list-max-listpack-size"),
        Directive("lua-time-limit", "integer", "5000", renamed="busy-reply-threshold"),
        Directive("maxclients", "integer", "10000", low=1),
        Directive("maxmemory", "memory", "0"),
        Directive("maxmemory-clients", "share", "0", redis="7.0"),
        Directive("maxmemory-eviction-tenacity", "integer", "10", high=100),
        Directive("maxmemory-policy", "word", "noeviction",
                  values="noeviction allkeys-lru allkeys-lfu allkeys-lrm allkeys-random"
                         " volatile-lru volatile-lfu volatile-lrm volatile-random volatile-ttl"),
        Directive("maxmemory-samples", "integer", "5", low=1, high=64),
        Directive("min-replicas-max-lag", "integer", "10"),
        Directive("min-replicas-to-write", "integer", "0"),
        Directive("no-appendfsync-on-rewrite", "flag", "no"),
        Directive("notify-keyspace-events", "events", ""),
        Directive("propagation-error-behavior", "word", "ignore", values="ignore panic panic-on-replicas", redis="7.0"),
        Directive("proto-max-bulk-len", "memory", "536870912", low=1048576),
        Directive("rdb-del-sync-files", "flag", "no"),
        Directive("rdb-save-incremental-fsync", "flag", "yes"),
        Directive("rdbcompression", "flag", "yes"),
        Directive("repl-backlog-size", "memory", "1048576", low=1, changed=(("valkey", "8.0", "10485760"),)),
        Directive("repl-backlog-ttl", "integer", "3600"),
        Directive("repl-disable-tcp-nodelay", "flag", "no"),
        Directive("repl-diskless-load", "word", "disabled", values="disabled on-empty-db swapdb"),
        Directive("repl-diskless-sync", "flag", "no", changed=(("redis", "7.0", "yes"), ("valkey", "7.2", "yes"))),
        Directive("repl-diskless-sync-delay", "integer", "5"),
        Directive("repl-diskless-sync-max-replicas", "integer", "0", redis="7.0"),
        Directive("repl-ping-replica-period", "integer", "10", low=1),
        Directive("repl-timeout", "integer", "60", low=1),
        Directive("replica-ignore-maxmemory", "flag", "yes"),
        Directive("replica-lazy-flush", "flag", "no", changed=_SINCE_8),
        Directive("replica-priority", "integer", "100"),
        Directive("replica-read-only", "flag", "yes"),
        Directive("replica-serve-stale-data", "flag", "yes"),
        Directive("sanitize-dump-payload", "word", "no", values="no yes clients", gone="9.1"),
        Directive("save", "save", "3600 1 300 100 60 10000"),
        Directive("set-max-intset-entries", "integer", "512"),
        Directive("set-max-listpack-entries", "integer", "128", redis="7.2"),
        Directive("set-max-listpack-value", "integer", "64", redis="7.2"),
        Directive("shutdown-on-sigint", "words", "default", values="default save nosave now force", redis="7.0"),
        Directive("shutdown-on-sigterm", "words", "default", values="default save nosave now force", redis="7.0"),
        Directive("shutdown-timeout", "integer", "10", redis="7.0"),
        Directive("slowlog-log-slower-than", "integer", "10000", low=-1),
        Directive("slowlog-max-len", "integer", "128"),
        Directive("stop-writes-on-bgsave-error", "flag", "yes"),
        Directive("stream-node-max-bytes", "memory", "4096"),
        Directive("stream-node-max-entries", "integer", "100"),
        Directive("tcp-keepalive", "integer", "300"),
        Directive("timeout", "integer", "0"),
        Directive("tracking-table-max-keys", "integer", "1000000"),
        Directive("zset-max-listpack-entries", "integer", "128", redis="7.0"),
        Directive("zset-max-listpack-value", "memory", "64", redis="7.0"),
        Directive("zset-max-ziplist-entries", "integer", "128", renamed="zset-max-listpack-entries"),
        Directive("zset-max-ziplist-value", "memory", "64", renamed="zset-max-listpack-value"),
    )
}  # fmt: skip
"""All directives that a declaration or an environment may set. Sources: _CONF for Redis, _VALKEY for Valkey.

Removed directives were observed on Valkey 9.1.2, which rejects them; 9.0 was not tested.
"""

_ALSO_7 = frozenset((
    "hash-max-listpack-entries", "hash-max-listpack-value", "latency-tracking", "list-max-listpack-size",
    "zset-max-listpack-entries", "zset-max-listpack-value",
))  # fmt: skip
_UNTIL_7 = frozenset((
    "hash-max-ziplist-entries", "hash-max-ziplist-value", "list-max-ziplist-size",
    "zset-max-ziplist-entries", "zset-max-ziplist-value",
))  # fmt: skip
_BOTH = frozenset((
    "active-defrag-cycle-max", "active-defrag-cycle-min", "active-defrag-ignore-bytes",
    "active-defrag-max-scan-fields", "active-defrag-threshold-lower", "active-defrag-threshold-upper",
    "active-expire-effort", "activedefrag", "hll-sparse-max-bytes", "lazyfree-lazy-eviction",
    "lazyfree-lazy-expire", "lazyfree-lazy-server-del", "lazyfree-lazy-user-del", "lfu-decay-time",
    "lfu-log-factor", "list-compress-depth", "maxmemory-policy", "maxmemory-samples",
    "notify-keyspace-events", "set-max-intset-entries", "slowlog-log-slower-than", "slowlog-max-len",
    "stream-node-max-bytes", "stream-node-max-entries", "tcp-keepalive", "timeout",
    "tracking-table-max-keys",
))  # fmt: skip

PARAMETERS = {
    "elasticache": _BOTH | _ALSO_7 | _UNTIL_7 | frozenset((
        "acllog-max-len", "activerehashing", "cluster-allow-reads-when-down", "cluster-enabled",
        "cluster-require-full-coverage", "lua-time-limit", "min-replicas-max-lag",
        "min-replicas-to-write", "proto-max-bulk-len", "repl-backlog-size", "repl-backlog-ttl",
    )),
    "elasticache-serverless": frozenset[str](),
    "memorydb": _BOTH | _ALSO_7 | _UNTIL_7,
}  # fmt: skip
"""Directives in the parameter groups of each service. Sources: _ELASTICACHE, _SERVERLESS, _MEMORYDB."""

FAMILIES = {
    "elasticache": (
        ("6.2", "redis6.x"), ("7.0", "redis7"), ("7.2", "valkey7"), ("8.0", "valkey8"), ("9.0", "valkey9"),
    ),
    "memorydb": (("6.2", "memorydb_redis6"), ("7.0", "memorydb_redis7"), ("7.2", "memorydb_valkey7")),
}  # fmt: skip
"""(first version, family) of the parameter groups of each service, oldest first. Sources: _ELASTICACHE, _MEMORYDB."""

FIXED_EVICTION = {"elasticache-serverless": "volatile-lru"}
"""Eviction policy that a service fixes. Source: _SERVERLESS."""

_NO_FILE = "write persistence=[] if the service's replicas and snapshots are enough, or use flavour memorydb"
_FILES = Support(_ELASTICACHE, has_it=False, instead=_NO_FILE)
_NODE = Support(_ELASTICACHE, has_it=False, instead="choose a node type with that memory and remove maxmemory")
_NO_LRM = Support(_VALKEY, has_it=False, instead='use "allkeys-lru" or "volatile-lru"')
_LRM_SINCE = Support(_LRM, since="8.6", instead='use "allkeys-lru" or "volatile-lru", or a newer version')
_WITH_MODULES = "use flavour redis-stack, or redis 8.0 or later"
_STACK_MODULES = {"json": Support(_STACK), "search": Support(_STACK)}
_REDIS_MODULES = {name: Support(_FULL, since="8.0", instead=_WITH_MODULES) for name in _STACK_MODULES}
_WITHOUT_MODULES = {name: Support(_MODULES, has_it=False, instead=_WITH_MODULES) for name in _STACK_MODULES}
_NO_CONFIG_OF_MODULES = Support(_FULL, has_it=False, instead="remove it, or use flavour redis 8.0 or later")
_NO_MODULES = Support(_MODULES, has_it=False, instead="remove it, or use flavour redis 8.0 or later")
_SERVICE = {"append-only-file": _FILES, "snapshots": _FILES, "maxmemory": _NODE, "lrm": _NO_LRM, "modules": _NO_MODULES}
_CONFIG = Support(_RESTRICTED, has_it=False)

FLAVOURS = {
    flavour.name: flavour
    for flavour in (
        Flavour(
            "redis",
            "Redis",
            versions=("6.2", "7.0", "7.2", "7.4", "8.0", "8.2", "8.4", "8.6"),
            features={"lrm": _LRM_SINCE, "modules": Support(_FULL, since="8.0"), **_REDIS_MODULES},
            has_all_versions=True,
        ),
        Flavour(
            "redis-stack",
            "Redis Stack",
            versions=("6.2", "7.2", "7.4"),
            features={"lrm": _NO_LRM, "modules": _NO_CONFIG_OF_MODULES, **_STACK_MODULES},
            has_all_versions=True,
        ),
        Flavour(
            "valkey",
            "Valkey",
            versions=("7.2", "8.0", "8.1", "9.0", "9.1"),
            features={"lrm": _NO_LRM, "modules": _NO_MODULES, **_WITHOUT_MODULES},
            has_all_versions=True,
        ),
        Flavour(
            "elasticache",
            "ElastiCache",
            versions=("6.2", "7.0", "7.1", "7.2", "8.0", "8.1", "8.2"),
            features={**_SERVICE, "config": _CONFIG, **_WITHOUT_MODULES, "json": Support(_AWS_JSON, since="6.2")},
        ),
        Flavour(
            "elasticache-serverless",
            "ElastiCache Serverless",
            features={**_SERVICE, "config": _CONFIG, **_WITHOUT_MODULES, "json": Support(_AWS_JSON)},
        ),
        Flavour(
            "memorydb",
            "MemoryDB",
            versions=("6.2", "7.0", "7.1", "7.2", "7.3"),
            # Its transaction log keeps every write, a stronger guarantee than an append-only file. Source: _LOG.
            features={
                "append-only-file": Support(_LOG),
                "snapshots": Support(_LOG),
                "maxmemory": _NODE,
                "lrm": _NO_LRM,
                "modules": _NO_MODULES,
                "config": _CONFIG,
                **_WITHOUT_MODULES,
                "json": Support(_MEMORYDB_JSON, since="6.2"),
            },
        ),
    )
}
"""All products that implement Redis's protocol.
The lists are from excerpts of those pages: a directive that is missing here is rejected, never sent."""

END_OF_LIFE_READ = "2026-11-23"
"""Day on which the pages of `END_OF_LIFE` were read."""

END_OF_LIFE = {
    "redis": {
        "6.2": "2027-04-01", "7.0": "2024-07-29", "7.2": "2029-12-01", "7.4": "2029-12-01", "8.0": "2026-12-01",
        "8.2": "2030-09-01",
    },
    "valkey": {"7.2": "2029-04-16", "8.0": "2027-09-15", "8.1": "2030-03-31", "9.0": "2028-10-21"},
    "elasticache": {"6.2": "2027-01-31"},
}  # fmt: skip
"""Last day of support of a release, in ElastiCache that without a charge; releases without a known day are missing.

Sources: https://redis.io/docs/latest/operate/oss_and_stack/install/version-mgmt/, https://endoflife.date/redis,
https://endoflife.date/valkey and https://endoflife.date/amazon-elasticache-redis, 2026-11-23.
"""


def is_service(flavour: str) -> bool:
    """Whether a provider runs the servers, so that they use parameter groups in place of CONFIG."""
    return not FLAVOURS[flavour].has("config", None)


def family_of(flavour: str, version: str | None) -> str:
    """The family of a service's parameter group for a version; None selects the newest listed version."""
    chosen = version or FLAVOURS[flavour].latest
    return next(family for since, family in reversed(FAMILIES[flavour]) if not is_older(chosen, since))


def default(directive: Directive, flavour: str, version: str | None) -> str:
    """The default value of a directive."""
    value, product = directive.default, "redis" if flavour == "redis-stack" else flavour
    for changed_in, since, later in directive.changed:
        if changed_in == product and not is_older(version or FLAVOURS[flavour].latest, since):
            value = later
    return value
