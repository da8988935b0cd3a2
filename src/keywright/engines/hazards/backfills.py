"""BF: stored items that a change leaves behind until a pass brings them along."""

import re
from collections.abc import Iterator
from typing import Any

from keywright.errors import UsageError
from keywright.ir.transform import parse

from .context import Context, Hazard, look_first
from .effect import Effect, found
from .values import listed, stored
from .version import Snapshot


def computed(context: Context) -> Iterator[Hazard]:
    """BF101: an attribute is made from others, and stored items were written without it."""
    for one in context.of("AlterKey"):
        is_made = one.path[1:2] == ("shape",) and one.path[3:4] == ("key",) and "R" not in one.classes
        if not is_made or one.change.after is None or _was_made(context, one):
            continue
        if not context.is_filled(one) and not context.is_rebuilt(one):
            problem = f'{one.name} of {one.entity} is made as "{one.change.after}" from the next write of an item on'
            help = "raise schema_version, so that a backfill writes what is stored once more"
            yield context.hazard(one, problem, help)


def _was_made(context: Context, one: Effect) -> bool:
    """Whether items have the same value already, in the same attribute and of the same items, for another index."""
    made = _filled(context.after, one).get(one.name)
    return made is not None and made in _filled(context.before, one).values()


def _filled(side: Snapshot, one: Effect) -> dict[str, tuple[str, str, Any]]:
    """(attribute, template, condition) of an entity's every key in an index, by the argument that gave it."""
    entity = found(side, one.store, one.path[:3]) or {}
    indexes = found(side, one.store, (one.path[0], "native", "indexes")) or {}
    made: dict[str, tuple[str, str, Any]] = {}
    for argument, template in entity.get("key", {}).items():
        match = _KEY_OF_INDEX.fullmatch(argument)
        keys = indexes.get(match[1], {}).get("keys", ()) if match else ()
        for attribute, _, role in keys:
            if match and role == ("HASH" if match[2] == "pk" else "RANGE"):
                made[argument] = attribute, template, entity.get("where", {}).get(match[1])
    return made


_KEY_OF_INDEX = re.compile(r'gsi "(.+)" (pk|sk)')


def validated(context: Context) -> Iterator[Hazard]:
    """BF102: a validator refuses stored documents, which then cannot be changed any more."""
    for one in context.of("AlterValidator"):
        filled = any(stage.op == "backfill" and stage.store == one.store for stage in context.stages)
        if "B" in one.classes and one.name == "validator" and not filled and not context.is_checked(one):
            problem = f'the validator of "{one.table}" gets tighter: a stored document that breaks it cannot be changed'
            yield context.hazard(one, problem, look_first(one))


def copied(context: Context) -> Iterator[Hazard]:
    """BF103: copies of an item, or of another entity, are not there until it is written again."""
    for one in context.of("AlterEntity"):
        if one.path[3:] == ("copies",) and not context.is_filled(one):
            was, now = one.change.before or 1, one.change.after or 1
            problem = f"items of {one.entity} have {was} copies and are to have {now}: stored ones keep theirs"
            yield context.hazard(one, problem, "write every item once more, and delete copies beyond the new number")
        elif one.path[3:] == ("structure",) and _source(one.change.before) != _source(one.change.after):
            problem = f"{one.entity} copies {_source(one.change.after)}, and held {_source(one.change.before)} before"
            yield context.hazard(one, problem, "empty it, or fill it anew, when the new writers run")


def _source(structure: Any) -> str:
    return str(structure.get("source") or "nothing") if isinstance(structure, dict) else "nothing"


def impure(context: Context) -> Iterator[Hazard]:
    """BF104: a transform writes what the entity does not have, or cannot be read at all."""
    for stage in context.stages:
        if stage.op != "backfill" or "module" in stage.more:
            continue
        try:
            transform = parse(stage.more.get("transform"))
        except UsageError as error:
            yield context.hazard_of(stage, error.problem, error.help or "correct it")
            continue
        fields = found(context.after, stage.store, (*stage.object.split("/"), "fields")) or {}
        known = {stored(name, field) for name, field in fields.items()} | _made(context, stage.store, stage.object)
        removed = {*transform.unset, *(old for _, old in transform.rename)}
        others = {path for path in transform.writes if path not in removed and not _is_known(path, known)}
        if others:
            problem = f"step {stage.n} writes {listed(others)}, which {stage.object.rpartition('/')[2]} does not have"
            help = "declare the field, or take it out of the transform"
            yield context.hazard_of(stage, problem, help)


def untold(context: Context) -> Iterator[Hazard]:
    """BF105: a transform in Python does not say what it changes in the schema, if anything."""
    for stage in context.stages:
        is_told = stage.lands or stage.more.get("effects") == NO_EFFECTS
        if stage.op == "backfill" and "module" in stage.more and not is_told:
            problem = f"step {stage.n} runs Python and does not say what it changes"
            yield context.hazard_of(stage, problem, f"say lands: [...] or effects: {NO_EFFECTS}")


NO_EFFECTS = "none"
"""What a stage says under `effects:` that changes data and no schema."""


def _made(context: Context, store: str, object: str) -> set[str]:
    """Attributes that templates fill: computed ones, and those of keys."""
    path = object.split("/")
    keys = found(context.after, store, (*path, "key")) or {}
    native = found(context.after, store, (path[0], "native")) or {}
    indexed = (one for index in native.get("indexes", {}).values() for one in index.get("keys", ()))
    attributes = {part[0] for part in (*native.get("keys", ()), *indexed)}
    return attributes | {word[10:-2] for word in keys if word.startswith('computed["')} | {"_kw_v", "kw_v"}


def _is_known(path: str, known: set[str]) -> bool:
    return path in known or any(path.startswith(f"{one}.") for one in known)
