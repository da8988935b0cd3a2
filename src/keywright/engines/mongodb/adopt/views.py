"""Views as declarations, if their stages are those of a declared view."""

from collections.abc import Iterable
from typing import Any

from keywright.errors import gathering
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import Entity
from keywright.record import replace

from ..declare.options import AnyCollection, CollectionView
from ..schema.check import check
from ..schema.fields import ID, stored_name
from ..schema.lower import lower
from ..schema.target import CollectionTarget
from .indexes import NoWord, where_of


def view_of(
    target: CollectionTarget, name: str, sources: Iterable[Binding[AnyCollection]], python: dict[str, str]
) -> Binding[AnyCollection]:
    """The declaration of a view; NoWord for a form without words.

    name: name of its class. sources: the adopted entity of its collection, if there is one. python: names in Python
    by path in documents.
    """
    assert target.view is not None
    source = next(iter(sources), None)
    if source is None:
        raise NoWord(f'a view of "{target.view.on}", which no model declares')
    filter, kept = _stages(target.view.pipeline)
    attributes = tuple(
        replace(attribute, ttl_after_seconds=None)
        for attribute in source.entity.attributes
        if kept is None or stored_name(source, attribute) in (*kept, ID)
    )
    options: dict[str, Any] = {"on": source.spec.name, **_forms(source, attributes)}
    options |= {"where": where_of(filter, python)} if filter else {}
    options |= {"project": True} if kept is not None else {}
    with gathering() as errors:
        spec = CollectionView(source.spec.database, target.name, **options)
    entity = Entity(name, "", "", attributes, source.entity.is_closed and kept is not None)
    binding = Binding(name, entity, source.physical, spec, spec.templates, {}, source.at)
    design: Design[Any, Any] = Design((source.entity, entity), (source.physical,), (source, binding))
    if errors or (rejection := next(check(design), None)) is not None:
        raise NoWord(errors[0].problem if errors else rejection.problem)  # type: ignore[union-attr]  # one of both
    own = next(other for other in lower(design)[0].collections if other.name == target.name)
    if own != target:
        raise NoWord("its pipeline, or a collation other than that of its collection")
    return binding


def _forms(source: Binding[AnyCollection], attributes: tuple[Attribute, ...]) -> dict[str, Any]:
    """The options `id=` and `types=` of a collection, for these fields."""
    names = {attribute.name for attribute in attributes}
    types = {path: type for path, type in source.spec.types.items() if path.partition(".")[0] in names}  # type: ignore[union-attr]  # no time series
    template = source.templates.get("id")
    is_complete = template is not None and {part.path for part in template.placeholders} <= names
    return {**({"id": template.text} if template and is_complete else {}), **({"types": types} if types else {})}


def _stages(pipeline: Iterable[Any]) -> tuple[dict[str, Any], set[str] | None]:
    """(filter, stored names of the fields that remain); no names if no stage selects fields."""
    filter: dict[str, Any] = {}
    kept: set[str] | None = None
    for at, stage in enumerate(pipeline):
        match stage:
            case {"$match": dict() as tests} if at == 0:
                filter = tests
            case {"$project": dict() as fields} if kept is None and all(flag == 1 for flag in fields.values()):
                kept = set(fields)
                if nested := next((field for field in fields if "." in field), ""):
                    raise NoWord(f'a view that projects the part "{nested}" of a document')
            case _:
                raise NoWord(f'the stage "{next(iter(stage), "")}" of a view, in this place or form')
    return filter, kept
