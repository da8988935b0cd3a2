"""Policy documents of IAM: what they allow, and whom."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Allowed:
    """One statement that allows something."""

    actions: tuple[str, ...]
    """Patterns of actions, in lower case."""
    resources: tuple[str, ...]
    """Patterns of ARNs."""
    principals: tuple[str, ...]
    """Whom: `*`, account numbers and ARNs; empty where the document hangs on whom it is about."""
    is_conditional: bool
    """Whether only under a condition."""


def allowed(document: Any) -> Iterator[Allowed]:
    """The statements of a document, as text or as plain data; nothing of what is no document."""
    if isinstance(document, str):
        try:
            document = json.loads(document)
        except ValueError:
            return
    if not isinstance(document, dict):
        return
    for one in _listed(document.get("Statement")):
        if isinstance(one, dict) and one.get("Effect") == "Allow":
            yield Allowed(
                actions=tuple(str(action).lower() for action in _listed(one.get("Action"))),
                resources=tuple(map(str, _listed(one.get("Resource")))),
                principals=tuple(_principals(one.get("Principal"))),
                is_conditional=bool(one.get("Condition")),
            )


def _principals(told: Any) -> Iterator[str]:
    if isinstance(told, dict):
        for kind, names in told.items():
            yield from (str(name) for name in _listed(names) if kind in ("AWS", "*"))
    else:
        yield from map(str, _listed(told))


def _listed(told: Any) -> list[Any]:
    if told is None:
        return []
    return list(told) if isinstance(told, list) else [told]
