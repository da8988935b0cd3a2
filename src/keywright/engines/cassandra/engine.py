"""Cassandra as an engine, for the registry."""

from keywright.engines.interface import Engine

from .access.cost import cost
from .access.evidence import verify
from .access.fixes import fixes
from .access.paths.plan import key_fields, paths, together
from .access.query import query
from .access.storage_facts import TRAITS, storage_facts
from .declare.settings import CassandraEnvironment
from .migrate.alter import clash, migrate
from .migrate.create import create, store
from .migrate.diff import FACTS
from .monitoring.alerts import alarms, watch
from .render import render, script
from .schema.check import check
from .schema.codec import describe, parse
from .schema.lower import implied, lower
from .schema.managed import around, keep, managed, with_live_names, with_live_settings
from .schema.place import apart, home, is_untouched, localise, object_of, place, unplace, work
from .schema.refuse import refuse
from .schema.resources import from_resources, to_resources
from .schema.target import KeyspaceTarget

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
    with_live_settings=with_live_settings,
    around=around,
    with_live_names=with_live_names,
    implied=implied,
    clash=clash,
    create=create,
    facts=FACTS,
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
    storage_facts=storage_facts,
    traits=TRAITS,
    schemes=("cassandra",),
    apart=apart,
    query=query,
    cost=cost,
    fixes=fixes,
    verify_evidence=verify,
)
"""The functions of Cassandra that the compiler and the commands call."""
