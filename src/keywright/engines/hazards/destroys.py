"""DS: data that is gone afterwards, or that goes sooner."""

from collections.abc import Iterator
from typing import Any

from .context import Context, Hazard
from .effect import Effect, found, generation
from .values import is_field, is_within, type_of

_WHOLE = {"mongodb": "database", "cassandra": "keyspace", "redis": "server", "dynamodb": "table"}


def stores(context: Context) -> Iterator[Hazard]:
    """DS101: a database, keyspace or server is no longer declared."""
    for one in context.effects:
        if one.kind == "DropTable" and len(one.path) == 1 and one.engine != "dynamodb":
            problem = f'{_WHOLE[one.engine]} "{one.name}" is removed with all that is in it'
            help = "remove it in a version of its own, once nobody has read it for 14 days, and say so under ignore:"
            yield context.hazard(one, problem, help)


def tables(context: Context) -> Iterator[Hazard]:
    """DS102: a table or collection is removed, or an entity of which items are left."""
    help = "remove it in a version of its own, once nobody has read it for 14 days, and say so under ignore:"
    for one in context.effects:
        is_table = one.kind == "DropTable" and (len(one.path) > 1 or one.engine == "dynamodb")
        if is_table and not context.is_gone(one) and not _is_copied(context, one):
            noun = "collection" if one.engine == "mongodb" else "table"
            problem = f'{noun} "{one.name}" is removed with all that is in it'
            yield context.hazard(one, problem, help, is_mild=_is_former(context, one))
        elif one.kind == "DropEntity" and not context.is_gone(one) and not _goes_with_table(context, one):
            problem = f'"{one.entity}" is no longer stored in "{one.path[0]}", where its items stay behind'
            delete = "delete its items first, stop its writers, and say so under ignore:"
            yield context.hazard(one, problem, delete)


def _is_former(context: Context, one: Effect) -> bool:
    """Whether a later generation took its place in a version before, so that its model says that it may go."""
    name, number = generation(one.name)
    beside = found(context.before, one.store, one.path[:-1]) or {}
    return any(generation(key)[0] == name and generation(key)[1] > number for key in beside)


def _is_copied(context: Context, one: Effect) -> bool:
    """Whether a later generation takes its place, and a stage fills that."""
    name, number = generation(one.name)
    later = [
        other for other in context.effects
        if other.kind == "AddTable" and (other.store, other.path[:-1]) == (one.store, one.path[:-1])
        and generation(other.name)[0] == name and generation(other.name)[1] > number
    ]  # fmt: skip
    objects = {text for other in later for text in (other.name, other.object, other.change.object)}
    return any(stage.op == "copy" and stage.store == one.store and stage.object in objects for stage in context.stages)


def _goes_with_table(context: Context, one: Effect) -> bool:
    """Whether the table that an entity was stored in goes too."""
    value: Any = one.change.before
    home = value["key"].get("collection") or value["key"].get("table")
    dropped = {other.name for other in context.effects if other.kind == "DropTable" and other.store == one.store}
    return bool(home) and any(generation(name)[0] == home for name in dropped)


def fields(context: Context) -> Iterator[Hazard]:
    """DS103: a stored field is no longer declared."""
    gone = [one for one in context.of("DropField") if is_field(one) and not context.is_gone(one)]
    for one in gone:
        siblings = {other.name for other in gone if other.path[:-1] == one.path[:-1]}
        if is_within(one, siblings):
            continue
        at_once = one.engine == "cassandra"
        tail = "its column and all values go at once" if at_once else "what is stored stays, and nobody reads it"
        problem = f'field "{one.name}" of {one.entity} is removed: {tail}'
        help = "stop its writers and readers first, then say under ignore: since when nobody needs it"
        yield context.hazard(one, problem, help)


def expiries(context: Context) -> Iterator[Hazard]:
    """DS104: items expire that did not, or sooner than they did."""
    for one in context.of("AlterTtl", "AlterIndex", "AddIndex", "AlterEntity"):
        if "S" in one.classes or not _expires_sooner(one):
            continue
        problem = f'expiry of "{one.object}" is {_shown(one.change.before)} and becomes {_shown(one.change.after)}: '
        help = "count first what expires at once, and say under ignore: that it may go"
        yield context.hazard(one, problem + "what is older is deleted at once", help)


def _expires_sooner(one: Effect) -> bool:
    was, now = _seconds(one.change.before), _seconds(one.change.after)
    match one.kind:
        case "AddIndex":
            return now is not None
        case "AlterIndex":
            return now is not None and (was is None or was > now)
        case "AlterEntity":
            return "D" in one.classes and (was != now or _kept(one.change.after) < _kept(one.change.before))
        case _:
            return "D" in one.classes


def _seconds(value: Any) -> float | None:
    if isinstance(value, dict):
        found = value.get("expireAfterSeconds", value.get("ttl_seconds"))
        return None if found is None else float(found)
    return None


def _kept(value: Any) -> float:
    found = value.get("kept") if isinstance(value, dict) else None
    return float("inf") if found is None else float(found)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        seconds = _seconds(value)
        return "never" if seconds is None else f"after {seconds:g} s"
    if isinstance(value, str):
        return f'at "{value}"'
    return "never" if value is None else f"after {value} s"


def graves(context: Context) -> Iterator[Hazard]:
    """DS106: a name comes back that stored items may still have, as something else or as the same."""
    for one in context.effects:
        if one.kind not in ("AddField", "AddTable") or context.is_born(one) or one.path[1:2] == ("native",):
            continue
        kind = type_of(one.change.after) if one.kind == "AddField" else "table"
        for grave in context.before.graveyard:
            if grave.get("object") != f"{one.store}/{one.change.object}" or grave.get("purged"):
                continue
            was = str(grave.get("type", ""))
            when = f'"{one.name}" was dropped in {grave.get("dropped_in")}'
            if was != kind:
                problem = f"{when} as {was} and comes back as {kind}: items that have the old value cannot be read"
                yield context.hazard(one, problem, "choose another name, or purge the old values first")
            else:
                problem = f"{when} and comes back: items that were not purged still have the old value"
                help = "choose another name, or purge the old values first"
                yield context.hazard(one, problem, help, is_mild=True)
