"""The parts of a server that can change, and the effect of each change on a running system."""

from typing import Any

from keywright.engines.contract.change import (
    AddEntity,
    AddField,
    AddIndex,
    AddTable,
    AlterEntity,
    AlterField,
    AlterIndex,
    AlterKey,
    AlterSetting,
    AlterStream,
    DropEntity,
    DropField,
    DropIndex,
    DropTable,
    RenameEntity,
    RenameField,
    RenameTable,
)
from keywright.engines.contract.classes import (
    ClassRule,
    Rows,
    is_added,
    is_added_field_needed,
    is_loosened,
    is_tightened,
)
from keywright.engines.contract.facts import EngineFacts, Nouns
from keywright.engines.contract.parts import PartNames, every, leaf, target

from ..schema.capabilities import DIRECTIVES

PARTS = target(
    {
        "settings": every(leaf(PartNames.SETTING)),
        "streams": every(every(leaf(PartNames.STREAM))),
        "users": every(leaf(PartNames.SETTING)),
        "indexes": every(leaf(PartNames.INDEX)),
        "built": every(leaf(PartNames.INDEX)),
        "server": leaf(PartNames.SETTING),
    }
)
"""See `Engine.parts`."""


def _evicts_more(before: Any, after: Any) -> bool:
    """Whether the new policy may evict keys that the old one never evicts."""
    reaches = {"noeviction": 0, "volatile": 1, "allkeys": 2}

    def reach(policy: Any) -> int:
        return reaches.get(str(policy).split("-")[0], 0)

    return reach(after) > reach(before)


def _only(*changed: str) -> Any:
    """A test whether two structures differ in these keys alone."""

    def test(before: Any, after: Any) -> bool:
        return all(before.get(key) == after.get(key) for key in (before.keys() | after.keys()) - set(changed))

    return test


def _has_due(before: Any, after: Any) -> bool:
    """Whether entries wait afterwards, and nothing but that and the readers changes."""
    return bool(after.get("due")) and bool(_only("due", "groups")(before, after))


def _loses_rights(before: Any, after: Any) -> bool:
    """Whether a user may do less than before."""
    rules = set(after or ())
    return not all(rule in rules or f"~{rule.partition('~')[2]}" in rules for rule in before or ())


def _are_direct(before: Any, after: Any) -> bool:
    """Whether an index has a name of its own and keeps it."""
    return bool(before.get("direct") and after.get("direct"))


_FIXED = tuple(name for name, directive in DIRECTIVES.items() if directive.is_fixed)

CLASSES: Rows = (
    ClassRule(AddTable, "S", "a new server"),
    ClassRule(DropTable, "D", "the server and all its keys are removed"),
    ClassRule(RenameTable, "K", "code that connects by the former name finds nothing"),
    ClassRule(AddEntity, "S", "keys of a new kind may be written"),
    ClassRule(DropEntity, "KD", "keys of this kind can no longer be read"),
    ClassRule(RenameEntity, "S", "keys do not contain the name"),
    ClassRule(AlterEntity, "B", "values contain their schema version", "shape/*/schema_version"),
    ClassRule(AlterEntity, "S", "another stream reader", "shape/*/structure", _only("groups")),
    ClassRule(AlterEntity, "S", "entries wait until they are due", "shape/*/structure", _has_due),
    ClassRule(AlterEntity, "D", "entries that wait are never delivered", "shape/*/structure", _only("due", "groups")),
    ClassRule(AlterEntity, "BD", "keys expire, or are trimmed, by another rule", "shape/*/structure",
        _only("ttl_seconds", "expires_at", "kept", "kept_seconds", "groups", "due")),
    ClassRule(AlterEntity, "S", "calls are counted differently", "shape/*/structure",
        _only("limit", "per_seconds", "window", "burst")),
    ClassRule(AlterEntity, "R", "values are of another structure"),
    ClassRule(AddField, "B", "stored values lack it", when=is_added_field_needed),
    ClassRule(AddField, "S", "values may have it"),
    ClassRule(DropField, "K", "code that reads it finds nothing; stored values stay until a purge"),
    ClassRule(RenameField, "BK", "values have it under the former name"),
    ClassRule(AlterField, "S", "values may lack it", when=is_loosened),
    ClassRule(AlterField, "B", "stored values may lack it", when=is_tightened),
    ClassRule(AlterField, "BK", "stored values have another type"),
    ClassRule(AlterKey, "B", "stored items lack it", "shape/*/key/computed*", is_added),
    ClassRule(AlterKey, "BK", "stored items have values of the former template", "shape/*/key/computed*"),
    ClassRule(AlterKey, "R", "keys have other names"),
    ClassRule(AddIndex, "O", "built while the server is in use"),
    ClassRule(DropIndex, "K", "calls that read by it fail"),
    ClassRule(AlterIndex, "OK", "it is dropped and built again, and finds few keys meanwhile", when=_are_direct),
    ClassRule(AlterIndex, "O", "another index is built, then the name moves to it"),
    ClassRule(AlterStream, "S", "a group starts with the next entry", when=lambda before, after: before is None),
    ClassRule(AlterStream, "D", "a group and its unacknowledged entries are removed"),
    ClassRule(AlterSetting, "D", "more keys are evicted", "native/settings/maxmemory-policy", _evicts_more),
    ClassRule(AlterSetting, "K", "commands of the user are rejected", "native/users/*", _loses_rights),
    ClassRule(AlterSetting, "S", "the user may do more", "native/users/*"),
    *(ClassRule(AlterSetting, "K", "read when the server starts", f"native/settings/{name}") for name in _FIXED),
    ClassRule(AlterSetting, "S", "set while the server runs"),
)  # fmt: skip
"""See `Engine.classes`.

Source: https://redis.io/docs/latest/commands/config-set/, 2026-11-21.
"""

FACTS = EngineFacts(parts=PARTS, classes=CLASSES, nouns=Nouns("server", item="key"), suffixes=(".conf", ".json"))
"""Facts about this engine for rules of migrations."""
