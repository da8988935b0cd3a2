"""Redis as an engine: the only name that the registry takes."""

from dataclasses import replace

from keywright.engines.interface import Engine

from .capabilities import is_service
from .check import check
from .codec import describe, parse
from .lower import lower
from .migrate import create, probe, store
from .place import localise, place, refuse, unplace
from .render import render
from .server import RedisServer
from .settings import RedisEnvironment
from .target import ServerTarget


def _managed(live: ServerTarget, wanted: ServerTarget) -> ServerTarget:
    """A server has a hundred settings and other people's keys: what counts is what the wanted one names."""
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


ENGINE = Engine[ServerTarget, RedisEnvironment](
    name="redis",
    title="Redis",
    physicals=(RedisServer,),
    environment=RedisEnvironment,
    check=check,
    lower=lower,
    place=place,
    unplace=unplace,
    refuse=refuse,
    describe=describe,
    parse=parse,
    managed=_managed,
    create=create,
    probe=probe,
    render=render,
    store=store,
    object_of=lambda server, binding: server.name,
    localise=localise,
)
"""Everything that the compiler knows of Redis."""
