"""Redis's part of an environment: what a stack file says of servers, never a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from keywright.engines.environment import ByteSize, Environment, Percent, Threshold

RedisFlavour = Literal["redis", "valkey", "elasticache", "elasticache-serverless", "memorydb"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisAlerts:
    """From where on it is told how servers are; null tells nothing."""

    evicted: Threshold | None = Threshold(0)
    """Keys that were dropped within five minutes because memory was full."""
    hits_percent: Percent | None = Percent(80)
    """How many percent of the reads of a cache find something: told below it."""
    memory_percent: Percent | None = Percent(90)
    """How much of maxmemory is taken."""
    fragmentation: Threshold | None = Threshold(1.5)
    """Memory that the system gave for each byte that data takes."""
    clients_percent: Percent | None = Percent(90)
    """How many of the connections that a server takes are taken."""
    engine_cpu_percent: Percent | None = Percent(90)
    """How busy the thread of commands is, of a service."""
    swap: ByteSize | None = ByteSize(50 * 2**20)
    """Memory that was swapped out, of a service."""
    throttled: Threshold | None = Threshold(0)
    """Commands of a minute that a serverless cache did not take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """What an environment may say of one server; None leaves it to the environment's own setting."""

    ram: ByteSize | None = None
    """Memory of the machine; data may take three quarters of it."""
    maxmemory: ByteSize | None = None
    """Memory that data may take, where it is not to follow from ram."""
    replicas: int | None = None
    """Copies that can take over."""
    cluster: bool | None = None
    """Whether keys are spread over several nodes."""
    io_threads: int | None = None
    """Threads that read and write sockets; read when a server starts."""
    nodes: tuple[str, ...] = ()
    """What a service calls its nodes, or the serverless cache: what alarms are about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisEnvironment(Environment):
    """Redis in one environment: settings of all servers, and of single ones."""

    flavour: RedisFlavour
    """Which product runs."""
    ram: ByteSize | None = None
    """Memory of each server's machine; data may take three quarters of it."""
    maxmemory: ByteSize | None = None
    """Memory that data may take, where it is not to follow from ram."""
    replicas: int = 0
    """Copies of each server that can take over."""
    cluster: bool = False
    """Whether keys are spread over several nodes."""
    io_threads: int | None = None
    """Threads that read and write sockets; the server's own choice by default."""
    data_percent: Percent | None = None
    """How much of the data at the design size is here, where it is not all of it."""
    alerts: RedisAlerts = RedisAlerts()
    """From where on it is told how servers are."""
    servers: Mapping[str, ServerSettings] = field(default_factory=dict)
    """Settings of single servers, by declared name; they win."""

    def of_server(self, name: str) -> ServerSettings:
        """What counts for one server; its own ram stands above a maxmemory that is said for all."""
        own = self.servers.get(name, ServerSettings())
        known = {one.name: getattr(own, one.name) for one in fields(ServerSettings)}
        found = {key: getattr(self, key) if value is None else value for key, value in known.items()}
        if own.ram is not None and own.maxmemory is None:
            found["maxmemory"] = None
        return ServerSettings(**found)
