"""DynamoDB tables, and the steps between two of them, as files for the AWS command line."""

import re

from keywright.engines.interface import Artefact
from keywright.ir.json import pretty

from .declare.settings import DynamoEnvironment
from .migrate.alter import migrate
from .migrate.create import create, create_table
from .schema.place import place
from .schema.target import TableTarget

_ANYWHERE = DynamoEnvironment(flavour="dynamodb-local", protect=False)
"""Settings without effect on the files."""


def render(declared: TableTarget, placed: TableTarget, environment: DynamoEnvironment) -> tuple[Artefact, ...]:
    """See `Engine.render`: `<table>.json` is the input of create-table, `<table>.after.json` the calls after it."""
    artefacts = [Artefact(f"dynamodb/{declared.name}.json", pretty(create_table(placed)))]
    created_with = {(), ("stream",), *(("indexes", index.name) for index in placed.indexes)}
    after = [statement.native for statement in create(placed) if statement.object not in created_with]
    if after:
        artefacts.append(Artefact(f"dynamodb/{declared.name}.after.json", pretty(list(after))))
    return tuple(artefacts)


def script(before: TableTarget | None, after: TableTarget | None) -> tuple[Artefact, ...]:
    """See `Engine.script`: a file for each call, named after it; the user selects the table with `--table-name`."""
    placed_before, placed_after = (table and place(table, _ANYWHERE) for table in (before, after))
    artefacts: list[Artefact] = []
    for statement in migrate(placed_before, placed_after):
        assert isinstance(statement.native, dict)
        operation = re.sub(r"(?<!^)([A-Z])", r"-\1", str(statement.native["operation"])).lower()
        if not (statement.object and operation == "update-table" and before is None):  # CreateTable includes it
            artefacts.append(Artefact(f"{operation}.json", pretty(statement.native["input"])))
    return tuple(artefacts)
