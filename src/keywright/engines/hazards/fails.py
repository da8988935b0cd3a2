"""MF: steps that may fail on the data that is there, or leave items that nobody can read."""

from collections.abc import Iterator

from keywright.engines.classes import is_added_field_needed, is_tightened

from .context import Context, Hazard
from .effect import found, generation
from .values import fields_of, is_field, is_within


def required(context: Context) -> Iterator[Hazard]:
    """MF103: a field that every item must have, and that stored ones lack."""
    added = [one for one in context.of("AddField") if is_field(one)]
    for one in added:
        siblings = {other.name for other in added if other.path[:-1] == one.path[:-1]}
        is_known = not is_within(one, siblings) and not _in_new_parent(context, one.path, siblings)
        if is_known and is_added_field_needed(None, one.change.after) and not context.is_given(one):
            problem = f'field "{one.name}" of {one.entity} is required, and items that are stored lack it'
            help = "give it a default, or raise schema_version and say in upgrades= how stored items get it"
            yield context.hazard(one, problem, help)


def _in_new_parent(context: Context, path: tuple[str, ...], siblings: set[str]) -> bool:
    return any(path[-1].startswith(f"{other}.") for other in siblings if other != path[-1])


def tightened(context: Context) -> Iterator[Hazard]:
    """MF104: a field is required from now on, or a validator refuses what a later stage only puts right."""
    for one in context.of("AlterField"):
        if not is_field(one):
            continue
        old, new = fields_of(context, one)
        was, now = old.get(one.name, one.change.before), new.get(one.name, one.change.after)
        if isinstance(was, dict) and isinstance(now, dict) and is_tightened(was, now) and not context.is_given(one):
            problem = f'field "{one.name}" of {one.entity} was optional and is required: stored items may lack it'
            help = "leave it optional, or raise schema_version and say in upgrades= how stored items get it"
            yield context.hazard(one, problem, help)
    yield from _too_early(context)


def _too_early(context: Context) -> Iterator[Hazard]:
    """Stages that make a validator tighter before the backfill of the same target has run."""
    for landing in context.landings:
        change = landing.change
        is_wide = isinstance(change.after, dict) and "$or" in change.after
        if change.kind != "AlterValidator" or change.after is None or is_wide:
            continue
        stage = next((one for one in context.stages if landing.id in one.lands), None)
        later = [
            one for one in context.stages
            if stage and one.op == "backfill" and one.n > stage.n and one.store == change.store
        ]  # fmt: skip
        if stage and later and _entity_in(context, change.store, later[0].object, change.path):
            problem = f"step {stage.n} makes the validator tighter, and step {later[0].n} only then fills the documents"
            help = f"move step {stage.n} behind step {later[0].n}"
            object = "/".join(part for part in change.path if part not in ("native", "collections"))
            yield Hazard(change.store, object, problem, help, str(stage.n))


def _entity_in(context: Context, store: str, object: str, path: tuple[str, ...]) -> bool:
    """Whether an entity, named as a stage names it, is stored in the collection of a path."""
    home = found(context.after, store, (*object.split("/"), "key", "collection"))
    return len(path) > 3 and home == generation(path[3])[0]
