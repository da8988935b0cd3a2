"""Cassandra as an engine: the only name that the registry takes."""

from keywright.engines.interface import Engine

from .access.costs import cost
from .access.fixes import fixes
from .access.holding import TRAITS, holding
from .access.judge import judge
from .access.paths import key_fields, paths, together
from .access.query import query
from .alerts import alarms, watch
from .alter import migrate
from .check import check
from .codec import describe, parse
from .diff import CLASSES, PARTS
from .generations import keep
from .lower import lower
from .migrate import create, store
from .place import home, is_untouched, localise, managed, object_of, place, unplace
from .refuse import refuse
from .render import render
from .resources import from_resources, to_resources
from .script import script
from .settings import CassandraEnvironment
from .target import KeyspaceTarget
from .work import work

ENGINE = Engine[KeyspaceTarget, CassandraEnvironment](
    name="cassandra",
    title="Cassandra",
    environment=CassandraEnvironment,
    check=check,
    lower=lower,
    place=place,
    unplace=unplace,
    refuse=refuse,
    describe=describe,
    parse=parse,
    managed=managed,
    create=create,
    parts=PARTS,
    classes=CLASSES,
    script=script,
    home=home,
    is_untouched=is_untouched,
    work=work,
    keep=keep,
    generations_apart=False,
    migrate=migrate,
    render=render,
    to_resources=to_resources,
    from_resources=from_resources,
    watch=watch,
    alarms=alarms,
    store=store,
    object_of=object_of,
    localise=localise,
    key_fields=key_fields,
    paths=paths,
    together=together,
    holding=holding,
    traits=TRAITS,
    query=query,
    cost=cost,
    fixes=fixes,
    judge=judge,
)
"""Everything that the compiler knows of Cassandra."""
