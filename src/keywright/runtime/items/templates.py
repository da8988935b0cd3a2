"""Key templates as Python expressions, and back from a key to the values in it."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.keytext import Piece, pieces
from keywright.ir.template import TIME_WIDTHS, Placeholder, Template

from . import text as forms
from .source import Source

_TIMES = {"iso": forms.iso, "date": forms.day, "month": forms.month, "week": forms.week, "hour": forms.hour}


def expression(template: Template, binding: Binding, model: str, source: Source) -> str:
    """Python text that makes the key of the instance named `model`; its value is a str."""
    parts = [
        repr(part) if isinstance(part, str) else _placeholder(part, binding, model, source) for part in template.parts
    ]
    return " + ".join(parts)


def value_of(path: str, model: str) -> str:
    """Python text of a field's value; the path may lead into embedded models."""
    return f"{model}.{path}"


def needed(template: Template, attributes: tuple[Attribute, ...]) -> tuple[str, ...]:
    """Paths of the fields that may be None, without which the key cannot be made."""
    found = (path for placeholder in template.placeholders for path in nullable(placeholder.path, attributes))
    return tuple(dict.fromkeys(found))


def nullable(path: str, attributes: tuple[Attribute, ...]) -> tuple[str, ...]:
    """The fields along a path that may be None, as paths, outermost first."""
    found, names = resolve(attributes, path) or (), path.split(".")
    return tuple(".".join(names[: at + 1]) for at, one in enumerate(found) if one.is_nullable)


def _placeholder(placeholder: Placeholder, binding: Binding, model: str, source: Source) -> str:
    if not placeholder.path:
        count = placeholder.shards or 1
        draw = source.use(random.randrange, "randrange")
        return f"{source.use(forms.shard_text, 'shard_text')}({draw}({count}), {count})"
    written, is_text = _value(placeholder.path, binding, model, source)
    for filter in placeholder.filters:
        if filter.name in TIME_WIDTHS:
            written, is_text = f"{source.use(_TIMES[filter.name], filter.name)}({written})", True
            continue
        if filter.name == "pad":
            written, is_text = f"{source.use(forms.pad, 'pad')}({written}, {filter.number})", True
            continue
        if not is_text:
            written, is_text = f"{source.use(forms.text, 'text')}({written})", True
        match filter.name:
            case "shard":
                written = f"{source.use(forms.shard, 'shard')}({written}, {filter.number})"
            case "upper" | "lower":
                written = f"{written}.{filter.name}()"
            case _:
                written = f"'{{' + {written} + '}}'"
    return written if is_text else f"{source.use(forms.text, 'text')}({written})"


def _value(path: str, binding: Binding, model: str, source: Source) -> tuple[str, bool]:
    """Python text of the value of a field or computed attribute, and whether it is a str for sure."""
    if path in binding.computed:
        others = {name: one for name, one in binding.computed.items() if name != path}
        written = expression(binding.computed[path], replace(binding, computed=others), model, source)
        return f"({written})" if " + " in written else written, True
    found = resolve(binding.entity.attributes, path)
    kind = found[-1].type if found else None
    is_text = isinstance(kind, Scalar) and kind.kind == "string" and not (kind.constants or kind.is_converted)
    return value_of(path, model), is_text


def reader(template: Template, attributes: tuple[Attribute, ...]) -> Callable[[str], dict[str, Any]]:
    """A function from a key to the values of its fields, by path; fields of which only a part is written are left out.

    The function raises ValueError for a text that the template cannot have written.
    """
    pattern, readers = "", dict[str, tuple[str, Callable[[str], Any]]]()
    for at, part in enumerate(template.parts):
        if isinstance(part, str):
            pattern += re.escape(part)
            continue
        # What the check tells the parts of a key apart by is what they are read by.
        written = pieces(Template("", (part,)), attributes)
        *_, piece = written[:-1] if part.is_tag else written
        group = f"(?P<_{at}>{_of_piece(piece)})"
        pattern += rf"\{{{group}\}}" if part.is_tag else group
        read = _reader(part, attributes)
        if read is not None:
            readers[part.path] = (f"_{at}", read)
    compiled = re.compile(pattern, re.DOTALL)

    def values(key: str) -> dict[str, Any]:
        match = compiled.fullmatch(key)
        if match is None:
            raise ValueError(f'"{key}" is no key of "{template.text}"')
        return {path: read(match[group]) for path, (group, read) in readers.items()}

    return values


def _of_piece(piece: Piece) -> str:
    """The regular expression of a run of characters."""
    signs = "." if piece.letters is None else f"[{re.escape(''.join(sorted(piece.letters)))}]"
    return f"{signs}*" if piece.width is None else f"{signs}{{{piece.width}}}"


def _reader(placeholder: Placeholder, attributes: tuple[Attribute, ...]) -> Callable[[str], Any] | None:
    """How the text of a placeholder becomes its field's value; None where it holds only a part of it."""
    found = resolve(attributes, placeholder.path) if placeholder.path else None
    if not found or not isinstance(found[-1].type, Scalar):
        return None
    kind = found[-1].type.kind
    names = [filter.name for filter in placeholder.filters if filter.name != "tag"]
    if names == ["date"] and kind == "date":
        return date.fromisoformat
    if names == ["iso"] or (not names and kind == "datetime"):
        return datetime.fromisoformat
    if names == ["pad"] or (not names and kind == "integer"):
        return int
    if names:
        return None
    plain: dict[str, Callable[[str], Any]] = {
        "uuid": UUID,
        "date": date.fromisoformat,
        "boolean": lambda written: written == "true",
    }
    return plain.get(kind, str)
