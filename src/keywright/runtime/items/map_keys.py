"""Keys of mappings as text, in stores whose maps have only text keys.

Each key has exactly one text. Another text of the same key, such as `01`, is rejected when an item is read, because two
texts could then be one key.
"""

from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from keywright.ir.attribute import Scalar
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.validate.stored_types import refuse

from . import text as forms


def written(key: Scalar, source: FunctionSource) -> str:
    """Python expression of the text of a key, named `k`."""
    value = f"{source.use(forms.plain, 'plain')}(k)" if key.constants else "k"
    if key.precision:
        return f"{source.use(forms.ISO[key.precision], 'key_time')}({value})"
    return value if key.kind == "string" and not key.is_converted else f"{source.use(_text, 'key_text')}({value})"


def read(key: Scalar, source: FunctionSource) -> str:
    """Python expression of a key from its text, named `k`."""
    if key.precision:
        return f"{source.use(_reader(datetime.fromisoformat, forms.ISO[key.precision]), 'time_key')}(k)"
    return "k" if key.kind == "string" else f"{source.use(_READ[key.kind], f'{key.kind}_key')}(k)"


def _text(key: Any) -> str:
    return key.isoformat() if isinstance(key, time) else forms.text(key)


def _reader(parse: Callable[[str], Any], write: Callable[[Any], str] = _text) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        key = parse(text)
        return key if write(key) == text else refuse(text)

    return read


def _flag(text: str) -> bool:
    return text == "true"


_READ: dict[str, Callable[[str], Any]] = {
    "integer": _reader(int), "boolean": _reader(_flag), "uuid": _reader(UUID), "date": _reader(date.fromisoformat),
    "datetime": _reader(datetime.fromisoformat), "time": _reader(time.fromisoformat),
}  # fmt: skip
"""Functions from a text to a key; ValueError or WrongType for a text that is not written for any key."""
