"""Names of resources and of their arguments."""

import re
from functools import cache
from typing import Any

VERBATIM = ("tags", "dimensions")
"""Arguments whose keys are the user's, or the service's."""


def snake(inputs: dict[str, Any]) -> dict[str, Any]:
    """Inputs with the argument names of the Python SDK: `hash_key` for `hashKey`, at every depth."""
    return {_snake(key): value if key in VERBATIM else _inner(value) for key, value in inputs.items()}


def _inner(value: Any) -> Any:
    if isinstance(value, dict):
        return snake(value)
    return [_inner(one) for one in value] if isinstance(value, list) else value


@cache
def _snake(name: str) -> str:
    return re.sub(r"([A-Z])", lambda found: f"_{found[1].lower()}", name)
