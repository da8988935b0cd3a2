"""Steps: native statements as data, each with what it makes true, so that it can be probed, run and resumed."""

from collections.abc import Iterator, Mapping, Sequence
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
    """What the description holds at `object` once it is done, None for nothing; of the target itself, the parts that
    are made."""
    before: tuple[Json, ...] = (None,)
    """What it may hold there beforehand; anything else is somebody's, and is left alone."""
    patience_seconds: float = 0
    """How long the server may refuse it because it comes too soon after a change before it."""
    too_soon: str = ""
    """The server's words for that, by which it is told from other refusals."""


def probe(step: Step, description: Mapping[str, Json] | None) -> State:
    """The state of a step's object in a live description; None where the target does not exist.

    An object that is being made or removed carries a key "building" with a true value, which no settled one has; so
    does the native half of a target that takes no other change meanwhile, and then nothing in it is settled.
    """
    native = description["native"] if description else None
    if _is_building(native) or _is_building(_found(step.object, native)):
        return State.PARTIAL
    found = standing(step, description)
    if found == step.wants:
        return State.PRESENT
    return State.ABSENT if any(found == one for one in step.before) else State.CONFLICT


def standing(step: Step, description: Mapping[str, Json] | None) -> Json:
    """What stands at a step's object; of the target itself, the parts that the step speaks of."""
    found = _found(step.object, description["native"] if description else None)
    if step.object or not isinstance(found, dict):
        return found
    spoken = {key for one in (step.wants, *step.before) if isinstance(one, dict) for key in one}
    return {key: value for key, value in found.items() if key in spoken}


def probe_among(steps: Sequence[Step], at: int, description: Mapping[str, Json] | None) -> State:
    """The state of the step at a place, knowing those after it.

    A step is done if its object is as a later one wants it, or if a later one has removed what the object was in. Where
    an object goes and comes back the same, it looks untouched when all is done: then it is the steps between that tell.
    """
    step, state = steps[at], probe(steps[at], description)
    if state in (State.PRESENT, State.PARTIAL):
        return state
    for place, later in _later(steps, at):
        if probe(later, description) is not State.PRESENT:
            continue
        if later.object != step.object and later.wants is not None:
            continue
        between = (one for one in range(at + 1, place) if steps[one].target == step.target)
        if state is State.CONFLICT or all(_is_done(steps, one, description) for one in between):
            return State.PRESENT
    return state


def _later(steps: Sequence[Step], at: int) -> Iterator[tuple[int, Step]]:
    """The steps after one that are about its object, or about what the object is in."""
    step = steps[at]
    for place in range(at + 1, len(steps)):
        later = steps[place]
        if later.target == step.target and step.object[: len(later.object)] == later.object:
            yield place, later


def _is_done(steps: Sequence[Step], at: int, description: Mapping[str, Json] | None) -> bool:
    """Whether a step is done by what it says itself, or by what a later one says of the same object."""
    step = steps[at]
    if probe(step, description) is State.PRESENT:
        return True
    return any(
        later.object == step.object and probe(later, description) is State.PRESENT for _, later in _later(steps, at)
    )


def _is_building(value: Json) -> bool:
    return isinstance(value, dict) and bool(value.get("building"))


def _found(object: tuple[str, ...], native: Json) -> Json:
    """What stands at a path of the native half."""
    found = native
    for key in object:
        found = found.get(key) if isinstance(found, dict) else None
    return found
