"""A design as a JSON document, with the same bytes for the same declarations: no lines, paths or defaults."""

from datetime import date
from decimal import Decimal
from typing import Any

from keywright import record
from keywright.errors import Place

from .binding import Binding, Physical
from .design import Design
from .json import Json

SCHEMA = "ir/1"


def dump(design: Design) -> dict[str, Json]:
    """Entities, physical objects, bindings and patterns; a spec is written as its type, an entity as its name."""
    return {
        "entities": [_plain(entity) for entity in design.entities],
        "physicals": [_physical(physical) for physical in design.physicals],
        "bindings": [_binding(binding) for binding in design.bindings],
        "patterns": [_plain(pattern) for pattern in design.patterns],
    }


def _physical(physical: Physical) -> Json:
    kind = type(physical.spec).__name__
    return {"engine": physical.engine, "kind": kind, "name": physical.name, "variable": physical.variable}


def _binding(binding: Binding) -> Json:
    described: dict[str, Json] = {
        "name": binding.name,
        "entity": binding.entity.name,
        "engine": binding.engine,
        "physical": binding.physical.name,
        "kind": type(binding.spec).__name__,
    }
    if binding.templates:
        described["templates"] = {argument: template.text for argument, template in binding.templates.items()}
    return described


def _plain(value: Any) -> Json:
    kind = type(value)
    if kind in _AS_IT_IS:
        return value  # type: ignore[no-any-return]  # one of the plain types
    if kind is tuple:
        return [_plain(element) for element in value]
    if kind is Decimal:
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    described: dict[str, Json] = {}
    for name, default in _fields(kind):
        inner = getattr(value, name)
        if inner is not default and inner != default:
            described[name] = _plain(inner)
    return described


_AS_IT_IS = frozenset({type(None), bool, int, float, str})


_FIELDS: dict[type, tuple[tuple[str, object], ...]] = {}


def _fields(kind: Any) -> tuple[tuple[str, object], ...]:
    """(name, default) of each field of a record class; places are left out."""
    if kind not in _FIELDS:
        fields = record.fields(kind)
        _FIELDS[kind] = tuple((field.name, field.default) for field in fields if field.type is not Place)
    return _FIELDS[kind]
