"""Redis's part of a design into servers."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

from keywright.declare.store import Bound
from keywright.engines.shape import EntityShape, FieldShape
from keywright.ir.attribute import Attribute, Struct
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import element
from keywright.ir.physical import Physical

from .capabilities import DIRECTIVES
from .directive import canonical, written
from .layout import FIELD_KINDS, constant_key, kind_of, seconds, stored_attributes, structure_of, value_field
from .options import RedisCache, RedisRateLimit, RedisStream
from .server import Aof, Rdb, RedisServer
from .target import ServerTarget, StreamTarget, StructureTarget
from .typemap import native_type

EVICTION = {
    "cache": "allkeys-lru", "sessions": "volatile-ttl", "limiter": "volatile-ttl",
    "queue": "noeviction", "primary": "noeviction",
}  # fmt: skip
"""What goes when memory is full, by role.

A cache drops what was not asked for; sessions and limiters what ends soonest, since a full limiter that refuses to
count would refuse every call; queues and primary data lose nothing, their writes fail instead.
"""

DURABLE = ("sessions", "queue", "primary")
"""Roles whose data survives a restart: the log loses about a second, snapshots make restarts and backups short.

A cache is filled again, and a limiter that starts empty lets one more period's calls pass.
"""


def lower(design: Design) -> tuple[ServerTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_server(physical, design.bindings_in(physical)) for physical in design.physicals)


def _server(physical: Physical, bindings: tuple[Binding, ...]) -> ServerTarget:
    server = physical.spec
    assert isinstance(server, RedisServer)
    streams = (_stream(binding) for binding in bindings)
    return ServerTarget(
        name=server.name,
        generation=server.generation,
        settings=tuple(sorted(settings_of(server).items())),
        streams=tuple(sorted((stream for stream in streams if stream), key=lambda stream: stream.key)),
        shape=tuple(_shape(binding) for binding in bindings),
        structures=tuple(structure_target(binding) for binding in bindings),
    )


def settings_of(server: RedisServer) -> dict[str, str]:
    """Every directive that a declaration asks for, by name, as servers report them."""
    settings = {"maxmemory-policy": server.eviction or EVICTION[server.role], "appendonly": "no", "save": ""}
    default = [Aof(), Rdb()] if server.role in DURABLE else []
    for part in default if server.persistence is None else server.persistence:
        match part:
            case Aof():
                settings |= {"appendonly": "yes", "appendfsync": part.fsync}
            case Rdb():
                settings["save"] = " ".join(f"{time} {changes}" for time, changes in part.after.items())
    asked = {name: value for name, value in server.settings.items() if not isinstance(value, Mapping)}
    settings |= {name: written(value) for name, value in asked.items()}
    for name, value in settings.items():
        with suppress(KeyError, ValueError):  # a directive of a module, or one that `check` has refused
            settings[name] = canonical(DIRECTIVES[name], value)
    return settings


def _stream(binding: Binding) -> StreamTarget | None:
    """The stream, if it can be made before there is data: a key with placeholders waits for its first entry."""
    spec, key = structure_of(binding), constant_key(binding)
    if not isinstance(spec, RedisStream) or key is None or not spec.groups:
        return None
    return StreamTarget(key, tuple(sorted(group.name for group in spec.groups)))


def structure_target(binding: Binding) -> StructureTarget:
    """What an entity is on its server."""
    spec, expiry = structure_of(binding), binding.entity.ttl
    known: dict[str, Any] = {
        "value": value_field(binding),
        "ttl_seconds": seconds(getattr(spec, "ttl", None)),
        "expires_at": expiry.name if expiry else None,
        "kept": getattr(spec, "max_length", None),
    }
    match spec:
        case RedisStream(keep=keep):
            known |= {"kept_seconds": seconds(keep)} if isinstance(keep, timedelta) else {"kept": keep}
            known["groups"] = tuple(sorted(group.name for group in spec.groups))
        case RedisRateLimit():
            known |= {"limit": spec.limit, "per_seconds": seconds(spec.per), "window": spec.window}
        case RedisCache(source_of_truth=source):
            known["source"] = source.model.__name__ if isinstance(source, Bound) else source.__name__
        case _:
            pass
    return StructureTarget(binding.name, kind_of(binding), **known)


def _shape(binding: Binding) -> EntityShape:
    keys = tuple((argument, template.text) for argument, template in binding.templates.items())
    stored = {attribute.name for attribute in stored_attributes(binding)}
    is_json = bool(stored) and kind_of(binding) not in FIELD_KINDS
    fields = tuple(_fields(binding.entity.attributes, stored if is_json else set()))
    return EntityShape(binding.name, keys, fields, structure_of(binding).schema_version)


def _fields(attributes: tuple[Attribute, ...], in_json: set[str] | None) -> Iterator[FieldShape]:
    """Fields, and those of embedded models; in_json: names of those inside JSON, None for all."""
    for attribute in attributes:
        is_json = in_json is None or attribute.name in in_json
        kind = native_type(attribute.type, is_json=is_json)
        yield FieldShape(attribute.name, attribute.stored, kind, attribute.is_required and not attribute.is_nullable)
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            for part in _fields(inner.attributes, None):
                path, stored = f"{attribute.name}.{part.name}", f"{attribute.stored}.{part.stored}"
                yield FieldShape(path, stored, part.type, part.is_required)
