"""Declarations of views that the server, or the planner, rejects."""

from collections.abc import Iterator

from keywright.engines.interface import Rejection
from keywright.errors import did_you_mean
from keywright.ir.attribute import Many, Map, Struct, Tuple
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.record import Record

from ..declare.filters import TypeTest, tests_of
from ..declare.options import AnyCollection, Collection, CollectionView
from .fields import fields
from .views import source_of

_WHOLE_NUMBERS = frozenset(("int", "long"))
"""Types that a server compares as one; the type follows from the bounds of a field."""


class _View(Record):
    """A view and the entity of its collection."""

    binding: Binding[AnyCollection]
    spec: CollectionView
    source: Binding[AnyCollection]


def check_view(
    binding: Binding[AnyCollection], spec: CollectionView, others: tuple[Binding[AnyCollection], ...]
) -> Iterator[Rejection]:
    """Errors of a view.

    others: the entities of its database.
    """
    source = source_of(binding, others)
    if source is None:
        names = [other.spec.name for other in others if isinstance(other.spec, Collection)]
        problem = f'on="{spec.on}" is no declared collection of the database "{binding.physical.name}"'
        yield Rejection("E0503", problem, did_you_mean(spec.on, names), binding.name)
        return
    if binding.entity.ttl is not None and source.entity.ttl is None:
        problem = f'"{binding.entity.ttl.name}" has Ttl(), and a view stores no documents that could expire'
        help = f"write it in {source.name}, or remove it"
        yield Rejection("MDB013", problem, help, binding.name, field=binding.entity.ttl.name)
    view = _View(binding, spec, source)
    yield from _fields(view)
    yield from _conditions(view)


def _fields(view: _View) -> Iterator[Rejection]:
    """Fields that the documents of the collection do not have, or have in another form."""
    stored = {field.stored: field for field in fields(view.source)}
    for field in fields(view.binding):
        other, top = stored.get(field.stored), field.path.partition(".")[0]
        if other is None:
            problem = f'"{view.spec.on}" stores no field "{field.stored}"'
            help = did_you_mean(field.stored, stored)
            yield Rejection("E0503", problem, help, view.binding.name, field=top)
        elif other.type != field.type and not {other.type, field.type} <= _WHOLE_NUMBERS:
            problem = f'"{field.path}" is read as {field.type}, and "{view.spec.on}" stores it as {other.type}'
            help = f"declare the same type as {view.source.name}, in the model and in types="
            yield Rejection("E0205", problem, help, view.binding.name, field=top)
        elif other.attribute.is_nullable and not field.attribute.is_nullable and not _is_certain(view, other.path):
            problem = f'"{field.path}" may be null in "{view.spec.on}", and is required here'
            help = f'write where={{"{other.path}": kw.Present()}}, or type it with | None'
            yield Rejection("E0205", problem, help, view.binding.name, field=top)


def _is_certain(view: _View, path: str) -> bool:
    """Whether the conditions leave out documents in which a field is null."""
    return any(
        condition.field == path and not isinstance(condition, TypeTest) and condition.test != "not"
        for condition in tests_of(view.spec.where)
    )


def _conditions(view: _View) -> Iterator[Rejection]:
    names = [attribute.name for attribute in view.source.entity.attributes]
    for condition in tests_of(view.spec.where):
        attributes = resolve(view.source.entity.attributes, condition.field)
        if attributes is None:
            problem = f'where= names "{condition.field}", which {view.source.name} does not have'
            yield Rejection("E0503", problem, did_you_mean(condition.field, names), view.binding.name)
        elif isinstance(condition, TypeTest):
            problem = f'where= tests the stored type of "{condition.field}", which models declare'
            yield Rejection("E0503", problem, "write a condition on its value", view.binding.name)
        elif any(isinstance(attribute.type, (Many, Map, Tuple)) for attribute in attributes) or isinstance(
            attributes[-1].type, Struct
        ):
            problem = f'where= compares "{condition.field}", which is no single value'
            yield Rejection("E0503", problem, "compare single values only", view.binding.name)
