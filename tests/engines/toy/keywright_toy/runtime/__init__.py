"""Models to and from items: a pair of a key and JSON."""

import json
from collections.abc import Mapping
from typing import Any

from keywright.declare.store import VERSION
from keywright.ir.apply_transform import REMOVED
from keywright.ir.binding import Binding
from keywright.runtime.items.codec import Codec, M
from keywright.runtime.items.upgraded import ItemAccess, upgrading
from keywright.runtime.residual_filter import value_of

from ..key import key_text

Native = tuple[str, dict[str, Any]]
"""An item with its key."""


def codec(binding: Binding, model: type[M]) -> Codec[M]:
    """The codec of a model in a box; Pydantic does the work."""
    template, version = binding.templates["key"], binding.spec.schema_version
    stamp = {VERSION: version} if version > 1 else {}

    def key_of(instance: M) -> str:
        return key_text(template, lambda path: value_of(path)(instance))

    def to_items(instance: M) -> list[Native]:
        return [(key_of(instance), {**instance.model_dump(mode="json", by_alias=True), **stamp})]

    def from_item(item: Native) -> M:
        return model.model_validate_json(json.dumps(_without_own(item[1])))

    def from_part(item: Native) -> M:
        return model.model_construct(**_without_own(item[1]))

    plain = Codec(key_of, to_items, from_item, from_part, from_item, lambda item: item[0])
    return upgrading(plain, binding, lambda: ACCESS)


def _without_own(item: dict[str, Any]) -> dict[str, Any]:
    """An item without keywright's own attributes."""
    return {name: value for name, value in item.items() if not name.startswith("_kw_")}


def _changed(item: Native, changes: Mapping[str, Any]) -> Native:
    kept = {name: value for name, value in item[1].items() if name not in changes}
    return item[0], kept | {name: value for name, value in changes.items() if value is not REMOVED}


ACCESS = ItemAccess(
    version=lambda item: int(item[1].get(VERSION, 1)),
    plain=lambda item: item[1],
    native=_changed,
    form=lambda path, value: value,
)
"""How upgrades read and change items."""
