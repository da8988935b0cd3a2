"""MongoDB as an engine: the only name that the registry takes."""

from keywright.engines.interface import Engine
from keywright.engines.plan import probe

from .check import check
from .codec import describe, parse
from .lower import lower
from .migrate import create, store
from .options import MongoDatabase
from .place import localise, managed, object_of, place, refuse, unplace
from .render import render
from .settings import MongoEnvironment
from .target import DatabaseTarget

ENGINE = Engine[DatabaseTarget, MongoEnvironment](
    name="mongodb",
    title="MongoDB",
    physicals=(MongoDatabase,),
    environment=MongoEnvironment,
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
"""Everything that the compiler knows of MongoDB."""
