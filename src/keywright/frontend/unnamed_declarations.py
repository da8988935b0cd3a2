"""Reports declarations that no variable refers to after the import, because nothing would read them."""

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from keywright.declare.combined import ReadTogether, TransactGet
from keywright.declare.declared import Declared
from keywright.declare.fields import is_model, store_of
from keywright.declare.locate import assigned_in, class_around, class_place
from keywright.declare.selection import TimedPattern
from keywright.declare.store import Bound, Store
from keywright.declare.writes import Transact
from keywright.errors import DeclarationError, report

WORDS: tuple[tuple[type[Declared], str], ...] = ((TimedPattern, "pattern"), (Bound, "binding"))
"""Declarations that need a variable, with their word in messages."""


def report_unnamed(modules: Iterable[ModuleType], declared: Iterable[Declared]) -> None:
    """Report patterns and bindings without a variable, and stores of classes that a later class replaced.

    declared: every declaration that was recorded during the imports.
    """
    by_name, declared = {module.__name__: module for module in modules}, tuple(declared)
    used = _used(by_name.values(), declared)
    for declaration in declared:
        if declaration.module in by_name and not declaration.is_rejected and id(declaration) not in used:
            for error in _lost(declaration, by_name[declaration.module]):
                report(error)


def _used(modules: Iterable[ModuleType], declared: Iterable[Declared]) -> set[int]:
    """Ids of objects in variables, stores and writes; `unused_declarations` reports objects in lists and classes."""
    used: set[int] = set()
    for module in modules:
        for variable, value in vars(module).items():
            if variable.startswith("__"):
                continue
            used.update(map(id, _contents(value)))
    for declaration in declared:
        if declaration.is_incomplete:  # its arguments are lost too
            used.update(id(inner) for value in vars(declaration).values() for inner in _contents(value))
        elif isinstance(declaration, Transact):
            used.update(map(id, declaration.writes))
        elif isinstance(declaration, (ReadTogether, TransactGet)):
            used.update(map(id, declaration.parts))
        elif isinstance(declaration, Bound):
            used.add(id(declaration.store))
    return used


def _contents(value: Any) -> Iterator[object]:
    """A variable's value, and the elements or attributes of the value."""
    yield value
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, (list, tuple, set, frozenset)):
        for element in value:
            yield element
            if isinstance(element, list):  # a list where single declarations are expected
                yield from element
    elif is_model(value):
        yield from (store_of(value), *vars(value).values())
    elif isinstance(value, type):
        yield from vars(value).values()


def _lost(declared: Declared, module: ModuleType) -> Iterator[DeclarationError]:
    for kind, word in WORDS:
        if isinstance(declared, kind):
            yield _nameless(declared, kind, word, module)
    if isinstance(declared, Store):
        name, line = class_around(declared.at.file, declared.at.line)
        replacement = vars(module).get(name)
        if isinstance(replacement, type) and is_model(replacement):
            problem = f'a second class is called "{name}", and replaces the class in line {line}'
            yield DeclarationError("E0105", problem, class_place(replacement), "give one of them another name", name)


def _nameless(declared: Declared, kind: type[Declared], word: str, module: ModuleType) -> DeclarationError:
    name = assigned_in(declared.at.file, declared.at.line)
    replacement = vars(module).get(name)
    if not isinstance(replacement, kind) or not replacement.is_of(module):
        help = "assign it to a variable at the top level of the file: the variable is its name in every report"
        return DeclarationError("E0607", f"this {word} is not assigned to a variable", declared.at, help)
    help = f'give one of them another name: line {replacement.at.line} declares "{name}" again'
    if replacement.at == declared.at:
        help = "declare each of them with a variable of its own, without a loop"
    problem = f'a later declaration of "{name}" replaces this {word}'
    return DeclarationError("E0609", problem, declared.at, help, name)
