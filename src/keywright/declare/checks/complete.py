"""The checks that need the finished class: run when a pattern first names a model, and when a project is loaded."""

import sys
import types
import typing
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from keywright.errors import Place, did_you_mean, quoted
from keywright.ir.template import TIME_WIDTHS, Placeholder

from .facts import CopiedFrom, FieldFact, Overflow, ValueFact
from .fields import bare, class_of, embedded, is_model, is_number, resolve, store_of
from .locate import field_place
from .store import Bound, Store

if TYPE_CHECKING:
    from pydantic import BaseModel

Problem = tuple[str, str, str]
"""Code, sentence and help line."""

_checked: "set[tuple[type[BaseModel], Store]]" = set()


def check_model(model: "type[BaseModel] | Bound[Any]") -> None:
    """Report what is wrong between a model's fields and its store, once."""
    cls, store = class_of(model), store_of(model)
    if store is None or store.is_incomplete or (cls, store) in _checked:
        return
    if cls.__pydantic_fields_complete__ and not any(map(_is_quoted, _all_facts(cls))):
        _checked.add((cls, store))
    for at, code, problem, help in _facts(cls, "", set()):
        store.wrong(code, problem, help, cls.__name__, at)
    for code, problem, help in (*_templates(model, store), *_names(cls, store)):
        store.wrong(code, problem, help, cls.__name__)


def _names(cls: "type[BaseModel]", store: Store) -> Iterator[Problem]:
    for argument, path in store.fields_named():
        if path in store.computed:
            continue
        try:
            resolve(cls, path)
        except KeyError as missing:
            yield "E0303", f'{argument} names the unknown field "{path}"', did_you_mean(*missing.args)
    for argument, name in store.keys_left_out():
        if name not in cls.model_fields and name not in store.computed:
            help = f'write {argument}="..." with a word or fields in braces, such as {argument}="{_example(cls)}"'
            yield "E0307", f'{argument}= is not given, and {cls.__name__} has no field "{name}" to be the key', help
    stored = {info.serialization_alias or info.alias or name: name for name, info in cls.model_fields.items()}
    for argument, made in store.attributes_made():
        if made in stored:
            help = f"call the field differently, or give it an alias: a value is either given, or made by {argument}"
            yield "E0208", f'{argument} makes the attribute "{made}", where field "{stored[made]}" is stored too', help


def _templates(model: "type[BaseModel] | Bound[Any]", store: Store) -> Iterator[Problem]:
    cls = class_of(model)
    for argument, template in store.templates.items():
        if not template.placeholders and template.text in cls.model_fields:
            problem = f'{argument}="{template.text}" is a constant, the same for every {cls.__name__}'
            yield "E0306", problem, f'for the field write it in braces: "{{{template.text}}}"'
        for placeholder in template.placeholders:
            if placeholder.path:
                yield from _placeholder(model, argument, placeholder, is_alone=len(template.parts) == 1)


def _placeholder(
    model: "type[BaseModel] | Bound[Any]", argument: str, placeholder: Placeholder, is_alone: bool
) -> Iterator[Problem]:
    path = placeholder.path
    try:
        kind = bare(resolve(model, path))
    except KeyError as missing:
        yield "E0303", f'{argument} names the unknown field "{path}"', did_you_mean(*missing.args)
        return
    if _is_time(kind) and not placeholder.filters and not is_alone:
        forms = ":date, :month or :week" if kind is date else ":iso, :date, :month, :week or :hour"
        form = "date" if kind is date else "iso"
        yield "E0305", f'{argument}: "{path}" is a time without a form', f"write {{{path}:{form}}}: one of {forms}"
    for filter in placeholder.filters:
        if wants := _unmet(filter.name, kind):
            problem = f'{argument}: filter ":{filter.name}" wants {wants}, "{path}" is {_called(kind)}'
            yield "E0304", problem, f"write {{{path}}} without it, or use a field that is {wants}"


def _example(cls: "type[BaseModel]") -> str:
    """A key template that begins with a word of the entity's own."""
    field = next(iter(cls.model_fields), "id")
    return f"{cls.__name__.upper()}#{{{field}}}"


def _called(kind: Any) -> str:
    """An annotation as messages call it."""
    return str(getattr(kind, "__name__", kind)) if not typing.get_args(kind) else str(kind).replace("typing.", "")


def _is_time(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, date)


def _unmet(filter_name: str, kind: Any) -> str | None:
    """What the filter wants, if the annotation is something else."""
    is_datetime = isinstance(kind, type) and issubclass(kind, datetime)
    if filter_name in TIME_WIDTHS and not _is_time(kind) and kind is not Any:
        return "a date or datetime"
    if filter_name in ("iso", "hour") and _is_time(kind) and not is_datetime:
        return "a datetime"
    if filter_name == "pad" and (not is_number(kind) or kind in (float, Decimal)):
        return "an int"
    if filter_name in ("upper", "lower") and (_is_time(kind) or kind in (int, float, bool, Decimal)):
        return "text"
    return None


def _facts(cls: "type[BaseModel]", path: str, seen: "set[type[BaseModel]]") -> Iterator[tuple[Place, str, str, str]]:
    """Facts where they are lost, without parentheses, or about fields that do not exist; embedded models too."""
    seen.add(cls)
    for name, info in cls.model_fields.items():
        if not info.metadata and isinstance(info.annotation, type) and not is_model(info.annotation):
            continue  # most fields: a plain type that says nothing more
        where = f'field "{path}{name}"'
        yield from ((field_place(cls, name), *problem) for problem in _of_field(cls, name, where))
        part = embedded(info.annotation)
        if part is not None and part not in seen:
            yield from _facts(part, f"{path}{name}.", seen)


def _of_field(cls: "type[BaseModel]", name: str, where: str) -> Iterator[Problem]:
    info = cls.model_fields[name]
    inner = list(_inner(info.annotation))
    for fact in (*info.metadata, *inner):
        if isinstance(fact, type) and issubclass(fact, (FieldFact, ValueFact)):
            yield "E0202", f"{where}: {fact.__name__} is the class, not a fact", f"write kw.{fact.__name__}(...)"
    if lost := [type(fact).__name__ for fact in inner if isinstance(fact, FieldFact)]:
        problem = f"{where}: {quoted(lost)} stands inside the type, where it is lost"
        help = f"put it on the whole: {name}: Annotated[{_outer(info.annotation)}, kw.{lost[0]}(...)]"
        yield "E0201", problem, help
    for fact in info.metadata:
        if isinstance(fact, FieldFact) and not fact.is_incomplete:
            yield from _reference(cls, where, fact)


def _outer(kind: Any) -> str:
    """How to write the annotation with nothing inside it."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return " | ".join("None" if arm is type(None) else _outer(arm) for arm in typing.get_args(kind))
    if typing.get_origin(kind) is typing.Annotated:
        return _outer(typing.get_args(kind)[0])
    if typing.get_args(kind):
        inner = ", ".join(_outer(arg) for arg in typing.get_args(kind))
        return f"{getattr(typing.get_origin(kind), '__name__', kind)}[{inner}]"
    return str(getattr(kind, "__name__", kind))


def _reference(cls: "type[BaseModel]", where: str, fact: object) -> Iterator[Problem]:
    """Fields that a fact names, as far as their class is known yet."""
    source = _model_of(cls, fact) if isinstance(fact, CopiedFrom) else None
    if isinstance(fact, CopiedFrom) and source is not None and fact.field_name not in source.model_fields:
        problem = f'{where}: CopiedFrom names the unknown field "{fact.field_name}" of {source.__name__}'
        yield "E0203", problem, did_you_mean(fact.field_name, source.model_fields)
    if isinstance(fact, Overflow) and fact.flag not in cls.model_fields:
        problem = f'{where}: Overflow names the unknown field "{fact.flag}"'
        yield "E0203", problem, did_you_mean(fact.flag, cls.model_fields)


def _all_facts(cls: "type[BaseModel]") -> Iterator[object]:
    for info in cls.model_fields.values():
        yield from info.metadata


def _is_quoted(fact: object) -> bool:
    return isinstance(fact, CopiedFrom) and isinstance(fact.model, str)


def _model_of(cls: "type[BaseModel]", fact: CopiedFrom) -> "type[BaseModel] | None":
    """The model that a fact names; None for a quoted one that is not defined yet."""
    if not isinstance(fact.model, str):
        return fact.model
    found = vars(sys.modules[cls.__module__]).get(fact.model)
    return found if is_model(found) else None


def _inner(kind: Any) -> Iterator[Any]:
    """All metadata below the surface of an annotation."""
    if typing.get_origin(kind) is typing.Annotated:
        yield from typing.get_args(kind)[1:]
        kind = typing.get_args(kind)[0]
    for arg in typing.get_args(kind):
        if not isinstance(arg, (str, int, bytes)):
            yield from _inner(arg)
