"""What an environment adds to a server, and takes off it again."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from keywright.engines.capability import is_older
from keywright.engines.interface import Description, Refusal
from keywright.engines.plan import State, probe
from keywright.ir.binding import Binding

from .capabilities import (
    DIRECTIVES,
    FIXED_EVICTION,
    FLAVOURS,
    MEMORY_SHARE,
    MODULE_PREFIXES,
    PARAMETERS,
    is_service,
)
from .directive import Directive
from .migrate import create
from .settings import RedisEnvironment
from .target import Placement, ServerTarget, StreamTarget

ENVIRONMENT_OWNED = ("maxmemory", "cluster-enabled", "io-threads")
"""Directives that come from an environment alone; a declaration cannot name them."""

_GENERATION = re.compile(r"k(\d+):")


def place(server: ServerTarget, environment: RedisEnvironment) -> ServerTarget:
    """See `Engine.place`."""
    own, added = environment.of_server(server.name), dict[str, str]()
    is_managed = is_service(environment.flavour)
    if own.cluster and (not is_managed or "cluster-enabled" in PARAMETERS[environment.flavour]):
        added["cluster-enabled"] = "yes"
    if not is_managed:  # a service gives data what its node type has
        room = own.maxmemory or (own.ram and own.ram * MEMORY_SHARE.value // 100)
        added |= {"maxmemory": str(room)} if room else {}
        added |= {"io-threads": str(own.io_threads)} if own.io_threads else {}
    return replace(
        server,
        settings=tuple(sorted((*server.settings, *added.items()))),
        streams=tuple(replace(stream, key=prefix(server.generation) + stream.key) for stream in server.streams),
        placement=Placement(environment.flavour, environment.version, own.replicas or 0),
    )


def prefix(generation: int) -> str:
    """What every key of a generation begins with."""
    return f"k{generation}:" if generation > 1 else ""


def unplace(server: ServerTarget, environment: RedisEnvironment) -> ServerTarget:
    """See `Engine.unplace`; a live server tells its generation by the keys of its streams."""
    found = [match for stream in server.streams if (match := _GENERATION.match(stream.key))]
    generation = max((int(match[1]) for match in found), default=server.generation)
    return replace(
        server,
        generation=generation,
        settings=tuple(one for one in server.settings if one[0] not in ENVIRONMENT_OWNED),
        streams=tuple(
            StreamTarget(stream.key.removeprefix(prefix(generation)), stream.groups) for stream in server.streams
        ),
        placement=None,
    )


def localise(environment: RedisEnvironment | None, version: str) -> RedisEnvironment:
    """See `Engine.localise`: the version text is `7.0.15` or `valkey 9.1.2`; one server has no replicas or nodes."""
    flavour: Literal["redis", "valkey"] = "valkey" if version.startswith("valkey ") else "redis"
    number = ".".join(version.removeprefix("valkey ").split(".")[:2])
    given = environment or RedisEnvironment(flavour=flavour)
    servers = {name: replace(own, replicas=None, cluster=None, io_threads=None) for name, own in given.servers.items()}
    return replace(given, flavour=flavour, version=number, replicas=0, cluster=False, io_threads=None, servers=servers)


def managed(live: ServerTarget, wanted: ServerTarget) -> ServerTarget:
    """See `Engine.managed`: a server has a hundred settings and others' keys; what the wanted one names counts."""
    named, keys = dict(wanted.settings), {stream.key for stream in wanted.streams}
    placement = live.placement
    if placement and wanted.placement:
        flavour = wanted.placement.flavour  # a service says of itself what it is compatible with
        placement = replace(
            placement,
            flavour=flavour if is_service(flavour) else placement.flavour,
            version=placement.version if wanted.placement.version else None,
        )
    return replace(
        live,
        settings=tuple(one for one in live.settings if one[0] in named),
        streams=tuple(stream for stream in live.streams if stream.key in keys),
        placement=placement,
    )


def object_of(server: ServerTarget, binding: Binding) -> str:
    """See `Engine.object_of`: keys are not made, so what there is to name is the server."""
    return server.name


def refuse(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Refusal]:
    """See `Engine.refuse`."""
    yield from _version(server, environment)
    yield from _memory(server, environment)
    yield from _persistence(server, environment)
    yield from _eviction(server, environment)
    for name, _ in unplace(server, environment).settings:
        if name in DIRECTIVES:
            yield from _directive(server, DIRECTIVES[name], environment)
        else:
            yield from _module(server, name, environment)


def _version(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Refusal]:
    if wrong := FLAVOURS[environment.flavour].wrong_version(environment.version):
        yield Refusal("E0402", *wrong, server.name)


def _memory(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Refusal]:
    own, flavour = environment.of_server(server.name), FLAVOURS[environment.flavour]
    if own.maxmemory and not flavour.has("maxmemory", environment.version):
        problem = f'server "{server.name}" is given maxmemory, which {flavour.title} sets by itself from the node type'
        yield Refusal("RED104", problem, flavour.features["maxmemory"].instead, server.name)
    if own.maxmemory and own.ram and own.maxmemory > own.ram:
        problem = f'server "{server.name}" is given maxmemory {own.maxmemory} bytes, its ram is {own.ram}'
        yield Refusal("E0402", problem, "leave out maxmemory: it follows from ram", server.name)


def _persistence(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Refusal]:
    settings, flavour = dict(server.settings), FLAVOURS[environment.flavour]
    asked = {
        "append-only-file": ("appendonly", settings.get("appendonly") == "yes"),
        "snapshots": ("save", bool(settings.get("save"))),
    }
    for feature, (directive, is_asked) in asked.items():
        if is_asked and not flavour.has(feature, environment.version):
            problem = f'server "{server.name}" needs "{directive}", which {flavour.title} does not let anybody set'
            yield Refusal("RED104", problem, flavour.features[feature].instead, server.name)


def _eviction(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Refusal]:
    policy, flavour = dict(server.settings).get("maxmemory-policy", ""), FLAVOURS[environment.flavour]
    if policy.endswith("-lrm") and not flavour.has("lrm", environment.version):
        end, help = flavour.lack("lrm", environment.version)
        yield Refusal("RED105", f'server "{server.name}" evicts by "{policy}", which {end}', help, server.name)
    fixed = FIXED_EVICTION.get(environment.flavour)
    if fixed and policy != fixed:
        problem = f'server "{server.name}" evicts by "{policy}", {flavour.title} always by "{fixed}"'
        yield Refusal("RED104", problem, f'say eviction="{fixed}", or choose elasticache', server.name)


def _directive(server: ServerTarget, directive: Directive, environment: RedisEnvironment) -> Iterator[Refusal]:
    flavour, name = FLAVOURS[environment.flavour], directive.name
    if name in ("maxmemory-policy", "appendonly", "appendfsync", "save"):
        return
    if is_service(environment.flavour) and name not in PARAMETERS[environment.flavour]:
        problem = f'server "{server.name}" sets "{name}", which {flavour.title} does not let anybody set'
        yield Refusal("RED104", problem, "leave it out of settings=", server.name)
        return
    version = environment.version or flavour.latest
    since, old = _since(directive, environment), directive.renamed
    is_gone = environment.flavour == "valkey" and directive.gone and not is_older(version, directive.gone)
    if since is None or is_gone or is_older(version, since):
        why = f"it went with {directive.gone}" if is_gone else f"it comes with {since}" if since else "it never had it"
        problem = f'server "{server.name}" sets "{name}", which {flavour.title} {version} does not have: {why}'
        former = next((one.name for one in DIRECTIVES.values() if one.renamed == name), "")
        help = f'write "{former}", which newer versions take too' if former else "leave it out of settings="
        yield Refusal("RED105", problem, help, server.name)
    elif old and is_service(environment.flavour) and not is_older(version, "7.0"):
        problem = f'server "{server.name}" sets "{name}", which {flavour.title} {version} calls "{old}" alone'
        yield Refusal("RED105", problem, f'write "{old}"', server.name)


def _since(directive: Directive, environment: RedisEnvironment) -> str | None:
    """The first version with a directive; services count on from Redis to Valkey, whose first version is 7.2."""
    if environment.flavour == "valkey":
        return directive.valkey
    return directive.redis or (directive.valkey if is_service(environment.flavour) else None)


def _module(server: ServerTarget, name: str, environment: RedisEnvironment) -> Iterator[Refusal]:
    flavour = FLAVOURS[environment.flavour]
    if not flavour.has("modules", environment.version):
        end, help = flavour.lack("modules", environment.version)
        module = next(title for start, title in MODULE_PREFIXES.items() if name.startswith(start))
        problem = f'server "{server.name}" sets "{name}" of the {module} module, which {end}'
        yield Refusal("RED014", problem, help, server.name)


def home(environment: RedisEnvironment, store: str) -> str:
    """See `Engine.home`: the beginning of the history's keys."""
    return "kw"


def is_untouched(server: ServerTarget, live: Description | None) -> bool:
    """See `Engine.is_untouched`: a server is there before any version, and is told by its settings and groups."""
    found: Any = live["native"] if live else {"settings": {}}
    settings = [step for step in create(replace(server, streams=())) if probe(step, live) is State.PRESENT]
    return not found.get("streams") and not any(step.wants not in step.before for step in settings)
