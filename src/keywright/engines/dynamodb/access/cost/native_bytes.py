"""Exact bytes of native values.

Source, except for numbers and sets:
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html, 2026-11-21; 4,000 random
items agree to the byte with what DynamoDB Local 3.0.0 reports of its tables. Sets have no overhead there; the
documentation is silent on them.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

CONTAINER = 3
"""Bytes of a list or map in addition to its contents."""
ELEMENT = 1
"""Bytes of each element or entry in addition to its value."""
NUMBER_MOST = 21
"""Most bytes of a number."""


def number_bytes(value: Decimal | int | float) -> int:
    """Bytes of a number: its digits in pairs that are aligned on the decimal point.

    Source: byte-exact bisection of the 400 KB limit on the service, published with dynoxide
    (github.com/nubo-db/dynoxide, 2026-08), and 4,000 random items on DynamoDB Local 3.0.0. For numbers such as 120 the
    service may count a byte less.
    """
    decimal = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    _, digits, exponent = decimal.as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits)).lstrip("0")
    if not text:
        return 1
    exponent += len(text) - len(text.rstrip("0"))
    count = len(text.rstrip("0"))
    paired = count + (count + exponent) % 2 + exponent % 2
    return min(paired // 2 + 1 + decimal.is_signed(), NUMBER_MOST)


def utf8(text: str) -> int:
    """Bytes of a text."""
    return len(text.encode())


def native_bytes(item: Mapping[str, Any]) -> int:
    """Bytes of an item in the form of the low-level client, names included."""
    return sum(utf8(name) + value_bytes(value) for name, value in item.items())


def value_bytes(native: Mapping[str, Any]) -> int:
    """Bytes of one native value."""
    ((kind, value),) = native.items()
    match kind:
        case "S":
            return utf8(value)
        case "B":
            return len(value)
        case "N":
            return number_bytes(Decimal(value))
        case "SS" | "NS" | "BS":
            return sum(value_bytes({kind[0]: element}) for element in value)
        case "L":
            return CONTAINER + sum(ELEMENT + value_bytes(element) for element in value)
        case "M":
            return CONTAINER + sum(ELEMENT + utf8(name) + value_bytes(element) for name, element in value.items())
        case _:
            return 1  # BOOL and NULL
