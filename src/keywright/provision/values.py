"""Values on their way through Pulumi, which drops what is None and has no number but floats."""

from typing import Any

from keywright.ir.json import Json

NULL, INTEGER = "$null", "$integer"
"""Keys of the objects that stand for None, and for an integer that no float holds."""

EXACT = 2**53
"""Up to here a float holds every integer."""


def sent(value: Json) -> Any:
    """A value as a program gives it to Pulumi."""
    match value:
        case None:
            return {NULL: True}
        case bool():
            return value
        case int() if abs(value) > EXACT:
            return {INTEGER: str(value)}
        case list():
            return [sent(one) for one in value]
        case dict():
            return {key: sent(one) for key, one in value.items()}
    return value


def received(value: Any) -> Json:
    """The inverse of `sent`, of what comes back; what is None there is left out of objects."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [received(one) for one in value]
        case {"$null": True}:
            return None
        case {"$integer": str(text)}:
            return int(text)
        case dict():
            return {key: received(one) for key, one in value.items() if one is not None}
    return value  # type: ignore[no-any-return]  # a text, a bool or a fraction
