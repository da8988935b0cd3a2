"""Imported model files into a Design."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from pydantic import BaseModel

from keywright.declare.complete import check_model
from keywright.declare.declared import Declared
from keywright.declare.fields import class_of, is_model, store_of
from keywright.declare.selection import Load
from keywright.declare.store import Bound, Physical, Store
from keywright.errors import DeclarationError, Place, report
from keywright.ir import physical as ir
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.template import Template

from .entities import Entities
from .patterns import Lowering
from .strays import report_strays

D = TypeVar("D", bound=Declared)


def lower(modules: Iterable[ModuleType]) -> Design:
    """The Design that modules declare, in the order of the files and of the lines in them.

    What is wrong is reported; a declaration that was refused is left out, so that nothing behind stumbles over it.
    """
    modules = tuple(modules)
    report_strays(modules)
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
    patterns = (lowering.lower(value, variable, module) for module, variable, value in _declared(modules, Load))
    found = tuple(pattern for pattern in patterns if pattern is not None)
    return Design(entities.found, physicals.found, tuple(bindings.values()), found, frozenset(damaged))


def binding_of(name: str, model: type[BaseModel] | Bound[Any]) -> Binding | None:
    """One model in its store, without the rest of the project; None if it was refused."""
    return _bind(name, model, Entities(), _Physicals())


def _bind(
    name: str, model: "type[BaseModel] | Bound[Any]", entities: Entities, physicals: "_Physicals"
) -> Binding | None:
    store = store_of(model)
    if store is None or store.is_refused:
        return None
    check_model(model)
    physical, entity = physicals.add(store.physical), entities.lower(class_of(model))
    if physical is None or entity is None or store.is_refused:
        return None
    return Binding(name, entity, physical, store, store.templates, _computed(store), store.at)


def _physical_name(model: "type[BaseModel] | Bound[Any]") -> set[str]:
    """Name of the table, database, keyspace or server of a model, as far as its store says."""
    store = store_of(model)
    physical = getattr(store, store.__options__.subjects[0], None) if store else None
    return {physical.name} if isinstance(physical, Physical) and not physical.is_incomplete else set()


def _computed(store: Store) -> dict[str, Template]:
    return {name: store.templates[f'computed["{name}"]'] for name in store.computed}


def _models(modules: tuple[ModuleType, ...]) -> Iterator[tuple[str, Any]]:
    """(binding name, class or Bound) of everything that is stored."""
    for module in modules:
        for variable, value in vars(module).items():
            if "[" in variable:
                continue  # where Pydantic keeps the parametrised form of a generic model, beside the user's own name
            if is_model(value) and value.__module__ == module.__name__ and _is_stored(value):
                yield value.__name__, value
            elif isinstance(value, Bound) and value.at.file == module.__file__ and not value.is_refused:
                yield variable, value


def _is_stored(cls: Any) -> bool:
    """Whether a class is an entity: it has a store, and none of its types is still open."""
    return store_of(cls) is not None and not cls.__pydantic_generic_metadata__["parameters"]


def models_of(modules: Iterable[ModuleType]) -> dict[str, object]:
    """The class, or the result of `bind`, behind each binding name."""
    return dict(_models(tuple(modules)))


def patterns_of(modules: Iterable[ModuleType]) -> dict[tuple[str, str], object]:
    """The declaration behind each pattern, by (module, variable)."""
    return {(module, variable): value for module, variable, value in _declared(tuple(modules), Load)}


def _declared(modules: tuple[ModuleType, ...], kind: type[D]) -> Iterator[tuple[str, str, D]]:
    """(module, variable, declaration) of one kind, each in the file that wrote it."""
    for module in modules:
        for variable, value in vars(module).items():
            if isinstance(value, kind) and value.at.file == module.__file__:
                yield module.__name__, variable, value


def _line(at: Place) -> str:
    """A line as sentences call it, without the folders above the file."""
    return f'{at.line} of "{Path(at.file).name}"'


class _Physicals:
    """Physical things, each declaration once."""

    def __init__(self) -> None:
        self._things: dict[int, ir.Physical] = {}
        self._by_name: dict[tuple[str, str], ir.Physical] = {}

    @property
    def found(self) -> tuple[ir.Physical, ...]:
        """All of them, in the order in which they were added."""
        return tuple(self._things.values())

    def add(self, spec: Physical, variable: str = "") -> ir.Physical | None:
        """The thing that a declaration describes; None if it was refused."""
        if spec.is_refused or not spec.engine:
            return None
        if id(spec) not in self._things:
            thing = ir.Physical(spec.engine, spec.name, variable or spec.name, spec, spec.at)
            twin = self._by_name.setdefault((thing.engine, thing.name), thing)
            if twin is not thing:
                problem = f'"{spec.name}" is declared a second time, first in line {_line(twin.at)}'
                help = f'use "{twin.variable}" where it is needed, or give one of them another name'
                report(DeclarationError("E0110", problem, spec.at, help, variable))
                return twin
            self._things[id(spec)] = thing
        return self._things[id(spec)]
