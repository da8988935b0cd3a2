"""Placed databases from the collections of a Pulumi program."""

from collections.abc import Sequence

from keywright.engines.contract.resource import StackResource
from keywright.engines.environment import EngineEnvironment
from keywright.engines.findings.program.target import ProgramTarget, ProgramTargets

from ..declare.settings import MongoEnvironment
from .resources import COLLECTION, from_resources


def _database(parts: Sequence[StackResource], environment: EngineEnvironment | None) -> ProgramTarget:
    return from_resources(parts), environment or MongoEnvironment(flavour="mongodb")


TARGETS = ProgramTargets(target_inputs={COLLECTION: "database"}, together=_database)
"""Collections of one database are one target."""
