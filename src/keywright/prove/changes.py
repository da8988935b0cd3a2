"""What an update sets: values of other instances, and the instance as the model says that it is afterwards."""

from typing import Any

from keywright.ir.attribute import Many, Map, Scalar, Struct, Type
from keywright.ir.entity import element, resolve

from .trial import Trial


def changes(trial: Trial, instance: Any) -> dict[str, Any]:
    """New values for what an update sets or pushes: those of other instances, or made from the old ones."""
    pattern = trial.pattern
    found = {path: _other(trial, instance, path) for path in pattern.sets}
    if pattern.pushes is not None:
        found[pattern.pushes] = _pushed(trial, instance, pattern.pushes)
    return found


def _other(trial: Trial, instance: Any, path: str) -> Any:
    """Another value: one that nothing stored has, if there is one, since an index may want it once."""
    own, stored = raw(instance, path), [raw(one, path) for one in trial.world.instances]
    values = [value for one in trial.world.spares if (value := raw(one, path)) not in (None, own)]
    values.sort(key=lambda value: value in stored)
    return next(iter((*values, *(value for value in stored if value not in (None, own)))), own)


def _pushed(trial: Trial, instance: Any, path: str) -> Any:
    """An element of some instance's list; nothing longer than the list may be is proved here."""
    for one in [instance, *trial.world.instances, *trial.world.spares]:
        if elements := raw(one, path):
            return next(iter(elements))
    return _sample(trial, path)


def _sample(trial: Trial, path: str) -> Any:
    found = resolve(trial.planned.binding.entity.attributes, path)
    kind: Type | None = element(found[-1].type) if found else None
    match kind:
        case Scalar(kind="integer" | "float" | "decimal"):
            return 1
        case Scalar():
            return "x"
        case Struct() | Many() | Map() | None:
            raise LookupError(f'no generated instance has an element in "{path}"')


def raw(instance: Any, path: str) -> Any:
    """A field's own value, as the model holds it; None where something on the way is."""
    for name in path.split("."):
        if instance is None:
            return None
        instance = getattr(instance, name)
    return instance


def with_value(instance: Any, path: str, value: Any) -> Any:
    """A copy of an instance with another value at a path."""
    name, _, rest = path.partition(".")
    inner = with_value(getattr(instance, name), rest, value) if rest else value
    return instance.model_copy(update={name: inner})


def updated(trial: Trial, instance: Any, values: dict[str, Any]) -> Any:
    """The instance after an update, as the model says."""
    for path, value in values.items():
        if path == trial.pattern.pushes:
            before = raw(instance, path) or []
            instance = with_value(instance, path, type(before)([*before, value]))
        else:
            instance = with_value(instance, path, value)
    for path in trial.pattern.unset:
        instance = with_value(instance, path, None)
    return instance
