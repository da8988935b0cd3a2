"""Reports unused declarations, which would otherwise be ignored silently."""

from collections.abc import Iterable, Iterator
from types import ModuleType

from keywright.declare.fields import class_of, is_model, store_of
from keywright.declare.locate import place_in
from keywright.declare.selection import DeclaredPattern, TimedPattern, no_model
from keywright.declare.store import Bound, Store
from keywright.errors import DeclarationError, report


def report_unused(modules: Iterable[ModuleType]) -> None:
    """Report stores that belong to no model, and patterns that no variable of a module refers to."""
    modules = tuple(modules)
    attached = _attached(modules)
    files = {module.__name__ for module in modules}
    named = {id(value) for module in modules for name, value in vars(module).items() if "[" not in name}
    for module in modules:
        for cls in _classes(module):
            for error in (*_misplaced(module, cls), *_hidden(module, cls.__name__, vars(cls).items())):
                report(error)
        for error in (*_unused(module, attached), *_unnamed(module), *_foreign(module, files, named)):
            report(error)


def _classes(module: ModuleType) -> Iterator[type]:
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield value


def _misplaced(module: ModuleType, cls: type) -> Iterator[DeclarationError]:
    """Stores in a class that is no model, or under another name than `__store__`."""
    for name, value in vars(cls).items():
        if name != "__store__" and not isinstance(value, Store):
            continue
        if name == "__store__" and isinstance(value, Store) and is_model(cls):
            continue
        at = place_in(str(module.__file__), cls.__name__, name)
        if name != "__store__" and isinstance(value, Store):
            kind = type(value).__name__
            problem = f'"{name}" is a store, and a store must be named "__store__"'
            help = f"write __store__: ClassVar = kw.{kind}(...), with two underscores on both sides"
            yield DeclarationError("E0510", problem, at, help, cls.__name__)
        elif name == "__store__" and not isinstance(value, Store):
            value_text = f"the class {value.__name__}" if isinstance(value, type) else f"{type(value).__name__}(...)"
            help = "assign a store: kw.Item(table, ...), kw.Collection(...), kw.CqlTable(...) or one of kw.Redis..."
            problem = f'"__store__" is {value_text}, which is not a store'
            yield DeclarationError("E0516", problem, at, help, cls.__name__)
        elif name == "__store__" and not is_model(cls):
            yield no_model(cls)


def _hidden(module: ModuleType, owner: str, values: Iterable[tuple[str, object]]) -> Iterator[DeclarationError]:
    for name, value in values:
        if isinstance(value, TimedPattern):
            problem = f'the pattern "{name}" is inside the class "{owner}", where keywright does not read it'
            yield DeclarationError("E0607", problem, value.at, f"move it below the class: {name} = ...", owner)


def _unnamed(module: ModuleType) -> Iterator[DeclarationError]:
    """Patterns inside lists and mappings: a pattern needs a variable, which is its name."""
    named = {id(value) for value in vars(module).values()}
    for variable, value in vars(module).items():
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple, set)) else ()
        for timed_pattern in inner if not variable.startswith("__") else ():
            if (
                isinstance(timed_pattern, TimedPattern)
                and id(timed_pattern) not in named
                and timed_pattern.is_of(module)
            ):
                problem = f'a pattern inside "{variable}" has no name of its own'
                help = "assign it to a variable: the variable is its name in every report"
                yield DeclarationError("E0607", problem, timed_pattern.at, help)


def _attached(modules: Iterable[ModuleType]) -> set[int]:
    values = [value for module in modules for value in vars(module).values()]
    bound = (value.store for value in values if isinstance(value, Bound) and not value.is_incomplete)
    return {id(store) for store in (*bound, *(store_of(value) for value in values if is_model(value)))}


def _unused(module: ModuleType, attached: set[int]) -> Iterator[DeclarationError]:
    for variable, value in vars(module).items():
        if not isinstance(value, Store) or value.is_incomplete:
            continue
        if value.is_of(module) and id(value) not in attached:
            help = f"write __store__: ClassVar = {variable} in a model, or kw.bind(<the model>, {variable})"
            yield DeclarationError("E0515", f'no model uses the store "{variable}"', value.at, help, variable)


def _as_variable(cls: type) -> str:
    """A variable name for a class such as `Box[int]`."""
    words = "".join(sign if sign.isalnum() else " " for sign in cls.__name__).split()
    return "".join(word[0].upper() + word[1:] for word in words)


def _foreign(module: ModuleType, files: set[str], named: set[int]) -> Iterator[DeclarationError]:
    """Patterns on models whose file is not among the model files.

    files: names of the modules of all model files; named: ids of the values of their variables.
    """
    for variable, value in vars(module).items():
        if isinstance(value, DeclaredPattern) and not value.is_rejected and value.is_of(module):
            cls = class_of(value.model)
            if value.model is cls and cls.__module__ in files and id(cls) not in named:
                # `unnamed_declarations` reports a class that a later class of the same name replaced.
                if "[" in cls.__name__ or cls.__name__ not in vars(module):
                    problem = f'the class "{cls.__name__}" is not assigned to a variable in the model files'
                    help = f"assign it above, such as {_as_variable(cls)} = {cls.__name__}, and use that variable here"
                    yield DeclarationError("E0608", problem, value.at, help, variable)
            elif value.model is cls and cls.__module__ not in files:
                problem = f'"{cls.__name__}" is declared in "{cls.__module__}", which is not among the model files'
                help = "add its file to `models` under [tool.keywright] in pyproject.toml"
                yield DeclarationError("E0608", problem, value.at, help, variable)
