"""The toy as an engine: every function that the compiler and the commands call."""

from keywright.engines.interface import Engine

from . import access, schema, steps
from .declare import ToyEnvironment
from .facts import FACTS
from .target import BoxTarget, describe, parse

ENGINE = Engine[BoxTarget, ToyEnvironment](
    name="toy",
    title="Toy",
    environment=ToyEnvironment,
    facts=FACTS,
    schemes=("toy",),
    traits=access.TRAITS,
    # from declarations to boxes
    check=schema.check,
    lower=schema.lower,
    place=schema.place,
    unplace=schema.unplace,
    localise=schema.localise,
    apart=schema.apart,
    refuse=schema.refuse,
    describe=describe,
    parse=parse,
    render=schema.render,
    to_resources=schema.to_resources,
    from_resources=schema.from_resources,
    # migrations
    create=steps.create,
    migrate=steps.migrate,
    script=steps.script,
    managed=schema.managed,
    around=schema.managed,
    home=schema.home,
    is_untouched=schema.is_untouched,
    work=schema.work,
    keep=schema.keep,
    generations_apart=True,
    store=lambda box: schema.STORE,
    object_of=schema.object_of,
    # access patterns
    key_fields=access.key_fields,
    paths=access.paths,
    together=access.together,
    storage_facts=access.storage_facts,
    query=access.query,
    cost=access.cost,
    fixes=access.fixes,
    verify_evidence=access.verify_evidence,
)
"""The toy."""
