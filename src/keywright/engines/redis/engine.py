"""Redis as an engine: the only name that the registry takes."""

from keywright.engines.interface import Engine

from .check import check
from .codec import describe, parse
from .cost import cost
from .fixes import fixes
from .judge import judge
from .lower import lower
from .migrate import create, probe, store
from .paths import key_fields, paths, together
from .place import localise, managed, object_of, place, refuse, unplace
from .query import query
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
    key_fields=key_fields,
    paths=paths,
    together=together,
    query=query,
    cost=cost,
    fixes=fixes,
    judge=judge,
)
"""Everything that the compiler knows of Redis."""
