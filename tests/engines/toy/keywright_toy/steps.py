"""Steps from one placed box to another; a statement is a call of the file's driver."""

import json

from keywright.engines.contract.in_place import refuse_rebuilds
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Artefact
from keywright.ir.json import Json

from .declare import ToyEnvironment
from .facts import CLASSES, PARTS
from .schema import STORE, place
from .target import BoxTarget, describe


def create(box: BoxTarget) -> tuple[Statement, ...]:
    """See `Engine.create`."""
    native: Json = {"create": box.name, "settings": box.settings}
    wants: Json = {"settings": box.settings}
    return (Statement(STORE, box.name, (), f'create box "{box.name}"', native, wants),)


def migrate(before: BoxTarget | None, after: BoxTarget | None) -> tuple[Statement, ...]:
    """See `Engine.migrate`."""
    if after is None:
        return () if before is None else (_drop(before),)
    if before is None:
        return create(after)
    refuse_rebuilds(STORE, PARTS, CLASSES, describe(before), describe(after))
    names = sorted(before.settings.keys() | after.settings.keys())
    return tuple(_set(before, after, name) for name in names if before.settings.get(name) != after.settings.get(name))


def _drop(box: BoxTarget) -> Statement:
    before: Json = {"settings": box.settings}
    return Statement(STORE, box.name, (), f'drop box "{box.name}"', {"drop": box.name}, None, (before,))


def _set(before: BoxTarget, after: BoxTarget, name: str) -> Statement:
    value = after.settings.get(name)
    native: Json = {"set": after.name, "setting": name, "value": value}
    summary = f'set {name} of box "{after.name}" to {value}'
    return Statement(STORE, after.name, ("settings", name), summary, native, value, (before.settings.get(name),))


def script(before: BoxTarget | None, after: BoxTarget | None) -> tuple[Artefact, ...]:
    """See `Engine.script`: the statements, one per line."""
    anywhere = ToyEnvironment(flavour="toy")
    old, new = (box and place(box, anywhere) for box in (before, after))
    lines = [json.dumps(statement.native) for statement in migrate(old, new)]
    return (Artefact("statements.json", "\n".join(lines) + "\n"),) if lines else ()
