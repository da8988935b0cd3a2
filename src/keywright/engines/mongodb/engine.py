"""MongoDB as an engine: the only name that the registry takes."""

from keywright.engines.interface import Engine
from keywright.engines.plan import probe

from .check import check
from .codec import describe, parse
from .costs import cost
from .fixes import fixes
from .judge import judge
from .lower import lower
from .migrate import create, store
from .options import MongoDatabase
from .paths import key_fields, paths, together
from .place import localise, managed, object_of, place, refuse, unplace
from .query import query
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
    key_fields=key_fields,
    paths=paths,
    together=together,
    query=query,
    cost=cost,
    fixes=fixes,
    judge=judge,
)
"""Everything that the compiler knows of MongoDB."""
