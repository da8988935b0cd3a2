"""Translates imported model files into a Design."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from pydantic import BaseModel

from keywright.declare.checks.complete import check_model
from keywright.declare.declared import Declared
from keywright.declare.fields import class_of, is_model, store_of
from keywright.declare.selection import TimedPattern
from keywright.declare.store import Bound, Physical
from keywright.errors import DeclarationError, Place, report
from keywright.ir import binding as ir
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.time_precision import precise

from .entities import Entities
from .patterns import Lowering
from .unnamed_declarations import report_unnamed
from .unused_declarations import report_unused

D = TypeVar("D", bound=Declared)


def lower(modules: Iterable[ModuleType], declared: Iterable[Declared] = ()) -> Design:
    """The Design that modules declare, in the order of the files and of the lines in them.

    declared: every declaration that was recorded during the imports.
    Errors are reported. A rejected declaration is left out, so that later stages do not report it again.
    """
    modules = tuple(modules)
    report_unused(modules)
    report_unnamed(modules, declared)
    entities, physicals = Entities(), _Physicals()
    for _, variable, spec in _declared(modules, Physical):
        physicals.add(spec, variable)
    bindings: dict[str, Binding] = {}
    names: dict[int, str] = {}
    damaged: set[str] = set()
    for name, model in _models(modules):
        names[id(model)] = name
        binding = _bind(name, model, entities, physicals)
        if binding is None:
            damaged |= _physical_name(model)
        if binding is not None and (twin := bindings.setdefault(name, binding)) is not binding:
            problem = f'a second model in a store is called "{name}", the first is in line {_line(twin.at)}'
            report(DeclarationError("E0105", problem, binding.at, "give one of them another name", name))
    variables = {id(value): variable for _, variable, value in _declared(modules, Declared)}
    lowering = Lowering(names, variables, set(bindings))
    patterns = (lowering.lower(value, variable, module) for module, variable, value in _declared(modules, TimedPattern))
    lowered_patterns = tuple(pattern for pattern in patterns if pattern is not None)
    return Design(entities.lowered, physicals.lowered, tuple(bindings.values()), lowered_patterns, frozenset(damaged))


def binding_of(name: str, model: type[BaseModel] | Bound[Any]) -> Binding | None:
    """The binding of one model, without the rest of the project; None if it is rejected."""
    return _bind(name, model, Entities(), _Physicals())


def _bind(
    name: str, model: "type[BaseModel] | Bound[Any]", entities: Entities, physicals: "_Physicals"
) -> Binding | None:
    store = store_of(model)
    if store is None or store.is_rejected:
        return None
    check_model(model)
    physical, entity = physicals.add(store.physical), entities.lower(class_of(model))
    if physical is None or entity is None or store.is_rejected:
        return None
    templates = {argument: precise(template, entity.attributes) for argument, template in store.templates.items()}
    computed = {name: templates[f'computed["{name}"]'] for name in store.computed}
    return Binding(name, entity, physical, store, templates, computed, store.at)


def _physical_name(model: "type[BaseModel] | Bound[Any]") -> set[str]:
    """Name of the table, database, keyspace or server of a model, if its store has one."""
    store = store_of(model)
    physical = getattr(store, store.__options__.subjects[0], None) if store else None
    return {physical.name} if isinstance(physical, Physical) and not physical.is_incomplete else set()


def _models(modules: tuple[ModuleType, ...]) -> Iterator[tuple[str, Any]]:
    """(binding name, class or Bound) of every stored model, once."""
    named: set[int] = set()
    for module in modules:
        for variable, value in vars(module).items():
            if "[" in variable or id(value) in named:
                continue  # Pydantic keeps the parametrised form of a generic model beside the user's own name
            if is_model(value) and value.__module__ == module.__name__ and _is_stored(value):
                named.add(id(value))
                yield value.__name__, value
            elif isinstance(value, Bound) and value.is_of(module) and not value.is_rejected:
                named.add(id(value))
                yield variable, value


def _is_stored(cls: Any) -> bool:
    """Whether a class is an entity: it has a store, and no open type parameters."""
    return store_of(cls) is not None and not cls.__pydantic_generic_metadata__["parameters"]


def models_of(modules: Iterable[ModuleType]) -> dict[str, object]:
    """The class, or the result of `bind`, behind each binding name."""
    return dict(_models(tuple(modules)))


def patterns_of(modules: Iterable[ModuleType]) -> dict[tuple[str, str], object]:
    """The declaration behind each pattern, by (module, variable)."""
    return {(module, variable): value for module, variable, value in _declared(tuple(modules), TimedPattern)}


def _declared(modules: tuple[ModuleType, ...], kind: type[D]) -> Iterator[tuple[str, str, D]]:
    """(module, variable, declaration) of one kind, each in the module that declares it."""
    named: set[int] = set()
    for module in modules:
        for variable, value in vars(module).items():
            if isinstance(value, kind) and value.is_of(module) and id(value) not in named:
                named.add(id(value))  # a second variable for the same object does not declare it again
                yield module.__name__, variable, value


def _line(at: Place) -> str:
    """A line number and the file name, without folders, for messages."""
    return f'{at.line} of "{Path(at.file).name}"'


class _Physicals:
    """Physical objects, one for each declaration."""

    def __init__(self) -> None:
        self._physicals: dict[int, ir.Physical] = {}
        self._by_name: dict[tuple[str, str], ir.Physical] = {}

    @property
    def lowered(self) -> tuple[ir.Physical, ...]:
        """All physical objects, in the order of `add`."""
        return tuple(self._physicals.values())

    def add(self, spec: Physical, variable: str = "") -> ir.Physical | None:
        """The physical object of a declaration; None if the declaration is rejected."""
        if spec.is_rejected or not spec.engine:
            return None
        if id(spec) not in self._physicals:
            physical = ir.Physical(spec.engine, spec.name, variable or spec.name, spec, spec.at)
            twin = self._by_name.setdefault((physical.engine, physical.name), physical)
            if twin is not physical:
                problem = f'"{spec.name}" is declared twice; the first declaration is in line {_line(twin.at)}'
                help = f'use the variable "{twin.variable}" in both places, or rename one of them'
                report(DeclarationError("E0110", problem, spec.at, help, variable))
                return twin
            self._physicals[id(spec)] = physical
        return self._physicals[id(spec)]
