"""The steps between two keyspaces as a script for cqlsh."""

from dataclasses import replace

from keywright.engines.interface import Artefact

from .alter import migrate
from .place import localise, place
from .target import KeyspaceTarget

_ANYWHERE = localise(None, "")
"""What is the same in every environment."""


def script(before: KeyspaceTarget | None, after: KeyspaceTarget | None) -> tuple[Artefact, ...]:
    """See `Engine.script`: names without a keyspace, which `cqlsh -k` gives and the environment has made."""
    old, new = (one and replace(place(one, _ANYWHERE), name="", placement=None) for one in (before, after))
    text = "".join(f"-- {step.summary}\n{step.statement};\n\n" for step in migrate(old, new))
    return (Artefact("statements.cql", text.rstrip("\n") + "\n"),) if text else ()
