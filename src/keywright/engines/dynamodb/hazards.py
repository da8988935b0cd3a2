"""What goes wrong with changes of DynamoDB tables only."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.hazards.context import Context, Hazard
from keywright.engines.hazards.effect import Effect, found, generation
from keywright.engines.hazards.values import is_field, listed, stored, type_of

_GIB = 1024**3
LARGE_BYTES = 20 * _GIB
"""From this size on, the build of an index is worth a plan."""
LONG_NAME = 32
"""Bytes of an attribute's name from which on the name costs more than most values."""


def at_once(context: Context) -> Iterator[Hazard]:
    """LK101: one step changes more than one index of a table, and the service takes one at a time."""
    kinds = ("AddIndex", "DropIndex", "AlterIndex")
    paths = {one.path: one for one in context.of(*kinds, engine="dynamodb") if one.path[2] == "indexes"}
    for stage in context.stages:
        tables: dict[str, list[str]] = {}
        for landing in context.landings:
            one = paths.get(landing.change.path) if landing.change.store == "dynamodb" else None
            if one and landing.id in stage.lands:
                tables.setdefault(one.path[0], []).append(one.name)
        for table, names in tables.items():
            if len(names) > 1:
                problem = f'step {stage.n} changes {len(names)} indexes of "{table}", {listed(names)}: 1 is allowed'
                yield Hazard("dynamodb", table, problem, "make a step of each", str(stage.n))


def large(context: Context) -> Iterator[Hazard]:
    """LK103: the build of an index on a large table takes hours, and nobody has said how many it may."""
    for one in context.of("AddIndex", "AlterIndex", engine="dynamodb"):
        size, stage = context.sizes.get((one.store, one.path[0]), 0), context.stage_of(one)
        if size > LARGE_BYTES and not (stage and stage.more.get("budget")):
            problem = f'index "{one.name}" is built over {size // _GIB} GiB, and its step has no budget'
            yield context.hazard(one, problem, "say in its step how long it may take, such as budget: 6h")


def key_values(context: Context) -> Iterator[Hazard]:
    """MF105: items are left out of an index, and cannot be written any more, if a key value is not as it wants."""
    for one in context.of("AddIndex", "AlterIndex", engine="dynamodb"):
        if context.is_checked(one) or "R" in one.classes:
            continue
        value: Any = one.change.after
        is_looked_at = _is_looked_at(context, one)
        for attribute, kind, _ in value["keys"]:
            others = _types(context, one, attribute) - {kind}
            if others:
                problem = f'index "{one.name}" wants {kind} in "{attribute}", where items have {listed(others)} too'
                help = "fill them with the new type, in a version before; purge what is left of the old one"
                yield context.hazard(one, problem, help, is_mild=is_looked_at)
            elif kind == "S" and attribute in _fields(context, one) and not is_looked_at:
                problem = f'index "{one.name}" leaves out items whose "{attribute}" is empty or too long, and refuses '
                step = f"{{by: runner, op: check_index_values, store: {one.store}, object: {one.change.object}}}"
                help = f"put a step {step} in front of it"
                yield context.hazard(one, f"{problem}every later write of them", help, is_mild=True)


def _is_looked_at(context: Context, one: Effect) -> bool:
    """Whether a step before its build reads every item, and stops at one that the index would leave out."""
    landing = context.stage_of(one)
    return landing is not None and any(
        (stage.op, stage.store, stage.object) == ("check_index_values", one.store, one.change.object)
        and stage.n < landing.n
        for stage in context.stages
    )


def _types(context: Context, one: Effect, attribute: str) -> set[str]:
    """Every native type that stored items may have in an attribute, those of dropped fields included."""
    shape = found(context.before, one.store, (one.path[0], "shape")) or {}
    made = {
        type_of(field)
        for entity in shape.values()
        for name, field in entity["fields"].items()
        if stored(name, field) == attribute
    }
    for grave in context.before.graveyard:
        path = str(grave.get("object", "")).split("/")
        if path[:2] == [one.store, one.path[0]] and path[-1] == attribute and not grave.get("purged"):
            made.add(str(grave.get("type")))
    return made


def _fields(context: Context, one: Effect) -> set[str]:
    """Stored names of the fields that items have already."""
    shape = found(context.before, one.store, (one.path[0], "shape")) or {}
    return {stored(name, field) for entity in shape.values() for name, field in entity["fields"].items()}


def projections(context: Context) -> Iterator[Hazard]:
    """BC104: an index holds less than it did, under the same name."""
    for one in context.of("AlterIndex", engine="dynamodb"):
        was, now = _projection(one.change.before), _projection(one.change.after)
        if now is not None and (was is None or not was <= now):
            shown = f"{_shown(one.change.before)} and becomes {_shown(one.change.after)}"
            problem = f'the projection of index "{one.name}" is {shown}: readers of the rest find nothing'
            yield context.hazard(one, problem, "make an index of another name, move its readers, then drop this one")


def _projection(index: Any) -> set[str] | None:
    """Names beside the keys that an index holds; None for all."""
    projection = index["projection"]
    return None if projection == "ALL" else set(projection) if isinstance(projection, list) else set()


def _shown(index: Any) -> str:
    projection = index["projection"]
    return listed(projection) if isinstance(projection, list) else str(projection)


def captures(context: Context) -> Iterator[Hazard]:
    """RB104: a table is rebuilt while it is used; writers do not write both, and its stream does not tell of them."""
    for one in context.effects:
        name, number = generation(one.name)
        if one.kind != "AddTable" or one.engine != "dynamodb" or number == 1 or context.is_written_twice(one.name):
            continue
        former = f"{name}-k{number - 1}" if number > 2 else name
        old = found(context.before, one.store, (former, "native"))
        if old is not None and old.get("stream") != "NEW_AND_OLD_IMAGES":
            problem = f'"{one.name}" is filled from "{former}", whose stream is {old.get("stream") or "off"}'
            help = (
                'say stream=kw.Stream(images="new_and_old", ...) in a version before: writes during the copy are lost'
            )
            yield context.hazard(one, problem, help)


def heavy(context: Context) -> Iterator[Hazard]:
    """CO101: names that are stored with every item, and indexes that hold everything once more."""
    for one in context.of("AddField", engine="dynamodb"):
        name = stored(one.name, one.change.after).rpartition(".")[2] if is_field(one) else ""
        if len(name.encode()) > LONG_NAME:
            problem = f'the name "{name}" takes {len(name.encode())} bytes of every item, more than {LONG_NAME}'
            yield context.hazard(one, problem, "give the field a short alias")
    for one in context.of("AddIndex", engine="dynamodb"):
        value: Any = one.change.after
        if value["projection"] == "ALL":
            problem = f'index "{one.name}" holds every attribute: each write of an item is paid for once more in full'
            yield context.hazard(one, problem, 'say project="keys", or name the attributes that its readers need')
