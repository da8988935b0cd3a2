"""The settings that an environment adds to a server, and their removal."""

import re
from collections.abc import Iterator

from keywright.engines.capability import is_older
from keywright.engines.contract.pages import Work
from keywright.engines.interface import Rejection
from keywright.ir.binding import Binding
from keywright.ir.text import counted
from keywright.record import replace

from ..declare.options import Structure
from ..declare.settings import RedisEnvironment, RedisFlavour, ServerSettings
from .capabilities import (
    DIRECTIVES,
    FIXED_EVICTION,
    FLAVOURS,
    IO_THREADS,
    MEMORY_SHARE,
    MODULE_PREFIXES,
    PARAMETERS,
    SERVICE_REPLICAS,
    STRUCTURE_FEATURES,
    STRUCTURE_TITLES,
    is_service,
)
from .directive import Directive
from .hardening import refused
from .search_target import SearchTarget
from .target import Placement, ServerTarget, StreamTarget
from .users import connecting, place_users, unplace_users

ENVIRONMENT_OWNED = ("maxmemory", "cluster-enabled", "io-threads")
"""Directives that only an environment sets; a declaration cannot name them."""

_GENERATION = re.compile(r"k(\d+):")


def place(server: ServerTarget, environment: RedisEnvironment) -> ServerTarget:
    """See `Engine.place`."""
    effective, added = environment.of_server(server.name), dict[str, str]()
    is_managed = is_service(environment.flavour)
    if effective.cluster and (not is_managed or "cluster-enabled" in PARAMETERS[environment.flavour]):
        added["cluster-enabled"] = "yes"
    if not is_managed:  # a service derives maxmemory from its node type
        byte_count = effective.maxmemory or (effective.ram and effective.ram * MEMORY_SHARE.value // 100)
        added |= {"maxmemory": str(byte_count)} if byte_count else {}
        added |= {"io-threads": str(effective.io_threads)} if effective.io_threads else {}
    indexes = tuple(_index(index, prefix(server.generation)) for index in server.indexes)
    return replace(
        server,
        settings=tuple(sorted((*server.settings, *added.items()))),
        streams=tuple(replace(stream, key=prefix(server.generation) + stream.key) for stream in server.streams),
        users=tuple(place_users(server.users, _prefixes(server.generation), _connecting(environment, effective))),
        indexes=indexes,
        built=tuple(sorted((index.built, index.definition) for index in indexes if not index.is_direct)),
        placement=Placement(
            environment.flavour,
            environment.version,
            effective.replicas or 0,
            has_users=environment.users is not None and not is_managed,
        ),
    )


def _connecting(environment: RedisEnvironment, effective: ServerSettings) -> tuple[str, ...]:
    return connecting(environment.flavour, environment.version, is_cluster=bool(effective.cluster))


def _prefixes(generation: int) -> tuple[str, ...]:
    """Prefixes of the keys that users may name: programs of the former generation run until they are replaced."""
    return tuple(dict.fromkeys((prefix(generation), prefix(generation - 1))))


def prefix(generation: int) -> str:
    """Prefix of every key of a generation."""
    return f"k{generation}:" if generation > 1 else ""


def unplace(server: ServerTarget, environment: RedisEnvironment) -> ServerTarget:
    """See `Engine.unplace`; the generation of a live server is read from the keys of its streams."""
    names = (*(stream.key for stream in server.streams), *(index.name for index in server.indexes))
    matches = [match for name in names if (match := _GENERATION.match(name))]
    generation = max((int(match[1]) for match in matches), default=server.generation)
    start = prefix(generation)
    return replace(
        server,
        generation=generation,
        settings=tuple(setting for setting in server.settings if setting[0] not in ENVIRONMENT_OWNED),
        streams=tuple(
            StreamTarget(stream.key.removeprefix(prefix(generation)), stream.groups) for stream in server.streams
        ),
        users=tuple(unplace_users(server.users, prefix(generation))),
        indexes=tuple(_without(index, start) for index in server.indexes),
        built=(),
        placement=None,
    )


def _index(index: SearchTarget, start: str) -> SearchTarget:
    prefixes = [start + each for each in index.definition["prefixes"]]
    return SearchTarget(start + index.name, {**index.definition, "prefixes": prefixes})


def _without(index: SearchTarget, start: str) -> SearchTarget:
    prefixes = [each.removeprefix(start) for each in index.definition["prefixes"]]
    return SearchTarget(index.name.removeprefix(start), {**index.definition, "prefixes": prefixes})


def localise(environment: RedisEnvironment | None, version: str) -> RedisEnvironment:
    """See `Engine.localise`: the version text is `7.0.15` or `valkey 9.1.2`; one server has no replicas or nodes."""
    flavour, number = product_of(version)
    redis_environment = environment or RedisEnvironment(flavour=flavour)
    servers = {
        name: replace(own, replicas=None, cluster=None, io_threads=None)
        for name, own in redis_environment.servers.items()
    }
    return replace(
        redis_environment,
        flavour=flavour,
        version=number,
        replicas=0,
        cluster=False,
        io_threads=None,
        servers=servers,
        users=None,
    )


def local_product(server: ServerTarget) -> str:
    """See `Engine.local_product`: Redis Stack for structures of modules."""
    needs_modules = any(structure.kind in STRUCTURE_FEATURES for structure in server.structures) or server.indexes
    return "redis-stack" if needs_modules else ""


def product_of(version: str) -> tuple[RedisFlavour, str]:
    """(flavour, major and minor version) of a version text: `7.0.15`, `redis-stack 7.4.1` or `valkey 9.1.2`."""
    *name, numbers = version.split(" ")
    product = next((product for product in PRODUCTS if [product] == name), PRODUCTS[0])
    return product, ".".join(numbers.split(".")[:2])


PRODUCTS: tuple[RedisFlavour, ...] = ("redis", "redis-stack", "valkey")
"""The flavours that a server reports itself."""


def apart(environment: RedisEnvironment, prefix: str) -> RedisEnvironment:
    """See `Engine.apart`: the driver chooses a logical database, and no name has a prefix; users are the server's."""
    return replace(environment, users=None)


def object_of(server: ServerTarget, binding: Binding[Structure]) -> str:
    """See `Engine.object_of`: keys are not created, so that the object is the server."""
    return server.name


def work(server: ServerTarget, entity: str) -> Work:
    """See `Engine.work`: keys that match the entity's template, in the generation of the server."""
    shape = next(shape for shape in server.shape if shape.name == entity)
    structure = next(structure for structure in server.structures if structure.entity == entity)
    key_prefix = prefix(server.generation)

    def keys(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple((argument, key_prefix + template) for argument, template in pairs if argument == "key")

    return Work(
        object=server.name,
        reads=(),
        writes=(),
        types={field.stored: field.type for field in shape.fields},
        keys=keys(shape.keys),
        others=tuple(keys(shape.keys) for shape in server.shape if shape.name != entity),
        kind=structure.kind,
        value=structure.value or "",
    )


def template_key(key: str, work: Work) -> str:
    """A key as its template writes it, without the number that a fixed window or a bucket appends."""
    name, _, window = key.rpartition(":")
    return name if work.kind == "rate limit" and window.isdecimal() else key


def refuse(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Rejection]:
    """See `Engine.refuse`."""
    yield from _version(server, environment)
    yield from _numbers(server, environment)
    yield from _memory(server, environment)
    yield from _persistence(server, environment)
    yield from _eviction(server, environment)
    yield from refused(server, environment)
    yield from _structures(server, environment)
    yield from _indexes(server, environment)
    for name, _ in unplace(server, environment).settings:
        if name in DIRECTIVES:
            yield from _directive(server, DIRECTIVES[name], environment)
        else:
            yield from _module(server, name, environment)


def _version(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Rejection]:
    if wrong := FLAVOURS[environment.flavour].wrong_version(environment.version):
        yield Rejection("E0402", *wrong, server.name, setting=("version",))


def _numbers(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Rejection]:
    """Reject numbers of the environment that no server accepts, each with this server's effective setting."""
    max_replicas = SERVICE_REPLICAS.value if is_service(environment.flavour) else None
    threads = IO_THREADS.get(environment.flavour)
    yield from _number(server, environment, "replicas", 0, max_replicas)
    yield from _number(server, environment, "io-threads", 1, threads.value if threads else None)
    yield from _number(server, environment, "ram", 1, None)
    yield from _number(server, environment, "maxmemory", 1, None)


def _number(
    server: ServerTarget, environment: RedisEnvironment, name: str, lowest: int, highest: int | None
) -> Iterator[Rejection]:
    setting = _setting(server, environment, name)
    value = getattr(environment.of_server(server.name), name.replace("-", "_"))
    if value is None or (value >= lowest and (highest is None or value <= highest)):
        return
    allowed = f"{lowest} or more" if highest is None else f"{lowest} to {highest}"
    problem = f'"redis.{".".join(setting)}" is {value}, {FLAVOURS[environment.flavour].title} takes {allowed}'
    yield Rejection("E0402", problem, "correct the number, or remove it", server.name, setting=setting)


def _setting(server: ServerTarget, environment: RedisEnvironment, name: str) -> tuple[str, ...]:
    """Path of a server's effective setting: its own, or the setting of all servers."""
    server_settings = environment.servers.get(server.name)
    is_own = server_settings is not None and getattr(server_settings, name.replace("-", "_")) is not None
    return ("servers", server.name, name) if is_own else (name,)


def _memory(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Rejection]:
    own, flavour = environment.of_server(server.name), FLAVOURS[environment.flavour]
    if own.maxmemory and not flavour.has("maxmemory", environment.version):
        problem = f'server "{server.name}" sets maxmemory, which {flavour.title} derives from the node type'
        yield Rejection("RED104", problem, flavour.features["maxmemory"].instead, server.name)
    if own.maxmemory and own.ram and own.maxmemory > own.ram:
        problem = f'server "{server.name}" is given maxmemory {counted(own.maxmemory, "byte")}, its ram is {own.ram}'
        setting = _setting(server, environment, "maxmemory")
        yield Rejection("E0402", problem, "remove maxmemory: it is computed from ram", server.name, setting=setting)


def _persistence(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Rejection]:
    settings, flavour = dict(server.settings), FLAVOURS[environment.flavour]
    features = {
        "append-only-file": ("appendonly", settings.get("appendonly") == "yes"),
        "snapshots": ("save", bool(settings.get("save"))),
    }
    for feature, (directive, is_declared) in features.items():
        if is_declared and not flavour.has(feature, environment.version):
            problem = f'server "{server.name}" needs "{directive}", which {flavour.title} does not allow to set'
            yield Rejection("RED104", problem, flavour.features[feature].instead, server.name)


def _eviction(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Rejection]:
    policy, flavour = dict(server.settings).get("maxmemory-policy", ""), FLAVOURS[environment.flavour]
    if policy.endswith("-lrm") and not flavour.has("lrm", environment.version):
        end, help = flavour.lack("lrm", environment.version)
        yield Rejection("RED105", f'server "{server.name}" evicts by "{policy}", which {end}', help, server.name)
    fixed = FIXED_EVICTION.get(environment.flavour)
    if fixed and policy != fixed:
        problem = f'server "{server.name}" evicts by "{policy}", {flavour.title} always by "{fixed}"'
        yield Rejection("RED104", problem, f'write eviction="{fixed}", or choose elasticache', server.name)


def _structures(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Rejection]:
    """Reject structures of modules that the product lacks."""
    flavour = FLAVOURS[environment.flavour]
    for structure in server.structures:
        feature = STRUCTURE_FEATURES.get(structure.kind)
        if feature and not flavour.has(feature, environment.version):
            end, help = flavour.lack(feature, environment.version)
            problem = f"it is stored in {STRUCTURE_TITLES[structure.kind]}, which {end}"
            yield Rejection("RED014", problem, help, structure.entity)


def _indexes(server: ServerTarget, environment: RedisEnvironment) -> Iterator[Rejection]:
    """Reject indexes where the product lacks Search, and in a cluster, whose nodes would each find their own keys."""
    flavour = FLAVOURS[environment.flavour]
    for index in unplace(server, environment).indexes:
        if not flavour.has("search", environment.version):
            end, help = flavour.lack("search", environment.version)
            problem = f'index "{index.name}" is of Search, which {end}'
            yield Rejection("RED014", problem, help, server.name, part=index.name)
        elif environment.of_server(server.name).cluster:
            problem = f'index "{index.name}" is on a cluster, each of whose nodes finds its own keys only'
            yield Rejection("RED014", problem, "set cluster: false for this server", server.name, part=index.name)


def _directive(server: ServerTarget, directive: Directive, environment: RedisEnvironment) -> Iterator[Rejection]:
    flavour, name = FLAVOURS[environment.flavour], directive.name
    if name in ("maxmemory-policy", "appendonly", "appendfsync", "save"):
        return
    if is_service(environment.flavour) and name not in PARAMETERS[environment.flavour]:
        problem = f'server "{server.name}" sets "{name}", which {flavour.title} does not allow to set'
        yield Rejection("RED104", problem, "remove it from settings=", server.name)
        return
    version = environment.version or flavour.latest
    since, old = _since(directive, environment), directive.renamed
    is_gone = environment.flavour == "valkey" and directive.gone and not is_older(version, directive.gone)
    if since is None or is_gone or is_older(version, since):
        why = (
            f"it was removed in {directive.gone}"
            if is_gone
            else f"it was added in {since}"
            if since
            else "it never had it"
        )
        problem = f'server "{server.name}" sets "{name}", which {flavour.title} {version} does not have: {why}'
        former = next((candidate.name for candidate in DIRECTIVES.values() if candidate.renamed == name), "")
        help = f'write "{former}", which newer versions accept too' if former else "remove it from settings="
        yield Rejection("RED105", problem, help, server.name)
    elif old and is_service(environment.flavour) and not is_older(version, "7.0"):
        problem = f'server "{server.name}" sets "{name}", which {flavour.title} {version} knows only as "{old}"'
        yield Rejection("RED105", problem, f'write "{old}"', server.name)


def _since(directive: Directive, environment: RedisEnvironment) -> str | None:
    """The first version with a directive; services' versions continue from Redis to Valkey, which begins with 7.2."""
    if environment.flavour == "valkey":
        return directive.valkey
    return directive.redis or (directive.valkey if is_service(environment.flavour) else None)


def _module(server: ServerTarget, name: str, environment: RedisEnvironment) -> Iterator[Rejection]:
    flavour = FLAVOURS[environment.flavour]
    if not flavour.has("modules", environment.version):
        end, help = flavour.lack("modules", environment.version)
        module = next(title for start, title in MODULE_PREFIXES.items() if name.startswith(start))
        problem = f'server "{server.name}" sets "{name}" of the {module} module, which {end}'
        yield Rejection("RED014", problem, help, server.name)


def home(environment: RedisEnvironment, store: str) -> str:
    """See `Engine.home`: the prefix of the history's keys."""
    return "kw"
