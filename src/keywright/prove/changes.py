"""New values for updates, taken from other instances, and the expected instance after an update."""

from dataclasses import replace
from typing import Any

from keywright.ir.attribute import Many, Map, Scalar, Struct, Tuple, Type
from keywright.ir.entity import element, resolve

from .proof_case import ProofCase


def changes(trial: ProofCase, instance: Any) -> dict[str, Any]:
    """New values for the fields that an update sets or pushes, by path."""
    pattern = trial.pattern
    values = {path: _other(trial, instance, path) for path in pattern.sets}
    if pattern.pushes is not None:
        values[pattern.pushes] = _pushed(trial, instance, pattern.pushes)
    return values


def _other(trial: ProofCase, instance: Any, path: str) -> Any:
    """A different value, preferably one that no stored instance has, because an index may be unique."""
    current, stored = raw(instance, path), [raw(other, path) for other in trial.dataset.instances]
    candidates = [value for spare in trial.dataset.spares if (value := raw(spare, path)) not in (None, current)]
    candidates.sort(key=lambda value: value in stored)
    return next(iter((*candidates, *(value for value in stored if value not in (None, current)))), current)


def _pushed(trial: ProofCase, instance: Any, path: str) -> Any:
    """An element from any instance's list; the maximum length of the list is not tested."""
    for candidate in [instance, *trial.dataset.instances, *trial.dataset.spares]:
        if elements := raw(candidate, path):
            return next(iter(elements))
    return _sample(trial, path)


def _sample(trial: ProofCase, path: str) -> Any:
    attributes = resolve(trial.planned.binding.entity.attributes, path)
    kind: Type | None = element(attributes[-1].type) if attributes else None
    match kind:
        case Scalar(kind="integer" | "float" | "decimal"):
            return 1
        case Scalar():
            return "x"
        case Struct() | Many() | Tuple() | Map() | None:
            raise LookupError(f'no generated instance has an element in "{path}"')


def raw(instance: Any, path: str) -> Any:
    """The value of a field, unconverted; None if a value along the path is None."""
    for name in path.split("."):
        if instance is None:
            return None
        instance = getattr(instance, name)
    return instance


def with_value(instance: Any, path: str, value: Any) -> Any:
    """A copy of an instance with a new value at a path."""
    name, _, rest = path.partition(".")
    inner = with_value(getattr(instance, name), rest, value) if rest else value
    if hasattr(instance, "model_copy"):
        return instance.model_copy(update={name: inner})
    is_named_tuple = hasattr(instance, "_replace")
    return instance._replace(**{name: inner}) if is_named_tuple else replace(instance, **{name: inner})


def updated(trial: ProofCase, instance: Any, values: dict[str, Any]) -> Any:
    """The expected instance after an update."""
    for path, value in values.items():
        if path == trial.pattern.pushes:
            before = raw(instance, path) or []
            instance = with_value(instance, path, type(before)([*before, value]))
        else:
            instance = with_value(instance, path, value)
    for path in trial.pattern.unset:
        instance = with_value(instance, path, None)
    return instance
