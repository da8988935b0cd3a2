"""Redis's part of a design into servers."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

from keywright.declare.store import Bound
from keywright.engines.contract.change import Path
from keywright.engines.contract.shape import EntityShape, FieldShape, embedded
from keywright.engines.time_precisions import with_precision
from keywright.ir.attribute import Attribute, Struct
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import element
from keywright.record import replace

from ..declare.options import RedisCache, RedisRateLimit, RedisStream, Structure
from ..declare.server import Aof, Rdb, RedisServer
from .capabilities import DIRECTIVES
from .directive import canonical, written
from .layout import FIELD_KINDS, constant_key, kind_of, seconds, stored_attributes, value_field
from .packed_score import packing_of
from .search_index import indexes_of
from .target import ServerTarget, StreamTarget, StructureTarget
from .typemap import native_type

EVICTION = {
    "cache": "allkeys-lru", "sessions": "volatile-ttl", "limiter": "volatile-ttl",
    "queue": "noeviction", "primary": "noeviction",
}  # fmt: skip
"""Eviction policy by role.

A cache drops the least used keys. Sessions and limiters drop the keys that expire soonest, because a full limiter that
rejects writes would reject every call. Queues and primary data lose nothing: their writes fail instead.
"""

DURABLE = ("sessions", "queue", "primary")
"""Roles whose data survives a restart: the log loses about a second, and snapshots shorten restarts and backups.

A cache is filled again, and a limiter that starts empty allows the calls of one more period.
"""


def lower(design: Design[RedisServer, Structure]) -> tuple[ServerTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_server(physical, design.bindings_in(physical)) for physical in design.physicals)


def _server(physical: Physical[RedisServer], bindings: tuple[Binding[Structure], ...]) -> ServerTarget:
    server = physical.spec
    streams = (_stream(binding) for binding in bindings)
    return ServerTarget(
        name=server.name,
        generation=server.generation,
        settings=tuple(sorted(settings_of(server).items())),
        streams=tuple(sorted((stream for stream in streams if stream), key=lambda stream: stream.key)),
        indexes=tuple(sorted((index for each in bindings for index in indexes_of(each)), key=lambda index: index.name)),
        shape=tuple(entity_shape(binding) for binding in bindings),
        structures=tuple(structure_target(binding) for binding in bindings),
    )


def settings_of(server: RedisServer) -> dict[str, str]:
    """All directives of a declaration, by name, with values in the form that servers report."""
    settings = {"maxmemory-policy": server.eviction or EVICTION[server.role], "appendonly": "no", "save": ""}
    default = [Aof(), Rdb()] if server.role in DURABLE else []
    for part in default if server.persistence is None else server.persistence:
        match part:
            case Aof():
                settings |= {"appendonly": "yes", "appendfsync": part.fsync}
            case Rdb():
                settings["save"] = " ".join(f"{time} {changes}" for time, changes in part.after.items())
    declared = {name: value for name, value in server.settings.items() if not isinstance(value, Mapping)}
    settings |= {name: written(value) for name, value in declared.items()}
    for name, value in settings.items():
        with suppress(KeyError, ValueError):  # a directive of a module, or one that `check` has rejected
            settings[name] = canonical(DIRECTIVES[name], value)
    return settings


def implied(design: Design[RedisServer, Structure], server: ServerTarget) -> Iterator[tuple[Path, ...]]:
    """See `Engine.implied`: settings that follow from the role alone."""
    spec = next(physical.spec for physical in design.physicals if physical.name == server.name)
    derived: list[tuple[str, ...]] = [] if spec.eviction else [("maxmemory-policy",)]
    derived += [("appendonly", "appendfsync", "save")] if spec.persistence is None else []
    for names in derived:
        if paths := tuple(("settings", name) for name in names if name not in spec.settings):
            yield paths


def _stream(binding: Binding[Structure]) -> StreamTarget | None:
    """The stream, if it can be created before there is data: a key with placeholders needs its first entry."""
    spec, key = binding.spec, constant_key(binding)
    if not isinstance(spec, RedisStream) or key is None or not spec.groups:
        return None
    return StreamTarget(key, tuple(sorted(group.name for group in spec.groups)))


def structure_target(binding: Binding[Structure]) -> StructureTarget:
    """The structure of an entity on its server."""
    spec, expiry = binding.spec, binding.entity.ttl
    options: dict[str, Any] = {
        "value": value_field(binding),
        "ttl_seconds": seconds(getattr(spec, "ttl", None)),
        "expires_at": expiry.name if expiry else None,
        "kept": getattr(spec, "max_length", None),
    }
    if (packing := packing_of(binding)) is not None:
        options["then"] = packing.text
    match spec:
        case RedisStream(keep=keep):
            options |= {"kept_seconds": seconds(keep)} if isinstance(keep, timedelta) else {"kept": keep}
            options |= {"groups": tuple(sorted(group.name for group in spec.groups)), "due": spec.due}
        case RedisRateLimit():
            burst = (spec.burst or spec.limit) if spec.window == "bucket" else None
            options |= {"limit": spec.limit, "per_seconds": seconds(spec.per), "window": spec.window, "burst": burst}
        case RedisCache(source_of_truth=source):
            options["source"] = source.model.__name__ if isinstance(source, Bound) else source.__name__
        case _:
            pass
    return StructureTarget(binding.name, kind_of(binding), **options)


def entity_shape(binding: Binding[Structure]) -> EntityShape:
    """Entity with its keys and its fields."""
    keys = tuple((argument, template.text) for argument, template in binding.templates.items())
    stored = {attribute.name for attribute in stored_attributes(binding)}
    is_json = bool(stored) and kind_of(binding) not in FIELD_KINDS
    fields = tuple(_fields(binding.entity.attributes, stored if is_json else set()))
    return EntityShape(binding.name, keys, fields, binding.spec.schema_version)


def _fields(attributes: tuple[Attribute, ...], in_json: set[str] | None) -> Iterator[FieldShape]:
    """Fields, including those of embedded models; in_json: names of the fields inside JSON, None for all."""
    for attribute in attributes:
        is_json = in_json is None or attribute.name in in_json
        kind = with_precision(native_type(attribute.type, is_json=is_json), attribute.type)
        is_required = attribute.is_required and not attribute.is_nullable
        field_shape = FieldShape(attribute.name, attribute.stored, kind, is_required)
        yield field_shape
        element_type = element(attribute.type)
        if isinstance(element_type, Struct):
            yield from embedded(element_type, field_shape, partial(_parts, attribute))


def _parts(outer: Attribute, attributes: tuple[Attribute, ...]) -> Iterator[FieldShape]:
    """The fields of an embedded model, with the paths of the field that contains it."""
    for part in _fields(attributes, None):
        yield replace(part, name=f"{outer.name}.{part.name}", stored=f"{outer.stored}.{part.stored}")
