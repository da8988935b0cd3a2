"""Compares the values that upgrades write into stored items with the fields of the model that reads them."""

from collections.abc import Iterator
from typing import TypeAlias

from keywright.declare.store import Store
from keywright.errors import DeclarationError, did_you_mean
from keywright.ir.allowed import allowed_of, is_stored
from keywright.ir.attribute import Attribute, Struct
from keywright.ir.binding import Binding
from keywright.ir.template import Template
from keywright.ir.text import one_line
from keywright.ir.text_form import text
from keywright.ir.transform import StepConstant, Transform
from keywright.ir.upgrades import upgrade_of
from keywright.record import Record, replace


class _Outcome(Record):
    """The state that upgrades leave at a path."""

    version: int
    """The last upgrade that changed the path."""
    constants: tuple[StepConstant, ...] = ()
    """The constants among the possible values."""
    is_removed: bool = False
    """Whether the value is removed."""


_State: TypeAlias = dict[str, _Outcome]


def check(binding: Binding) -> Iterator[DeclarationError]:
    """Reports upgrades that write unknown fields, remove required fields or write constants of the wrong type."""
    spec = binding.spec
    if not isinstance(spec, Store) or any(upgrade.is_rejected for upgrade in spec.upgrades.values()):
        return
    state: _State = {}
    for version in range(1, spec.schema_version):
        if (transform := upgrade_of(binding, version)) is not None:
            _apply(transform, version, state)

    def wrong(code: str, problem: str, help: str) -> DeclarationError:
        return DeclarationError(code, problem, binding.at, help, binding.name)

    names = [name for _, name in spec.templated_attributes()]
    for path, outcome in state.items():
        quoted_path = f'"{one_line(path)}"'
        attribute = _attribute(binding.entity.attributes, path)
        if attribute is None:
            if not outcome.is_removed and path not in names:
                stored_names = [*(field.stored for field in binding.entity.attributes), *names]
                problem = f"upgrades[{outcome.version}] writes {quoted_path}, which is not a field of the model"
                yield wrong("E0519", problem, did_you_mean(path, stored_names))
        elif outcome.is_removed:
            if attribute.is_required and not attribute.is_nullable:
                problem = f"upgrades[{outcome.version}] removes {quoted_path}, which the model requires"
                yield wrong("E0519", problem, "keep it in the items, or give the field a default")
        else:
            for constant in outcome.constants:
                if not is_stored(attribute.type, constant):
                    problem = f"upgrades[{outcome.version}] writes {one_line(repr(constant))} into {quoted_path}"
                    yield wrong("E0213", problem, f"the field takes {allowed_of(attribute.type)}")


def _attribute(attributes: tuple[Attribute, ...], path: str) -> Attribute | None:
    """The attribute at a path of stored names; None if there is none."""
    name, _, inner_path = path.partition(".")
    attribute = next((attribute for attribute in attributes if attribute.stored == name), None)
    if attribute is None or not inner_path:
        return attribute
    return _attribute(attribute.type.attributes, inner_path) if isinstance(attribute.type, Struct) else None


def _apply(transform: Transform, version: int, state: _State) -> None:
    """Update the state by one upgrade, one kind of step after the other in the order of a transform."""
    written = _Outcome(version)
    removed = replace(written, is_removed=True)

    def outcome_of(path: str) -> _Outcome:
        outcome = state.get(path, written)
        return written if outcome.is_removed else replace(outcome, version=version)

    state.update({new: outcome_of(old) for new, old in transform.copy})
    state.update(
        {old: removed for _, old in transform.rename} | {new: outcome_of(old) for new, old in transform.rename}
    )
    state.update({part: written for _, split in transform.split for part in split.into})
    state.update({path: written for path, _ in transform.cast})
    for path, pairs in transform.map:
        new = dict(pairs)
        state[path] = _Outcome(
            version, (*(new.get(text(constant), constant) for constant in outcome_of(path).constants), *new.values())
        )
    for path, value in transform.set:
        constants = () if isinstance(value, Template) else (*outcome_of(path).constants, value)
        state[path] = _Outcome(version, constants)
    state.update(dict.fromkeys(transform.unset, removed))
