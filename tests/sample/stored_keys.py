"""The keys of an instance in its stores, written independently of the generator."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from keywright.ir.binding import Binding
from keywright.ir.template import Placeholder, Template
from keywright.runtime.items import text

ELEMENTS = {"RedisList", "RedisStream", "RedisRateLimit"}
"""Stores that accept equal instances."""

FILTERS = {
    "iso": text.iso, "date": text.day, "month": text.month, "week": text.week, "hour": text.hour,
    "upper": str.upper, "lower": str.lower, "tag": text.text,
}  # fmt: skip


def stored_keys(binding: Binding, instance: BaseModel) -> Iterator[tuple[object, ...]]:
    """The primary key and the key in each unique index, each with the name of its index."""
    spec: Any = binding.spec
    if type(spec).__name__ in ELEMENTS:
        return
    parts = [binding.templates[name] for name in ("pk", "sk", "id", "key", "member") if name in binding.templates]
    if parts:
        yield "key", *(written(part, instance) for part in parts)
    if hasattr(spec, "partition"):
        names = [*listed(spec.partition), *listed(spec.clustering)]
        yield "key", *(column(binding, name.removeprefix("-"), instance) for name in names)
    for index in getattr(spec, "indexes", []):
        if getattr(index, "unique", False):
            yield "index", str(index.keys), *(column(binding, name, instance) for name in listed(index.keys))


def listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def column(binding: Binding, name: str, instance: BaseModel) -> object:
    if name in binding.computed:
        return written(binding.computed[name], instance)
    value = getattr(instance, name)
    return int(value.timestamp() * 1000) if isinstance(value, datetime) else value


def written(template: Template, instance: BaseModel) -> str:
    return "".join(part if isinstance(part, str) else placed(part, instance) for part in template.parts)


def placed(placeholder: Placeholder, instance: BaseModel) -> str:
    if not placeholder.path:
        return "?"
    value: Any = instance
    for name in placeholder.path.split("."):
        value = getattr(value, name)
    for filter in placeholder.filters:
        if filter.name == "shard":
            return text.shard(text.text(value), filter.number or 1)
        value = text.pad(value, filter.number or 1) if filter.name == "pad" else FILTERS[filter.name](value)
    return text.text(value)
