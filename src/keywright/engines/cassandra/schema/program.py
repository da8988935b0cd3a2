"""Placed keyspaces from the keyspaces and tables of a Pulumi program."""

from collections.abc import Sequence

from keywright.engines.contract.resource import StackResource
from keywright.engines.environment import EngineEnvironment
from keywright.engines.findings.program.target import ProgramTarget, ProgramTargets

from ..declare.settings import CassandraEnvironment
from .resources import KEYSPACE, TABLE, from_resources


def _keyspace(parts: Sequence[StackResource], environment: EngineEnvironment | None) -> ProgramTarget | None:
    """None for a keyspace that the program does not create, because its replication is unknown."""
    keyspace = from_resources(parts)
    if not keyspace.placement:
        return None
    return keyspace, environment or CassandraEnvironment(flavour="cassandra")


TARGETS = ProgramTargets(target_inputs={KEYSPACE: "name", TABLE: "keyspace"}, together=_keyspace)
"""A keyspace and its tables are one target."""
