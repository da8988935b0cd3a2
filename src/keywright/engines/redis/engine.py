"""Redis as an engine: the only name that the registry imports."""

from typing import Any

from keywright.engines.interface import Engine
from keywright.ir.design import Design

from .access.cost import cost
from .access.evidence import verify
from .access.paths.plan import fixes, key_fields, paths, together
from .access.query import query
from .access.storage_facts import TRAITS, storage_facts
from .declare.settings import RedisEnvironment
from .migrate.alter import migrate
from .migrate.counts import blocking_counts
from .migrate.create import create, is_untouched, store
from .migrate.diff import FACTS
from .monitoring.alerts import alarms, watch
from .render import render, script
from .schema.check import check
from .schema.codec import describe, parse
from .schema.lower import implied
from .schema.managed import around, deliberate, keep, managed
from .schema.parameter_groups import parameter_groups
from .schema.place import apart, home, local_product, localise, object_of, place, refuse, unplace, work
from .schema.resources import from_resources, to_resources
from .schema.target import ServerTarget
from .users import lower


def _lower(design: Design[Any, Any]) -> tuple[ServerTarget, ...]:
    return lower(ENGINE, design)


ENGINE = Engine[ServerTarget, RedisEnvironment](
    name="redis",
    title="Redis",
    environment=RedisEnvironment,
    check=check,
    lower=_lower,
    place=place,
    unplace=unplace,
    refuse=refuse,
    describe=describe,
    parse=parse,
    managed=managed,
    blocking_counts=blocking_counts,
    around=around,
    deliberate=deliberate,
    implied=implied,
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
    parameter_groups=parameter_groups,
    from_resources=from_resources,
    watch=watch,
    alarms=alarms,
    store=store,
    object_of=object_of,
    localise=localise,
    local_product=local_product,
    needs_first_part=lambda server: bool(server.indexes),
    key_fields=key_fields,
    paths=paths,
    together=together,
    storage_facts=storage_facts,
    traits=TRAITS,
    schemes=("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel"),
    has_parts_by_path=True,
    has_own_history=False,
    apart=apart,
    query=query,
    cost=cost,
    fixes=fixes,
    verify_evidence=verify,
)
"""All functions of Redis that the compiler uses."""
