"""Redis as an engine: the only name that the registry takes."""

from keywright.engines.interface import Engine

from .check import check
from .codec import describe, parse
from .lower import lower
from .migrate import create, probe, store
from .place import localise, managed, object_of, place, refuse, unplace
from .render import render
from .server import RedisServer
from .settings import RedisEnvironment
from .target import ServerTarget

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
    managed=managed,
    create=create,
    probe=probe,
    render=render,
    store=store,
    object_of=object_of,
    localise=localise,
)
"""Everything that the compiler knows of Redis."""
