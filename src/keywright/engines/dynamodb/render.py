"""DynamoDB tables as files for the AWS command line."""

from keywright.engines.interface import Artefact
from keywright.ir.json import pretty

from .migrate import create, create_table
from .settings import DynamoEnvironment
from .target import TableTarget


def render(declared: TableTarget, placed: TableTarget, environment: DynamoEnvironment) -> tuple[Artefact, ...]:
    """See `Engine.render`: `<table>.json` is the input of create-table, `<table>.after.json` the calls after it."""
    artefacts = [Artefact(f"dynamodb/{declared.name}.json", pretty(create_table(placed)))]
    created_with = {(), ("stream",), *(("indexes", index.name) for index in placed.indexes)}
    after = [step.statement for step in create(placed) if step.object not in created_with]
    if after:
        artefacts.append(Artefact(f"dynamodb/{declared.name}.after.json", pretty(list(after))))
    return tuple(artefacts)
