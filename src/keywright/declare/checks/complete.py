"""Checks of finished classes. They run when a pattern first refers to a model, and when a project is loaded."""

import re
import typing
from collections.abc import Collection, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from keywright.errors import quoted
from keywright.ir.template import TIME_WIDTHS, Placeholder, Template

from ..facts import CopiedFrom
from ..fields import bare, class_of, field_help, is_number, resolve, store_of
from ..store import Bound, Store
from .misplaced import misplaced

if TYPE_CHECKING:
    from pydantic import BaseModel

_FOREIGN = re.compile(r"\$(\w+)|:(\w+)|<(\w+)>|%\((\w+)\)|%(\w+)%")
"""Placeholders in the notation of other languages: shells, SQL drivers, URL routes, Python's `%`."""

Problem = tuple[str, str, str]
"""Code, problem and help line."""

_checked: "set[tuple[type[BaseModel], Store]]" = set()


def check_model(model: "type[BaseModel] | Bound[Any]") -> None:
    """Report errors between a model's fields and its store, once."""
    cls, store = class_of(model), store_of(model)
    if store is None or store.is_incomplete or (cls, store) in _checked:
        return
    if cls.__pydantic_fields_complete__ and not any(map(_is_quoted, _all_facts(cls))):
        _checked.add((cls, store))
    for at, code, problem, help in misplaced(cls, "", set()):
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
            store.unknown_fields.add(path)
            yield "E0303", f'{argument} names the unknown field "{path}"', field_help(*missing.args)
    for argument, name in store.implicit_keys():
        if name not in cls.model_fields and name not in store.computed:
            help = f'write {argument}="..." with a word or fields in braces, such as {argument}="{_example(cls)}"'
            yield "E0307", f'{argument}= is missing, and {cls.__name__} has no field "{name}" to use as the key', help
    for index, argument, name in store.implicit_index_keys():
        if name not in cls.model_fields and name not in store.computed:
            half = "sort" if argument == "sk" else "partition"
            problem = f'index "{index}" has the {half} key "{name}", which neither a field nor {argument}= defines'
            yield "E0314", problem, f'add {argument}="...", a word or fields in braces'
    stored = {info.serialization_alias or info.alias or name: name for name, info in cls.model_fields.items()}
    for argument, attribute in store.templated_attributes():
        if attribute in stored:
            help = "rename the field or give it an alias, so that only one of them writes the attribute"
            problem = f'{argument} writes the attribute "{attribute}", and so does field "{stored[attribute]}"'
            yield "E0208", problem, help
    if not store.physical.is_rejected:
        yield from _conflicting_templates(store)


def _conflicting_templates(store: Store) -> Iterator[Problem]:
    """Attributes that two arguments write with different values, once for each superfluous argument."""
    writers: dict[str, str] = {}
    clashes: dict[tuple[str, str], list[str]] = {}
    for argument, attribute in store.templated_attributes():
        first = writers.setdefault(attribute, argument)
        if not _is_same_value(store, first, argument):
            is_index = argument.startswith("gsi")
            pair = ("", argument.rpartition(" ")[0]) if is_index else (first, argument)
            clashes.setdefault(pair, []).append(attribute)
    for (first, second), names in clashes.items():
        if first:
            problem = f"{first} and {second} write the attribute {quoted(names)} with different values"
            help = f"keep one of them, or use another attribute name than {quoted(names)}"
        else:
            problem = f"{second} writes {quoted(names)} again, with a different value"
            help = f"remove it from .key(...), because items already have {quoted(names)}; or use another index key"
        yield "E0317", problem, help


def _is_same_value(store: Store, first: str, second: str) -> bool:
    """Whether two arguments write the same value to an attribute. Arguments without a template write constants."""
    templates = store.templates
    if first == second or (first not in templates and second not in templates):
        return True
    return first in templates and second in templates and templates[first] == templates[second]


def _templates(model: "type[BaseModel] | Bound[Any]", store: Store) -> Iterator[Problem]:
    cls = class_of(model)
    placeholders: set[tuple[str, Placeholder]] = set()
    for argument, template in store.templates.items():
        if (field := _unbraced(template, cls.model_fields)) is not None:
            problem = f'{argument}="{template.text}" is a constant, the same for every {cls.__name__}'
            yield "E0306", problem, f'to use the field, write it in braces: "{{{field}}}"'
        for placeholder in template.placeholders:
            use = (template.text, placeholder)
            if placeholder.path and use not in placeholders:  # a template in two places is one mistake
                placeholders.add(use)
                yield from _placeholder(model, argument, placeholder, is_alone=len(template.parts) == 1)


def _placeholder(
    model: "type[BaseModel] | Bound[Any]", argument: str, placeholder: Placeholder, is_alone: bool
) -> Iterator[Problem]:
    path, store = placeholder.path, store_of(model)
    try:
        kind = bare(resolve(model, path))
    except KeyError as missing:
        if store is not None:
            store.unknown_fields.add(path)
        yield "E0303", f'{argument} names the unknown field "{path}"', field_help(*missing.args)
        return
    if _is_time(kind) and not placeholder.filters and not is_alone:
        forms = ":date, :month or :week" if kind is date else ":iso, :date, :month, :week or :hour"
        form = "date" if kind is date else "iso"
        yield "E0305", f'{argument}: "{path}" is a time without a format', f"write {{{path}:{form}}}: one of {forms}"
    for filter in placeholder.filters:
        if expected := _unmet(filter.name, kind):
            problem = f'{argument}: filter ":{filter.name}" needs {expected}, but "{path}" is {_annotation_text(kind)}'
            yield "E0304", problem, f"write {{{path}}} without the filter, or use a field that is {expected}"


def _unbraced(template: Template, fields: Collection[str]) -> str | None:
    """The field that a template without braces refers to: its whole text, or a foreign placeholder in it."""
    if template.placeholders:
        return None
    words = (template.text, *(word for match in _FOREIGN.finditer(template.text) for word in match.groups()))
    return next((word for word in words if word in fields), None)


def _example(cls: "type[BaseModel]") -> str:
    """A key template that starts with the entity's name."""
    field = next(iter(cls.model_fields), "id")
    return f"{cls.__name__.upper()}#{{{field}}}"


def _annotation_text(kind: Any) -> str:
    """An annotation as text for messages."""
    return str(getattr(kind, "__name__", kind)) if not typing.get_args(kind) else str(kind).replace("typing.", "")


def _is_time(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, date)


def _unmet(filter_name: str, kind: Any) -> str | None:
    """The type that the filter needs; None if the annotation has it."""
    is_datetime = isinstance(kind, type) and issubclass(kind, datetime)
    if filter_name in TIME_WIDTHS and not _is_time(kind) and kind is not Any:
        return "a date or datetime"
    if filter_name in ("iso", "hour") and _is_time(kind) and not is_datetime:
        return "a datetime"
    if filter_name == "pad" and not is_datetime and (not is_number(kind) or kind in (float, Decimal)):
        return "an int"
    if filter_name in ("upper", "lower") and (_is_time(kind) or kind in (int, float, bool, Decimal)):
        return "text"
    return None


def _all_facts(cls: "type[BaseModel]") -> Iterator[object]:
    for info in cls.model_fields.values():
        yield from info.metadata


def _is_quoted(fact: object) -> bool:
    return isinstance(fact, CopiedFrom) and isinstance(fact.model, str)
