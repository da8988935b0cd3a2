"""The documents of a view: the conditions of its pipeline, and the fields and indexes of its collection."""

from collections.abc import Iterator, Mapping
from typing import Any

from keywright.access.implication import FieldTest
from keywright.access.query import Condition
from keywright.engines.contract.shape import EntityShape
from keywright.ir.json import Json
from keywright.record import replace

from ..schema.target import CollectionTarget, DatabaseTarget, entity_of
from .partial_index import tests_of_field


def of_source(database: DatabaseTarget, view: CollectionTarget) -> tuple[CollectionTarget, EntityShape] | None:
    """(the collection of a view under the name of the view, its entity); None if no model declares it."""
    assert view.view is not None
    source = next((other for other in database.collections if other.physical_name == view.view.on), None)
    shape = entity_of(database, source) if source is not None else None
    if source is None or shape is None:
        return None
    return replace(source, name=view.name, generation=view.generation, view=view.view, validator=None), shape


def hidden_fields(shape: EntityShape, stored: Mapping[str, str]) -> dict[str, str]:
    """BSON types, by path in documents, of the fields of a collection that a view's model does not have."""
    own = {*stored.values()}
    return {field.stored: field.type for field in shape.fields if field.stored not in own}


def arrays_of(types: Mapping[str, str]) -> dict[str, str]:
    """The innermost list on each of these paths; empty for none."""
    return {path: next((part for part in _upwards(path) if types.get(part) == "array"), "") for path in types}


def _upwards(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition(".")[0]


def conditions_of(match: Json, names: Mapping[str, str]) -> Iterator[Condition]:
    """The conditions that every document of a view meets.

    names: name in Python by path in documents.
    """
    for path, test in match.items() if isinstance(match, dict) else ():
        if path == "$and":
            parts: Any = test
            for part in parts:
                yield from conditions_of(part, names)
        else:
            yield from _conditions(names.get(path, path), test)


def _conditions(field: str, test: Json) -> Iterator[Condition]:
    if isinstance(test, dict) and "$ne" in test:
        others = {operator: value for operator, value in test.items() if operator != "$ne"}
        value = test["$ne"]
        yield Condition(field, "present") if value is None else Condition(field, "not", _constants(field, value))
        if others:
            yield from _conditions(field, others)
        return
    for part in tests_of_field(field, test):
        if isinstance(part, FieldTest) and part.kind != "type":
            yield Condition(field, part.kind, part.values)


def _constants(field: str, value: Json) -> tuple[Any, ...]:
    return next(part.values for part in tests_of_field(field, value) if isinstance(part, FieldTest))
