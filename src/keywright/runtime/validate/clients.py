"""Checks of the clients passed to `open`, by names of classes, so that no unused driver is imported."""

import os
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from keywright.compiler import Placed
from keywright.engines.registry import engine_named, facts_of, runtime_of
from keywright.errors import UsageError, did_you_mean, quoted
from keywright.ir.binding import Binding
from keywright.ir.text import counted
from keywright.record import Record


def no_check(client: Any, bindings: list[Binding]) -> None:
    """No further check of a client."""


class ExpectedClient(Record):
    """The client that `open` takes for an engine, by names of classes."""

    description: str
    """The client, such as `a pymongo.MongoClient`."""
    lookalikes: tuple[tuple[str, str, str], ...] = ()
    """(package, class, description and correction) of objects that are often passed instead of it."""
    asynchronous: tuple[str, ...] = ()
    """Packages whose clients return coroutines, so that a write would be lost without an error."""
    check: Callable[[Any, list[Binding]], None] = no_check
    """(client, bindings that it serves): raises UsageError for a client that cannot serve them."""


def folder_of(models: object) -> str | ModuleType | None:
    """The project's module or folder, or None; UsageError for anything else."""
    if models is None or isinstance(models, (str, ModuleType)):
        return models
    if isinstance(models, os.PathLike):
        return str(os.fspath(models))
    received = "several modules" if isinstance(models, (list, tuple, set)) else f"{_article(type(models).__name__)}"
    raise UsageError(
        f"runtime.open received {received} for the models", "pass one module of the project, which opens all models"
    )


def check_clients(clients: Mapping[str, Any], placed: Iterable[Placed], bindings: Iterable[Binding]) -> None:
    """Raise UsageError for objects that are not clients of their engine, and for undeclared or ambiguous servers."""
    declared: dict[str, list[str]] = {}
    for target in placed:
        declared.setdefault(target.engine.name, []).append(target.declared.name)
    bindings = tuple(bindings)
    for engine, client in clients.items():
        names = declared.get(engine, [])
        if isinstance(client, Mapping):
            for name, server_client in client.items():
                if name not in names:
                    problem = f'runtime.open received a client for "{engine}/{name}", which no model declares'
                    raise UsageError(problem, did_you_mean(str(name), names))
                _check(engine, server_client, _bindings_of(bindings, engine, (name,)))
            continue
        _check(engine, client, _bindings_of(bindings, engine, names))
        if facts_of(engine).nouns.is_server and len(names) > 1:
            text = ", ".join(f'"{name}": client' for name in names)
            title = engine_named(engine).title
            servers = counted(len(names), f"{title} server")
            problem = f"runtime.open received one client for {servers}: {quoted(names)}"
            raise UsageError(problem, f"pass {engine}={{{text}}}")


def _bindings_of(bindings: tuple[Binding, ...], engine: str, names: Iterable[str]) -> list[Binding]:
    return [binding for binding in bindings if binding.engine == engine and binding.physical.name in names]


def _check(engine: str, client: Any, bindings: list[Binding]) -> None:
    expected: ExpectedClient = runtime_of(engine, "clients").CLIENT
    help = f"pass {engine}= {expected.description}"
    if isinstance(client, (str, bytes, list, tuple)):
        raise UsageError(f"runtime.open received {_article(type(client).__name__)} for {engine}=", help)
    if isinstance(client, type):
        raise UsageError(f"runtime.open received the class {client.__name__} for {engine}=", help)
    if _is_asynchronous(client, expected):
        problem = f"runtime.open received an asynchronous client for {engine}=, {_name(client)}"
        raise UsageError(problem, help)
    for package, name, description in expected.lookalikes:
        if any(_is_of(kind, package) and name in ("", kind.__name__) for kind in type(client).__mro__):
            raise UsageError(
                f"runtime.open received for {engine}= {description.partition(';')[0]}", description.partition("; ")[2]
            )
    expected.check(client, bindings)


def _is_asynchronous(client: Any, expected: ExpectedClient) -> bool:
    client_class = type(client)
    is_async_only = hasattr(client_class, "__aenter__") and not hasattr(client_class, "__enter__")
    packages = expected.asynchronous
    return is_async_only or any(_is_of(cls, package) for cls in client_class.__mro__ for package in packages)


def _is_of(kind: type, package: str) -> bool:
    return f"{kind.__module__}.".startswith(f"{package}.")


def _name(client: Any) -> str:
    return f"{type(client).__module__}.{type(client).__name__}"


def _article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
