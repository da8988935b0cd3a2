"""The parts of a server that can change, and what each change does to a running system."""

from typing import Any

from keywright.engines.change import (
    AddEntity,
    AddField,
    AddTable,
    AlterEntity,
    AlterField,
    AlterKey,
    AlterSetting,
    AlterStream,
    DropEntity,
    DropField,
    DropTable,
    RenameEntity,
    RenameField,
    RenameTable,
)
from keywright.engines.classes import Row, Rows, is_added, is_added_field_needed, is_loosened, is_tightened
from keywright.engines.parts import Noun, every, leaf, target

from .capabilities import DIRECTIVES

PARTS = target(
    {
        "settings": every(leaf(Noun.SETTING)),
        "streams": every(every(leaf(Noun.STREAM))),
        "server": leaf(Noun.SETTING),
    }
)
"""See `Engine.parts`."""


def _evicts_more(before: Any, after: Any) -> bool:
    """Whether keys may be evicted from now on that never were before."""
    kept = {"noeviction": 0, "volatile": 1, "allkeys": 2}

    def reach(policy: Any) -> int:
        return kept.get(str(policy).split("-")[0], 0)

    return reach(after) > reach(before)


def _only(*changed: str) -> Any:
    """Whether two structures differ in these words alone."""

    def test(before: Any, after: Any) -> bool:
        return all(before.get(key) == after.get(key) for key in (before.keys() | after.keys()) - set(changed))

    return test


_FIXED = tuple(name for name, one in DIRECTIVES.items() if one.is_fixed)

CLASSES: Rows = (
    Row(AddTable, "S", "a new server"),
    Row(DropTable, "D", "the server and all its keys go"),
    Row(RenameTable, "K", "code that connects by the former name finds nothing"),
    Row(AddEntity, "S", "keys of a new kind may be written"),
    Row(DropEntity, "KD", "keys of this kind are no longer known"),
    Row(RenameEntity, "S", "keys do not carry the name"),
    Row(AlterEntity, "B", "values carry the version of their shape", "shape/*/schema_version"),
    Row(AlterEntity, "S", "another stream reader", "shape/*/structure", _only("groups")),
    Row(AlterEntity, "BD", "keys expire, or are cut, by another rule", "shape/*/structure",
        _only("ttl_seconds", "expires_at", "kept", "kept_seconds", "groups")),
    Row(AlterEntity, "S", "calls are counted otherwise", "shape/*/structure", _only("limit", "per_seconds", "window")),
    Row(AlterEntity, "R", "values are of another structure"),
    Row(AddField, "B", "stored values lack it", when=is_added_field_needed),
    Row(AddField, "S", "values may have it"),
    Row(DropField, "K", "code that reads it finds nothing; what is stored stays until it is purged"),
    Row(RenameField, "BK", "values have it under the former name"),
    Row(AlterField, "S", "values may lack it", when=is_loosened),
    Row(AlterField, "B", "stored values may lack it", when=is_tightened),
    Row(AlterField, "BK", "stored values hold another type"),
    Row(AlterKey, "B", "stored items lack it", "shape/*/key/computed*", is_added),
    Row(AlterKey, "BK", "stored items hold what it was made of before", "shape/*/key/computed*"),
    Row(AlterKey, "R", "keys are named otherwise"),
    Row(AlterStream, "S", "a group begins with the next entry", when=lambda before, after: before is None),
    Row(AlterStream, "D", "a group and what it had not acknowledged go"),
    Row(AlterSetting, "D", "keys are evicted that never were", "native/settings/maxmemory-policy", _evicts_more),
    *(Row(AlterSetting, "K", "read when the server starts", f"native/settings/{name}") for name in _FIXED),
    Row(AlterSetting, "S", "set while the server runs"),
)  # fmt: skip
"""See `Engine.classes`.

Source: https://redis.io/docs/latest/commands/config-set/, 2026-11-21.
"""
