"""The engine of DynamoDB: the only name that the registry imports."""

from keywright.engines.interface import Engine

from .access.cost.call import cost
from .access.evidence import verify
from .access.fixes import fixes
from .access.paths.plan import key_fields, paths, read_together, together
from .access.query import query
from .access.stand_in import unanswered
from .access.storage_facts import TRAITS, storage_facts
from .declare.settings import DynamoEnvironment
from .migrate.alter import migrate
from .migrate.counts import blocking_counts, units
from .migrate.create import STORE, create
from .migrate.diff import FACTS
from .monitoring.alerts import alarms
from .render import render, script
from .schema.check import check
from .schema.codec import describe, parse
from .schema.lower import lower
from .schema.managed import around, keep, managed, with_live_settings
from .schema.place import apart, home, is_untouched, localise, object_of, place, refuse, unplace, work
from .schema.resources import from_resources, to_resources
from .schema.target import TableTarget

ENGINE = Engine[TableTarget, DynamoEnvironment](
    name="dynamodb",
    title="DynamoDB",
    environment=DynamoEnvironment,
    check=check,
    lower=lower,
    place=place,
    unplace=unplace,
    refuse=refuse,
    describe=describe,
    parse=parse,
    managed=managed,
    with_live_settings=with_live_settings,
    blocking_counts=blocking_counts,
    around=around,
    create=create,
    facts=FACTS,
    omits_items=True,
    units=units,
    script=script,
    home=home,
    is_untouched=is_untouched,
    work=work,
    keep=keep,
    generations_apart=True,
    migrate=migrate,
    render=render,
    to_resources=to_resources,
    from_resources=from_resources,
    alarms=alarms,
    store=lambda table: STORE,
    object_of=object_of,
    localise=localise,
    unanswered=unanswered,
    key_fields=key_fields,
    paths=paths,
    together=together,
    read_together=read_together,
    storage_facts=storage_facts,
    traits=TRAITS,
    schemes=("http", "https"),
    service="aws:",
    key_arguments=("pk", "sk"),
    apart=apart,
    query=query,
    cost=cost,
    fixes=fixes,
    verify_evidence=verify,
)
"""The functions and facts by which the compiler handles DynamoDB."""
