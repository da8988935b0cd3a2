"""Instances of items that lack fields, from values by the names under which the model takes them."""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import BaseModel

from keywright.ir.attribute import Attribute
from keywright.runtime.part import maker, unset


def part_of(model: type[BaseModel], attributes: Iterable[Attribute]) -> Callable[[dict[str, Any]], BaseModel]:
    """A function from values to an instance with these fields alone."""
    makers = {one.given: (one.name, maker(model, one)) for one in attributes}

    def made(values: dict[str, Any]) -> BaseModel:
        fields: dict[str, Any] = {}
        for given, value in values.items():
            name, make = makers[given]
            fields[name] = make(value) if make is not None and value is not None else value
        return unset(model, fields)

    return made
