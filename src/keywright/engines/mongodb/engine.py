"""MongoDB as an engine: the only name that the registry takes."""

from keywright.engines.interface import Engine

from .access.costs import cost
from .access.fixes import fixes
from .access.holding import TRAITS, holding
from .access.judge import judge
from .access.paths import key_fields, paths, together
from .access.query import query
from .alerts import alarms, watch
from .alter import clash, migrate
from .check import check
from .codec import describe, parse
from .diff import CLASSES, PARTS
from .generations import keep
from .lower import lower
from .lower_index import listed
from .migrate import create, store
from .parameters import parameter_groups
from .place import home, is_untouched, localise, managed, object_of, place, refuse, unplace
from .references import copied, references
from .render import render
from .resources import from_resources, to_resources
from .script import script
from .settings import MongoEnvironment
from .target import DatabaseTarget
from .work import work

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
    create=create,
    parts=PARTS,
    classes=CLASSES,
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
    holding=holding,
    traits=TRAITS,
    query=query,
    references=references,
    copied=copied,
    cost=cost,
    fixes=fixes,
    judge=judge,
)
"""Everything that the compiler knows of MongoDB."""
