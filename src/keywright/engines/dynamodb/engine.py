"""DynamoDB as an engine: the only name that the registry takes."""

from keywright.engines.interface import Engine
from keywright.engines.plan import probe

from .check import check
from .codec import describe, parse
from .lower import lower
from .migrate import STORE, create
from .options import DynamoTable
from .place import localise, place, refuse, unplace
from .render import render
from .settings import DynamoEnvironment
from .target import TableTarget


def _managed(live: TableTarget, wanted: TableTarget) -> TableTarget:
    return live  # a table belongs to its models whole


ENGINE = Engine[TableTarget, DynamoEnvironment](
    name="dynamodb",
    title="DynamoDB",
    physicals=(DynamoTable,),
    environment=DynamoEnvironment,
    check=check,
    lower=lower,
    place=place,
    unplace=unplace,
    refuse=refuse,
    describe=describe,
    parse=parse,
    managed=_managed,
    create=create,
    probe=probe,
    render=render,
    store=lambda table: STORE,
    object_of=lambda table, binding: table.name,
    localise=localise,
)
"""Everything that the compiler knows of DynamoDB."""
