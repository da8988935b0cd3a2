"""BC: code that runs now reads or writes what is no longer so."""

import re
from collections.abc import Iterator

from keywright.errors import quoted

from .context import Context, Hazard
from .effect import Effect
from .values import fields_of, is_field, stored, type_of

_HOMES = ("collection", "table")


def copies(context: Context) -> Iterator[Hazard]:
    """BC101: a physical name changes, which no server does in place."""
    moved = {(one.store, one.change.before) for one in context.effects if one.kind == "RenameTable"}
    for one in context.effects:
        was, now = one.change.before, one.change.after
        if one.kind == "RenameTable" and "R" in one.classes:
            problem = f'"{was}" is to be called "{now}", and {one.why}'
            help = f'keep the name "{was}", or make a new one and copy: a table, and a version that drops the old one'
            yield context.hazard(one, problem, help)
        elif one.kind == "AlterKey" and one.name in _HOMES and (one.store, was) not in moved:
            problem = f'{one.entity} is stored in "{was}" and is to be in "{now}": what is stored does not follow'
            help = f'keep the name "{was}", or store it in both for a while and copy'
            yield context.hazard(one, problem, help)


def renamed_fields(context: Context) -> Iterator[Hazard]:
    """BC102: stored items have a field under its former name, and nothing lets both be read for a while."""
    for one in context.of("RenameField"):
        if not is_field(one):
            continue
        old, new = fields_of(context, one)
        former = str(one.change.before)
        names = stored(former, old.get(former)), stored(one.name, new.get(one.name))
        if names[0] == names[1] or (context.is_filled(one) and context.is_gated(one)):
            continue
        problem = f'field "{former}" of {one.entity} is renamed to "{one.name}": items have "{names[0]}", '
        help = (
            f'keep the stored name with Field(alias="{names[0]}"), or raise schema_version and say in upgrades= '
            f'copy={{"{one.name}": "{former}"}}'
        )
        yield context.hazard(one, f'{problem}and nobody fills "{names[1]}"', help)


def types(context: Context) -> Iterator[Hazard]:
    """BC103: stored values are of another type than the one that is read."""
    for one, was, now in _retyped(context):
        if _element(was)[0] != _element(now)[0] or not _element(was)[0]:
            problem = f'field "{one.name}" of {one.entity} is stored as {was} and becomes {now}'
            help = "add a field of the new type and fill it, or say in upgrades= cast= how stored items follow"
            yield context.hazard(one, problem, help)
    for one in context.of("AlterType"):
        if "R" in one.classes:
            problem = f'type "{one.name}" has other fields, and {one.why}'
            yield context.hazard(
                one, problem, "put new fields behind those that it has, or make a type of another name"
            )


def elements(context: Context) -> Iterator[Hazard]:
    """BC108: what is in a stored list or set is of another type."""
    for one, was, now in _retyped(context):
        if _element(was)[0] and _element(was)[0] == _element(now)[0]:
            problem = f'what is in "{one.name}" of {one.entity} is of {was} and becomes {now}'
            yield context.hazard(one, problem, "add a field of the new type, and fill it from the old one")


def _retyped(context: Context) -> Iterator[tuple[Effect, str, str]]:
    """(effect, former type, type) of every field whose stored type changes and which nothing fills anew."""
    for one in context.of("AlterField"):
        was, now = type_of(one.change.before), type_of(one.change.after)
        if is_field(one) and was != now and not context.is_filled(one) and not context.is_rebuilt(one):
            yield one, was, now


def _element(type: str) -> tuple[str, str]:
    """(kind of collection, type of its elements) of a native type; empty for what is none."""
    if match := re.fullmatch(r"(?:frozen<)?(list|set|map)<(.+?)>?>", type):
        return match[1], match[2]
    return ("set", type[0]) if type in ("SS", "NS", "BS") else ("", "")


def marks(context: Context) -> Iterator[Hazard]:
    """BC107: items are told apart by a mark that stored ones do not have."""
    for one in context.effects:
        is_mark = one.kind == "AlterEntity" and one.name == "mark"
        is_named = one.kind == "RenameEntity" and "K" in one.classes
        is_other = is_mark and not any(
            other.kind == "RenameEntity" and other.store == one.store and other.path == one.path[:3]
            for other in context.effects
        )
        if (is_named or is_other) and not context.is_filled(one) and not context.is_born(one):
            was, now = one.change.before, one.change.after
            shown = f'"{was}" and becomes "{now}"' if is_named else f"{_mark(was)} and becomes {_mark(now)}"
            problem = f"the mark on items of {one.entity} is {shown}: stored items keep the former one"
            help = "keep the name, or raise schema_version and say in upgrades= how stored items follow"
            yield context.hazard(one, problem, help)


def _mark(value: object) -> str:
    return quoted(map(str, value)) if isinstance(value, list) else "none"


def streams(context: Context) -> Iterator[Hazard]:
    """BC105: whoever reads the changes of a store gets other ones, or none."""
    for one in context.of("AlterStream"):
        was, now = one.change.before, one.change.after
        if was is not None and not context.is_gone(one):
            shown = "removed" if now is None else f"{_shown(was)} and becomes {_shown(now)}"
            what = one.object.removesuffix("/stream")
            problem = f'the stream of "{what}" is {shown}: its readers lose what they have not read'
            help = "let its readers finish and stop first, and say under ignore: that they have"
            yield context.hazard(one, problem, help)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else str(value).lower()
