"""Statements as data, each with the resulting state of its object, so that they can be probed, run and resumed."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from keywright.ir.json import Json
from keywright.record import Record


class ObjectState(Enum):
    """The result of a probe of a statement's object."""

    ABSENT = "absent"
    PARTIAL = "partial"
    PRESENT = "present"
    CONFLICT = "conflict"


class Statement(Record):
    """One statement and the object that it changes."""

    store: str
    """The store that it runs in, such as `mongodb/content`."""
    target: str
    """Physical name of the table, database, keyspace or server, for introspection."""
    object: tuple[str, ...]
    """Path of the object in the native half of the target's description; empty for the target itself."""
    summary: str
    """Its effect in a few words with physical names: `create index "by_day" of table "shop"`."""
    native: Json
    """The native statement in the form that the engine's driver runs."""
    wants: Json
    """The resulting value at `object` in the description, None for a removed object; for the target itself, the created
    parts."""
    before: tuple[Json, ...] = (None,)
    """The allowed prior values; a statement never runs on an object with another value."""
    patience_seconds: float = 0
    """Seconds for which the server may reject it as too soon after a previous change."""
    is_partial: bool = False
    """Whether a probe compares only the parts in `wants` and `before`, because others may exist beside them."""
    inherits: tuple[str, tuple[str, ...]] | None = None
    """An option that the statement does not set, and the path of the object that it is inherited from: an equal value
    is inherited and not compared."""


def probe(statement: Statement, description: Mapping[str, Json] | None) -> ObjectState:
    """The state of a statement's object in a live description, which is None for a missing target.

    An object that is being created or removed has a key "building" with a true value. So has the native half of a
    target that accepts no other change meanwhile; then every object in it is PARTIAL.
    """
    native = description["native"] if description else None
    if _is_building(native) or _is_building(_value_at(statement.object, native)):
        return ObjectState.PARTIAL
    current = current_value(statement, description)
    if current == statement.wants:
        return ObjectState.PRESENT
    return ObjectState.ABSENT if any(current == value for value in statement.before) else ObjectState.CONFLICT


def current_value(statement: Statement, description: Mapping[str, Json] | None) -> Json:
    """The live value of a statement's object; for the target itself and for partial statements, the compared parts."""
    native = description["native"] if description else None
    current = _value_at(statement.object, native)
    if not isinstance(current, dict):
        return current
    compared = {key for value in (statement.wants, *statement.before) if isinstance(value, dict) for key in value}
    if statement.object and not statement.is_partial:
        compared |= current.keys() - _inherited(statement, current, native)
    return {key: value for key, value in current.items() if key in compared}


def _inherited(statement: Statement, current: Mapping[str, Json], native: Json) -> set[str]:
    """The options that an object inherits from another object."""
    if statement.inherits is None:
        return set()
    option, path = statement.inherits
    origin = _value_at(path, native)
    is_same = isinstance(origin, dict) and current.get(option) == origin.get(option)
    return {option} if is_same else set()


def probe_among(statements: Sequence[Statement], at: int, description: Mapping[str, Json] | None) -> ObjectState:
    """The state of the statement at a position, with regard to later statements.

    A statement is done if its object is in the state that a later statement produces, or if a later statement has
    removed a container of the object. An object that is dropped and created again looks unchanged after both; then the
    statements between them decide.
    """
    statement, state = statements[at], probe(statements[at], description)
    if state in (ObjectState.PRESENT, ObjectState.PARTIAL):
        return state
    for later_at, later in _later(statements, at):
        if probe(later, description) is not ObjectState.PRESENT:
            continue
        if later.object != statement.object and later.wants is not None:
            continue
        between = (index for index in range(at + 1, later_at) if statements[index].target == statement.target)
        if state is ObjectState.CONFLICT or all(_is_done(statements, index, description) for index in between):
            return ObjectState.PRESENT
    return state


def _later(statements: Sequence[Statement], at: int) -> Iterator[tuple[int, Statement]]:
    """(position, statement) of the later statements on the same object or on a container of it."""
    statement = statements[at]
    for later_at in range(at + 1, len(statements)):
        later = statements[later_at]
        if later.target == statement.target and statement.object[: len(later.object)] == later.object:
            yield later_at, later


def _is_done(statements: Sequence[Statement], at: int, description: Mapping[str, Json] | None) -> bool:
    """Whether a probe of the statement, or of a later statement on the same object, returns PRESENT."""
    statement = statements[at]
    if probe(statement, description) is ObjectState.PRESENT:
        return True
    return any(
        later.object == statement.object and probe(later, description) is ObjectState.PRESENT
        for _, later in _later(statements, at)
    )


def _is_building(value: Json) -> bool:
    return isinstance(value, dict) and bool(value.get("building"))


def _value_at(object: tuple[str, ...], native: Json) -> Json:
    """The value at a path of the native half; None if there is none."""
    value = native
    for key in object:
        value = value.get(key) if isinstance(value, dict) else None
    return value
