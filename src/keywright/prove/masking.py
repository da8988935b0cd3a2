"""Instances and native items as text for problems of a proof, with the values of personal fields masked."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from keywright.errors import KeywrightError
from keywright.ir.binding import Binding
from keywright.ir.personal import has_personal_fields, has_personal_keys, is_personal, is_personal_path

MASK = "***"
"""Replaces the value of a personal field."""

MOST_LETTERS = 160
"""Maximum length of the text of one instance or item."""


def masked(binding: Binding, subject: Any) -> str:
    """Short text of an instance, a mapping by name, or a native item."""
    key = getattr(subject, "key", None)  # a Redis item has its key apart from its values
    values = _values(subject)
    if values is None:
        text = MASK if has_personal_fields(binding) else repr(getattr(subject, "value", subject))
    else:
        text = ", ".join(f"{name}={_shown(binding, name, value)}" for name, value in values.items())
    if key is not None:
        text = f"{MASK if has_personal_keys(binding) else key}: {text}"
    elif not isinstance(subject, Mapping):
        text = f"{type(subject).__name__}({text})"
    return _short(text)


def masked_values(binding: Binding, values: Mapping[str, Any]) -> str:
    """Text of a call's values by field path."""
    pairs = (f"{path}={MASK if is_personal_path(binding, path) else repr(value)}" for path, value in values.items())
    return ", ".join(pairs) or "no values"


def masked_error(binding: Binding, error: Exception) -> str:
    """Class and message of an exception; without the message if it may contain a personal value."""
    kind = type(error).__name__
    if isinstance(error, ValidationError):
        fields = dict.fromkeys(
            str(problem["loc"][0]) for problem in error.errors(include_input=False) if problem["loc"]
        )
        return f"{kind}: {', '.join(fields) or 'the whole'}"
    if has_personal_fields(binding) and not isinstance(error, KeywrightError):
        return f"{kind}, whose message is masked because {binding.entity.name} has personal fields"
    return f"{kind}: {' '.join(str(error).split())}"


def differing(binding: Binding, actual: Any, expected: Any) -> str:
    """Text of the fields in which two instances or native items differ."""
    left, right = _values(actual), _values(expected)
    if left is None or right is None:
        return f"{masked(binding, actual)}, expected {masked(binding, expected)}"
    names = [name for name in {**left, **right} if left.get(name) != right.get(name)]
    pairs = ((name, _shown(binding, name, left.get(name)), _shown(binding, name, right.get(name))) for name in names)
    return ", ".join(f"{name}: {own}, expected {other}" for name, own, other in pairs)[: 2 * MOST_LETTERS]


def _values(subject: Any) -> Mapping[str, Any] | None:
    """Values of an instance or item by name; None if it has no named values."""
    value = getattr(subject, "value", subject) if hasattr(subject, "structure") else subject
    if isinstance(value, Mapping):
        return value
    return vars(value) if hasattr(value, "__dict__") else None


def _shown(binding: Binding, name: str, value: Any) -> str:
    """Text of the value under a Python or stored name; any other name belongs to a key or a computed attribute."""
    for attribute in binding.entity.attributes:
        if name in (attribute.name, attribute.stored):
            return MASK if is_personal(attribute.type) else repr(value)
    return MASK if has_personal_keys(binding) else repr(value)


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 3]}..."
