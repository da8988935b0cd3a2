"""IAM policy documents: allowed actions, resources and principals."""

import json
from collections.abc import Iterator
from typing import Any

from keywright.record import Record


class Allowed(Record):
    """One statement with the effect Allow."""

    actions: tuple[str, ...]
    """Patterns of actions, in lower case."""
    resources: tuple[str, ...]
    """Patterns of ARNs."""
    principals: tuple[str, ...]
    """`*`, account numbers and ARNs; empty for a policy that is attached to its principal."""
    is_conditional: bool
    """Whether it has a condition."""
    name: str = ""
    """Its Sid; empty for none."""
    excepted: tuple[str, ...] = ()
    """Patterns of actions that it leaves out of `*`, by NotAction."""


def allowed(document: Any) -> Iterator[Allowed]:
    """The Allow statements of a document, as text or as plain data; none for any other value."""
    if isinstance(document, str):
        try:
            document = json.loads(document)
        except ValueError:
            return
    if not isinstance(document, dict):
        return
    for statement in _listed(document.get("Statement")):
        if isinstance(statement, dict) and statement.get("Effect") == "Allow":
            yield Allowed(
                actions=_actions(statement.get("Action")) or (("*",) if statement.get("NotAction") else ()),
                resources=tuple(map(str, _listed(statement.get("Resource")))),
                principals=tuple(_principals(statement.get("Principal"))),
                is_conditional=bool(statement.get("Condition")),
                name=str(statement.get("Sid") or ""),
                excepted=_actions(statement.get("NotAction")),
            )


def _actions(value: Any) -> tuple[str, ...]:
    return tuple(str(action).lower() for action in _listed(value))


def _principals(principal: Any) -> Iterator[str]:
    if isinstance(principal, dict):
        for kind, names in principal.items():
            yield from (str(name) for name in _listed(names) if kind in ("AWS", "*"))
    else:
        yield from map(str, _listed(principal))


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]
