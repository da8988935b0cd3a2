"""Steps: native statements as data, each with what it makes true, so that it can be probed, run and resumed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from keywright.ir.json import Json


class State(Enum):
    """What a probe says of a step's object."""

    ABSENT = "absent"
    PARTIAL = "partial"
    PRESENT = "present"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Step:
    """One statement and the object that it makes."""

    store: str
    """The store that it runs in, such as `mongodb/content`."""
    target: str
    """Physical name of the table, database, keyspace or server, by which a driver introspects."""
    object: tuple[str, ...]
    """Path of the object in the native half of the target's description; empty for the target itself."""
    summary: str
    """What it does, in a few words with the physical names: `create index "by_day" of table "shop"`."""
    statement: Json
    """The native statement in the form that the engine's driver runs."""
    wants: Json
    """What the description holds at `object` once it is done; of the target itself, the parts that are made."""


def probe(step: Step, description: Mapping[str, Json] | None) -> State:
    """The state of a step's object in a live description; None where the target does not exist.

    An object in the making carries a key "building" with a true value, which no finished one has.
    """
    if description is None:
        return State.ABSENT
    found: Json = description["native"]
    for key in step.object:
        found = found.get(key) if isinstance(found, dict) else None
    if found is None:
        return State.ABSENT
    if isinstance(found, dict) and found.get("building"):
        return State.PARTIAL
    if not step.object and isinstance(found, dict) and isinstance(step.wants, dict):
        found = {key: found.get(key) for key in step.wants}
    return State.PRESENT if found == step.wants else State.CONFLICT
