"""Errors of facts: without effect, incomplete, or about unknown fields; embedded models included."""

import sys
import types
import typing
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from keywright.errors import Place, did_you_mean, quoted

from ..declared import Declared
from ..facts import CopiedFrom, FieldFact, Overflow, ValueFact
from ..fields import embedded, fields_of, is_embeddable, is_model
from ..locate import field_place

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

Problem = tuple[str, str, str]
"""Code, problem and help line."""

_PLACES = {
    "Index": "move it to indexes=[...] of the store, with the names of its fields",
    "TextIndex": "move it to indexes=[...] of the store, with the names of its fields",
    "Gsi": "move it to gsis=[...] of the table, with the names of its attributes",
    "Lsi": "move it to lsis=[...] of the table, with the name of its attribute",
    "Ignore": "move it to ignores=[...] of the store or of a pattern",
}
"""Help for declarations that do not belong in a field's annotation."""


def misplaced(cls: type, path: str, visited: set[type]) -> Iterator[tuple[Place, str, str, str]]:
    """Yields errors of facts without effect, without parentheses or with unknown fields; embedded models included."""
    visited.add(cls)
    for name, info in fields_of(cls).items():
        if _is_plain(info):
            continue
        field = f'field "{path}{name}"'
        yield from ((field_place(cls, name), *problem) for problem in _of_field(cls, name, field))
        for part in embedded(info.annotation):
            if part not in visited:
                yield from misplaced(part, f"{path}{name}.", visited)


def _is_plain(info: "FieldInfo") -> bool:
    """Whether the field has a plain type and no metadata, as most fields do."""
    if info.metadata or isinstance(info.default, (Declared, type)):
        return False
    return isinstance(info.annotation, type) and not is_embeddable(info.annotation)


def _of_field(cls: type, name: str, field: str) -> Iterator[Problem]:
    info = fields_of(cls)[name]
    inner = list(_inner(info.annotation))
    for fact in (*info.metadata, *inner):
        if isinstance(fact, type) and issubclass(fact, (FieldFact, ValueFact)):
            yield "E0202", f"{field}: {fact.__name__} is the class, not a fact", f"write kw.{fact.__name__}(...)"
    yield from _declared(name, info, field)
    if lost := [type(fact).__name__ for fact in inner if isinstance(fact, FieldFact)]:
        problem = f"{field}: {quoted(lost)} is inside the type, where it has no effect"
        help = f"put it on the whole field: {name}: Annotated[{_outer(info.annotation)}, kw.{lost[0]}(...)]"
        yield "E0201", problem, help
    for fact in info.metadata:
        if isinstance(fact, FieldFact) and not fact.is_incomplete:
            yield from _reference(cls, field, fact)


def _declared(name: str, info: "FieldInfo", field: str) -> Iterator[Problem]:
    """Declarations that Pydantic takes for something else: defaults of a field, and metadata that is not a fact."""
    default = info.default
    kind = default if isinstance(default, type) else type(default)
    if issubclass(kind, Declared):
        help = f"write it into the annotation: {name}: Annotated[{_outer(info.annotation)}, kw.{kind.__name__}(...)]"
        if not issubclass(kind, (FieldFact, ValueFact)):
            help = _placement_help(kind)
        yield "E0211", f"{field} has {kind.__name__}(...) as its default value, where it has no effect", help
    for extra in info.metadata:
        if isinstance(extra, Declared) and not isinstance(extra, (FieldFact, ValueFact)):
            kind = type(extra)
            help = _placement_help(kind)
            yield "E0212", f"{field}: {kind.__name__}(...) is not a fact, and has no effect on a field", help


def _placement_help(kind: type) -> str:
    """The correct place of a declaration that is written on a field."""
    return _PLACES.get(kind.__name__, "remove it: only facts such as kw.Size(...) belong to a field")


def _outer(kind: Any) -> str:
    """The annotation as text, without metadata."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return " | ".join("None" if arm is type(None) else _outer(arm) for arm in typing.get_args(kind))
    if typing.get_origin(kind) is typing.Annotated:
        return _outer(typing.get_args(kind)[0])
    if typing.get_args(kind):
        inner = ", ".join(_outer(arg) for arg in typing.get_args(kind))
        return f"{getattr(typing.get_origin(kind), '__name__', kind)}[{inner}]"
    return str(getattr(kind, "__name__", kind))


def _reference(cls: type, field: str, fact: object) -> Iterator[Problem]:
    """Unknown fields in facts, as far as their class is defined yet."""
    source = _model_of(cls, fact) if isinstance(fact, CopiedFrom) else None
    if isinstance(fact, CopiedFrom) and source is not None and fact.field_name not in source.model_fields:
        problem = f'{field}: CopiedFrom names the unknown field "{fact.field_name}" of {source.__name__}'
        yield "E0203", problem, did_you_mean(fact.field_name, source.model_fields)
    if isinstance(fact, Overflow) and fact.flag not in fields_of(cls):
        problem = f'{field}: Overflow names the unknown field "{fact.flag}"'
        yield "E0203", problem, did_you_mean(fact.flag, fields_of(cls))


def _model_of(cls: type, fact: CopiedFrom) -> "type[BaseModel] | None":
    """The model that a fact refers to; None for a quoted name that is not defined yet."""
    if not isinstance(fact.model, str):
        return fact.model
    var = vars(sys.modules[cls.__module__]).get(fact.model)
    return var if is_model(var) else None


def _inner(kind: Any) -> Iterator[Any]:
    """All metadata inside an annotation."""
    if typing.get_origin(kind) is typing.Annotated:
        yield from typing.get_args(kind)[1:]
        kind = typing.get_args(kind)[0]
    for arg in typing.get_args(kind):
        if not isinstance(arg, (str, int, bytes)):
            yield from _inner(arg)
