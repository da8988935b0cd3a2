"""Declarations that nothing would ever read: to pass over them in silence would mislead."""

from collections.abc import Iterable, Iterator
from types import ModuleType

from keywright.declare.fields import class_of, is_model, store_of
from keywright.declare.locate import place_in
from keywright.declare.selection import Load, Pattern
from keywright.declare.store import Bound, Store
from keywright.errors import DeclarationError, report


def report_strays(modules: Iterable[ModuleType]) -> None:
    """Report every store that no model has, and every pattern that no variable names."""
    modules = tuple(modules)
    attached = _attached(modules)
    for module in modules:
        for cls in _classes(module):
            for error in (*_misplaced(module, cls), *_hidden(module, cls.__name__, vars(cls).items())):
                report(error)
        for error in (*_unused(module, attached), *_unnamed(module), *_foreign(module, modules)):
            report(error)


def _classes(module: ModuleType) -> Iterator[type]:
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield value


def _misplaced(module: ModuleType, cls: type) -> Iterator[DeclarationError]:
    """Stores on a class that has none, or under a name that nothing reads."""
    for name, value in vars(cls).items():
        if name != "__store__" and not isinstance(value, Store):
            continue
        if name == "__store__" and isinstance(value, Store) and is_model(cls):
            continue
        at = place_in(str(module.__file__), cls.__name__, name)
        if name != "__store__" and isinstance(value, Store):
            kind = type(value).__name__
            problem = f'"{name}" holds a store, which counts only under the name "__store__"'
            help = f"write __store__: ClassVar = kw.{kind}(...), with two underscores on both sides"
            yield DeclarationError("E0510", problem, at, help, cls.__name__)
        elif name == "__store__" and not isinstance(value, Store):
            shown = f"the class {value.__name__}" if isinstance(value, type) else f"{type(value).__name__}(...)"
            help = "give it a store: kw.Item(table, ...), kw.Collection(...), kw.CqlTable(...) or one of kw.Redis..."
            yield DeclarationError("E0516", f'"__store__" is {shown}, which is no store', at, help, cls.__name__)
        elif name == "__store__" and not is_model(cls):
            help = f"write class {cls.__name__}(BaseModel):, with BaseModel from pydantic"
            problem = "a class with a __store__ is no Pydantic model"
            yield DeclarationError("E0517", problem, at, help, cls.__name__)


def _hidden(module: ModuleType, owner: str, values: Iterable[tuple[str, object]]) -> Iterator[DeclarationError]:
    for name, value in values:
        if isinstance(value, Load):
            problem = f'the pattern "{name}" stands inside "{owner}", where it is not read'
            yield DeclarationError("E0607", problem, value.at, f"move it below the class: {name} = ...", owner)


def _unnamed(module: ModuleType) -> Iterator[DeclarationError]:
    """Patterns inside lists and mappings: a pattern's name is its variable's."""
    named = {id(value) for value in vars(module).values()}
    for variable, value in vars(module).items():
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple, set)) else ()
        for one in inner if not variable.startswith("__") else ():
            if isinstance(one, Load) and id(one) not in named and one.at.file == module.__file__:
                problem = f'a pattern inside "{variable}" has no name of its own'
                yield DeclarationError("E0607", problem, one.at, "give it a variable: that is its name in every report")


def _attached(modules: Iterable[ModuleType]) -> set[int]:
    values = [value for module in modules for value in vars(module).values()]
    bound = (value.store for value in values if isinstance(value, Bound) and not value.is_incomplete)
    return {id(store) for store in (*bound, *(store_of(value) for value in values if is_model(value)))}


def _unused(module: ModuleType, attached: set[int]) -> Iterator[DeclarationError]:
    for variable, value in vars(module).items():
        if not isinstance(value, Store) or value.is_incomplete:
            continue
        if value.at.file == module.__file__ and id(value) not in attached:
            help = f"write __store__: ClassVar = {variable} in a model, or kw.bind(<the model>, {variable})"
            yield DeclarationError("E0515", f'the store "{variable}" belongs to no model', value.at, help, variable)


def _foreign(module: ModuleType, modules: tuple[ModuleType, ...]) -> Iterator[DeclarationError]:
    """Patterns about models whose file is not among the model files."""
    files = {one.__name__ for one in modules}
    for variable, value in vars(module).items():
        if isinstance(value, Pattern) and not value.is_refused and value.at.file == module.__file__:
            cls = class_of(value.model)
            if value.model is cls and cls.__module__ not in files:
                problem = f'"{cls.__name__}" is declared in "{cls.__module__}", which is not among the model files'
                help = "add its file to `models` under [tool.keywright] in pyproject.toml"
                yield DeclarationError("E0608", problem, value.at, help, variable)
