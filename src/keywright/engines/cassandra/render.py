"""Keyspaces, and the steps between two of them, as files for cqlsh."""

from keywright.engines.interface import Artefact
from keywright.record import replace

from .declare.settings import CassandraEnvironment
from .migrate.alter import migrate
from .migrate.create import create
from .schema.cql import comment
from .schema.place import localise, place
from .schema.target import KeyspaceTarget

_SERVICE = "-- The service itself manages compaction, compression, caching, tombstones and durable writes.\n"

_ANYWHERE = localise(None, "")
"""An environment for output that is the same in every environment."""


def render(declared: KeyspaceTarget, placed: KeyspaceTarget, environment: CassandraEnvironment) -> tuple[Artefact, ...]:
    """See `Engine.render`: `<keyspace>.cql` contains the statements of `create`, in order."""
    path = f"cassandra/{declared.name}.cql"
    header = (
        comment(f'Keyspace "{placed.name}", written by `keywright compile`. Run it with: cqlsh -f {path}')
        + "-- Rerunnable: existing objects stay as they are; `keywright inspect` shows their definitions.\n"
    )
    if environment.flavour == "keyspaces":
        header += _SERVICE
    statements = "".join(f"\n{statement.native};\n" for statement in create(placed))
    return (Artefact(path, header + statements),)


def script(before: KeyspaceTarget | None, after: KeyspaceTarget | None) -> tuple[Artefact, ...]:
    """See `Engine.script`: names without a keyspace, which `cqlsh -k` selects and the environment has created."""
    old, new = (
        keyspace and replace(place(keyspace, _ANYWHERE), name="", placement=None) for keyspace in (before, after)
    )
    text = "".join(f"{comment(statement.summary)}{statement.native};\n\n" for statement in migrate(old, new))
    return (Artefact("statements.cql", text.rstrip("\n") + "\n"),) if text else ()
