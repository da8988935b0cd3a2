"""Keyspaces as files for cqlsh."""

from keywright.engines.interface import Artefact

from .migrate import create
from .settings import CassandraEnvironment
from .target import KeyspaceTarget

_SERVICE = "-- The service itself sees to compaction, compression, caching, tombstones and durable writes.\n"


def render(declared: KeyspaceTarget, placed: KeyspaceTarget, environment: CassandraEnvironment) -> tuple[Artefact, ...]:
    """See `Engine.render`: `<keyspace>.cql` holds the statements of `create`, one after the other."""
    path = f"cassandra/{declared.name}.cql"
    header = (
        f'-- Keyspace "{placed.name}", written by `keywright compile`. Run it with: cqlsh -f {path}\n'
        "-- Rerunnable: what is there is left as it is, so only `keywright inspect` tells whether it is the same.\n"
    )
    if environment.flavour == "keyspaces":
        header += _SERVICE
    statements = "".join(f"\n{step.statement};\n" for step in create(placed))
    return (Artefact(path, header + statements),)
