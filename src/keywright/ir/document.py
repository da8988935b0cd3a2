"""A design as a JSON document, the same bytes for the same declarations: no lines, no paths, no defaults."""

import dataclasses
from datetime import date
from decimal import Decimal
from typing import Any

from keywright.errors import Place

from .binding import Binding
from .design import Design
from .json import Json
from .physical import Physical

SCHEMA = "ir/1"


def dump(design: Design) -> dict[str, Json]:
    """Entities, physical things, bindings and patterns; specs are told by their type, entities by their name."""
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
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Decimal():
            return str(value)
        case date():
            return value.isoformat()
        case tuple():
            return [_plain(one) for one in value]
    assert dataclasses.is_dataclass(value), value
    described: dict[str, Json] = {}
    for field in dataclasses.fields(value):
        inner = getattr(value, field.name)
        if not isinstance(inner, Place) and (field.default is dataclasses.MISSING or inner != field.default):
            described[field.name] = _plain(inner)
    return described
