"""Errors of Pydantic as text without any part of a value."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic_core import core_schema

from keywright.ir.allowed import allowed_of
from keywright.ir.attribute import Many, Map, Struct, Tuple, Type

_UNSAFE_TEXTS = ("value_error", "assertion_error", "custom_error", "union_tag_invalid")
"""Errors whose text may repeat the value, mostly from validators of the model."""

_ERROR_TYPES = frozenset(get_args(core_schema.ErrorType))


def problem_of(error: Mapping[str, Any], place: Sequence[int | str], kind: Type) -> tuple[str, str]:
    """(path inside the argument, problem and allowed values) of one error of Pydantic.

    kind: the logical type of the argument, along which the place is resolved.
    """
    path, kind = _path_text(place, kind)
    allowed = allowed_of(kind)
    if error["type"] == "missing":
        return path, f"the field has no value; it takes {allowed}"
    if error["type"].startswith("kw_"):
        return path, f"{error['msg']}; it takes {allowed}"
    if error["type"] in _UNSAFE_TEXTS or error["type"].endswith("_parsing") or error["type"] not in _ERROR_TYPES:
        return path, f"a validator of the model rejects it; it takes {allowed}"
    message = error["msg"]
    return path, f"{message[:1].lower()}{message[1:]}; it takes {allowed}"


def _path_text(place: Sequence[int | str], kind: Type) -> tuple[str, Type]:
    """The text of a place, without keys of maps, because keys are values too; and the logical type at the place."""
    path = ""
    for part, following in zip(place, (*place[1:], None), strict=False):
        if isinstance(kind, Struct):
            field = next((attribute for attribute in kind.attributes if attribute.name == part), None)
            if field is None:
                continue
            path, kind = f"{path}.{part}", field.type
        elif isinstance(kind, Map):
            path, kind = f"{path}[...]", kind.key if following == "[key]" else kind.value
        elif isinstance(part, int):
            path = f"{path}[{part}]"
            kind = kind.elements[part] if isinstance(kind, Tuple) else kind.element if isinstance(kind, Many) else kind
    return path, kind
