"""Physical things that entities share: each table, database, keyspace and server, once."""

from dataclasses import dataclass

from keywright.errors import Place


@dataclass(frozen=True, slots=True)
class Physical:
    """Something with a name of its own in a store."""

    engine: str
    """Name of its engine."""
    name: str
    """Declared name, without what an environment adds."""
    variable: str
    """The variable that holds it, by which messages call it; its name if there is none."""
    spec: object
    """The user's declaration: a type of the engine's options.py."""
    at: Place
    """Where it was declared."""
