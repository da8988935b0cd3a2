"""MongoDB as an engine: the registry imports only `ENGINE`."""

from keywright.engines.interface import Engine

from .access.cost import cost
from .access.evidence import verify
from .access.fixes import fixes
from .access.paths.plan import key_fields, paths, together
from .access.query import query
from .access.storage_facts import TRAITS, storage_facts
from .declare.settings import MongoEnvironment
from .findings.references import copied, references
from .migrate.alter import clash, migrate
from .migrate.counts import blocking_counts, rejects_stored
from .migrate.create import create, store
from .migrate.diff import FACTS
from .monitoring.alerts import alarms, watch
from .render import render, script
from .schema.check import check
from .schema.codec import describe, parse
from .schema.lower import lower
from .schema.lower_index import listed
from .schema.managed import around, deliberate, keep, managed, with_live_names
from .schema.parameter_groups import parameter_groups
from .schema.place import apart, home, is_untouched, localise, object_of, place, refuse, unplace, work
from .schema.resources import from_resources, to_resources
from .schema.target import DatabaseTarget

ENGINE = Engine[DatabaseTarget, MongoEnvironment](
    name="mongodb",
    title="MongoDB",
    environment=MongoEnvironment,
    check=check,
    listed=listed,
    lower=lower,
    place=place,
    unplace=unplace,
    refuse=refuse,
    describe=describe,
    parse=parse,
    managed=managed,
    rejects_stored=rejects_stored,
    blocking_counts=blocking_counts,
    around=around,
    with_live_names=with_live_names,
    deliberate=deliberate,
    create=create,
    facts=FACTS,
    clash=clash,
    script=script,
    home=home,
    is_untouched=is_untouched,
    work=work,
    keep=keep,
    generations_apart=False,
    migrate=migrate,
    render=render,
    to_resources=to_resources,
    parameter_groups=parameter_groups,
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
    schemes=("mongodb", "mongodb+srv"),
    key_arguments=("id",),
    apart=apart,
    query=query,
    references=references,
    copied=copied,
    cost=cost,
    fixes=fixes,
    verify_evidence=verify,
)
"""MongoDB's functions and types for the compiler."""
