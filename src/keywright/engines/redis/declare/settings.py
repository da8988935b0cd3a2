"""Redis's part of an environment: settings of servers in a stack file, never in a model."""

from collections.abc import Mapping
from typing import Literal

from keywright.engines.environment import ByteSize, EngineEnvironment, Percent, Threshold
from keywright.record import Record, field, fields

RedisFlavour = Literal["redis", "redis-stack", "valkey", "elasticache", "elasticache-serverless", "memorydb"]


class RedisAlerts(Record, kw_only=True):
    """Thresholds of alerts and alarms about servers; null turns one off."""

    evicted: Threshold | None = Threshold(0)
    """Keys that were dropped within five minutes because memory was full."""
    hits_percent: Percent | None = Percent(80)
    """Hit rate of a cache; the alert fires below it."""
    memory_percent: Percent | None = Percent(90)
    """Used share of maxmemory."""
    fragmentation: Threshold | None = Threshold(1.5)
    """Memory from the system, divided by the memory that data uses."""
    clients_percent: Percent | None = Percent(90)
    """Used share of the connections that a server allows."""
    engine_cpu_percent: Percent | None = Percent(90)
    """Load of the command thread of a service's node."""
    swap: ByteSize | None = ByteSize(50 * 2**20)
    """Swapped memory of a service's node."""
    throttled: Threshold | None = Threshold(0)
    """Commands per minute that a serverless cache rejected."""


class RedisTls(Record, kw_only=True):
    """TLS of servers without a provider; each path is one on the server."""

    certificate: str
    """File with the server's certificate."""
    key: str
    """File with its key."""
    authority: str
    """File with the certificates that sign those of clients, replicas and other nodes."""
    port: int = 6379
    """Port, the only one: connections without TLS are refused."""
    client_certificates: Literal["required", "optional", "unused"] = "required"
    """Whether clients need a certificate of their own."""


class RedisUsers(Record, kw_only=True):
    """Users of the services that patterns name in `used_by=`."""

    file: str | None = None
    """File on the server with its users, its `aclfile`; without one, the server keeps them in its redis.conf."""


class ServerSettings(Record, kw_only=True):
    """Settings of one server; None selects the environment's own setting."""

    ram: ByteSize | None = None
    """Memory of the machine; data may use three quarters of it."""
    maxmemory: ByteSize | None = None
    """Memory that data may use, if it is not computed from ram."""
    replicas: int | None = None
    """Replicas that can take over."""
    cluster: bool | None = None
    """Whether keys are distributed over several nodes."""
    io_threads: int | None = None
    """Threads that read and write sockets; read when a server starts."""
    nodes: tuple[str, ...] = ()
    """Names of the service's nodes, or of the serverless cache, for alarms."""


class RedisEnvironment(EngineEnvironment, kw_only=True):
    """Redis in one environment: settings of all servers, and of single ones."""

    flavour: RedisFlavour
    """Product that runs."""
    ram: ByteSize | None = None
    """Memory of each server's machine; data may use three quarters of it."""
    maxmemory: ByteSize | None = None
    """Memory that data may use, if it is not computed from ram."""
    replicas: int = 0
    """Replicas of each server that can take over."""
    cluster: bool = False
    """Whether keys are distributed over several nodes."""
    io_threads: int | None = None
    """Threads that read and write sockets; the server's own choice by default."""
    tls: RedisTls | None = None
    """TLS in the redis.conf of each server; none by default."""
    users: RedisUsers | None = None
    """Users of the services in `used_by=`; by default every service has its own arrangement."""
    data_percent: Percent | None = None
    """Share of the data at the design size that this environment contains; None for all of it."""
    alerts: RedisAlerts = RedisAlerts()
    """Thresholds of alerts and alarms about servers."""
    servers: Mapping[str, ServerSettings] = field(default_factory=dict)
    """Settings of single servers, by declared name; they take precedence."""

    def of_server(self, name: str) -> ServerSettings:
        """The effective settings of one server; its own ram overrides a maxmemory for all servers."""
        server = self.servers.get(name, ServerSettings())
        values = {setting.name: getattr(server, setting.name) for setting in fields(ServerSettings)}
        effective = {key: getattr(self, key) if value is None else value for key, value in values.items()}
        if server.ram is not None and server.maxmemory is None:
            effective["maxmemory"] = None
        return ServerSettings(**effective)
