"""The steps between two tables as files for the AWS command line."""

import re

from keywright.engines.interface import Artefact
from keywright.ir.json import pretty

from .alter import migrate
from .place import place
from .settings import DynamoEnvironment
from .target import TableTarget

_ANYWHERE = DynamoEnvironment(flavour="dynamodb-local", protect=False)
"""What is the same in every environment."""


def script(before: TableTarget | None, after: TableTarget | None) -> tuple[Artefact, ...]:
    """See `Engine.script`: a file for each call, named after it; `--table-name` says which table is meant."""
    old, new = (one and place(one, _ANYWHERE) for one in (before, after))
    made: list[Artefact] = []
    for step in migrate(old, new):
        assert isinstance(step.statement, dict)
        operation = re.sub(r"(?<!^)([A-Z])", r"-\1", str(step.statement["operation"])).lower()
        if not (step.object and operation == "update-table" and before is None):  # a new table has it from birth
            made.append(Artefact(f"{operation}.json", pretty(step.statement["input"])))
    return tuple(made)
