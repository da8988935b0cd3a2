"""Key templates as Python expressions that write keys, and as functions that read values from keys."""

import random
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from keyword import iskeyword
from typing import Any
from uuid import UUID

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.key_texts import expression as text_expression
from keywright.ir.key_texts import value_piece
from keywright.ir.template import TIME_WIDTHS, Filter, Placeholder, Template
from keywright.record import replace

from ..function_source import FunctionSource
from . import text as forms
from .fit import fit

_TIMES = {"date": forms.day, "month": forms.month, "week": forms.week, "hour": forms.hour}


def expression(template: Template, binding: Binding, model: str, source: FunctionSource) -> str:
    """Python text of an expression that makes the key, a str, of the instance named `model`."""
    parts = [
        repr(part) if isinstance(part, str) else _placeholder(part, template.text, binding, model, source)
        for part in template.parts
    ]
    return " + ".join(parts)


def value_of(path: str, model: str) -> str:
    """Python text of a field's value; the path may lead into embedded models."""
    code = model
    for name in path.split("."):  # `create_model` accepts names that are not identifiers
        is_plain = name.isidentifier() and not iskeyword(name)
        code = f"{code}.{name}" if is_plain else f"getattr({code}, {name!r})"
    return code


def needed(template: Template, attributes: tuple[Attribute, ...]) -> tuple[str, ...]:
    """Paths of the nullable fields that the key needs."""
    paths = (path for placeholder in template.placeholders for path in nullable(placeholder.path, attributes))
    return tuple(dict.fromkeys(paths))


def nullable(path: str, attributes: tuple[Attribute, ...]) -> tuple[str, ...]:
    """Paths of the nullable fields along a path, outermost first."""
    along, names = resolve(attributes, path) or (), path.split(".")
    return tuple(".".join(names[: depth + 1]) for depth, attribute in enumerate(along) if attribute.is_nullable)


def _placeholder(placeholder: Placeholder, template: str, binding: Binding, model: str, source: FunctionSource) -> str:
    if not placeholder.path:
        count = placeholder.shards or 1
        draw = source.use(random.randrange, "randrange")
        return f"{source.use(forms.shard_text, 'shard_text')}({draw}({count}), {count})"
    code, is_text = _value(placeholder.path, binding, model, source)
    checked = fit(template, placeholder, value_piece(placeholder, binding.entity.attributes))
    for filter in placeholder.filters:
        if filter.name in TIME_WIDTHS or filter.name == "pad":
            code, is_text = _written(filter, code, source), True
            continue
        if not is_text:
            code, is_text = f"{source.use(forms.text, 'text')}({code})", True
        match filter.name:
            case "shard":
                code = f"{source.use(forms.shard, 'shard')}({code}, {filter.number})"
            case "upper" | "lower":
                code = f"{code}.{filter.name}()"
            case _:
                code = f"('{{' + {code} + '}}')"
    if not is_text:
        code = f"{source.use(forms.text, 'text')}({code})"
    return code if checked is None else f"{source.use(checked, 'fits')}({code})"


def _written(filter: Filter, code: str, source: FunctionSource) -> str:
    """Python text of the text that a filter writes for a time or a number."""
    if filter.name == "pad":
        if filter.precision:
            code = f"{source.use(forms.EPOCHS[filter.precision], 'epoch')}({code})"
        return f"{source.use(forms.pad, 'pad')}({code}, {filter.number})"
    if filter.format:
        return f"{source.use(partial(forms.formatted, filter.format, filter.precision), 'formatted')}({code})"
    write = forms.ISO[filter.precision] if filter.name == "iso" else _TIMES[filter.name]
    return f"{source.use(write, filter.name)}({code})"


def _value(path: str, binding: Binding, model: str, source: FunctionSource) -> tuple[str, bool]:
    """Python text of the value of a field or computed attribute, and whether the value is certainly a str."""
    if path in binding.computed:
        others = {name: template for name, template in binding.computed.items() if name != path}
        code = expression(binding.computed[path], replace(binding, computed=others), model, source)
        return f"({code})" if " + " in code else code, True
    attributes = resolve(binding.entity.attributes, path)
    kind = attributes[-1].type if attributes else None
    is_text = isinstance(kind, Scalar) and kind.kind == "string" and not (kind.constants or kind.is_converted)
    return value_of(path, model), is_text


def reader(template: Template, attributes: tuple[Attribute, ...]) -> Callable[[str], dict[str, Any]]:
    """A function from a key to the values of its fields, by path, without fields that the key contains only in part.

    The function raises ValueError for a text that does not match the template.
    """
    pattern, readers = "", dict[str, tuple[str, Callable[[str], Any]]]()
    for number, part in enumerate(template.parts):
        if isinstance(part, str):
            pattern += re.escape(part)
            continue
        # The same expressions let the check of declarations distinguish the parts of a key.
        group = f"(?P<_{number}>{text_expression(value_piece(part, attributes))})"
        pattern += rf"\{{{group}\}}" if part.is_tag else group
        read = _reader(part, attributes)
        if read is not None:
            readers[part.path] = (f"_{number}", read)
    compiled = re.compile(pattern, re.DOTALL)

    def values(key: str) -> dict[str, Any]:
        match = compiled.fullmatch(key)
        if match is None:
            raise ValueError(f'"{key}" is not a key of "{template.text}"')
        return {path: read(match[group]) for path, (group, read) in readers.items()}

    return values


def _reader_of(format: str, *, is_day: bool) -> Callable[[str], Any]:
    if is_day:
        return lambda text: datetime.strptime(text, format).date()
    return lambda text: datetime.strptime(text, format).replace(tzinfo=UTC)


def _reader(placeholder: Placeholder, attributes: tuple[Attribute, ...]) -> Callable[[str], Any] | None:
    """The parser of a placeholder's text; None if the text contains only a part of the field's value."""
    along = resolve(attributes, placeholder.path) if placeholder.path else None
    if not along or not isinstance(along[-1].type, Scalar):
        return None
    kind = along[-1].type.kind
    filters = [filter for filter in placeholder.filters if filter.name != "tag"]
    names = [filter.name for filter in filters]
    if names == ["pad"] and (precision := filters[0].precision):
        return forms.MOMENTS[precision]
    if names in (["iso"], ["date"]) and filters[0].format:
        return _reader_of(filters[0].format, is_day=kind == "date") if names == ["iso"] or kind == "date" else None
    if names == ["date"] and kind == "date":
        return date.fromisoformat
    if names == ["iso"] or (not names and kind == "datetime"):
        return datetime.fromisoformat
    if names == ["pad"] or (not names and kind == "integer"):
        return int
    if names:
        return None
    parsers: dict[str, Callable[[str], Any]] = {
        "uuid": UUID,
        "date": date.fromisoformat,
        "boolean": lambda text: text == "true",
    }
    return parsers.get(kind, str)
