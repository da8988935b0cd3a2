"""The parts of a box that can change, and the effect of each change on a running system."""

from keywright.engines.contract.change import (
    AddEntity,
    AddField,
    AddTable,
    AlterEntity,
    AlterField,
    AlterKey,
    AlterSetting,
    DropEntity,
    DropField,
    DropTable,
    RenameEntity,
    RenameField,
    RenameTable,
)
from keywright.engines.contract.classes import ClassRule, is_added_field_needed, is_loosened, is_tightened
from keywright.engines.contract.facts import EngineFacts, Nouns
from keywright.engines.contract.parts import PartNames, every, leaf, target

PARTS = target({"settings": every(leaf(PartNames.SETTING))})
"""See `Engine.parts`."""

CLASSES = (
    ClassRule(AddTable, "S", "a new box"),
    ClassRule(DropTable, "D", "the box and all its items go"),
    ClassRule(RenameTable, "R", "a box cannot be renamed"),
    ClassRule(AddEntity, "S", "items of a new kind may be written"),
    ClassRule(DropEntity, "KD", "items of this kind can no longer be read"),
    ClassRule(RenameEntity, "S", "items do not contain the name"),
    ClassRule(AlterEntity, "B", "items contain the version of their shape"),
    ClassRule(AddField, "B", "stored items lack it", when=is_added_field_needed),
    ClassRule(AddField, "S", "items may have it"),
    ClassRule(DropField, "K", "code that reads it finds nothing; stored values stay until they are purged"),
    ClassRule(RenameField, "BK", "items have it under the former name"),
    ClassRule(AlterField, "S", "items may lack it", when=is_loosened),
    ClassRule(AlterField, "B", "stored items may lack it", when=is_tightened),
    ClassRule(AlterField, "BK", "stored items contain another type"),
    ClassRule(AlterKey, "R", "keys are made otherwise"),
    ClassRule(AlterSetting, "S", "set at once"),
)
"""See `Engine.classes`."""

FACTS = EngineFacts(parts=PARTS, classes=CLASSES, nouns=Nouns("box", "box"), suffixes=(".json",))
"""A box is both a target and a table."""
