"""Patterns as calls: plans once when it is opened, and carries out what was planned with the application's clients."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from keywright.access.path import NotServed
from keywright.access.request import parameters, request
from keywright.access.search import Planned
from keywright.compiler import AccessPlan, compile, load, plan_access
from keywright.compiler.plan import Row
from keywright.declare.fields import class_of
from keywright.errors import UsageError, did_you_mean, quoted
from keywright.ir.pattern import Pattern
from keywright.project.settings import find_root

from .codec import Call, Codec
from .given import Given, argument

CodecOf = Callable[[Any], Codec[Any]]


def opened(
    models: ModuleType | str | None, environment: str | None, clients: Mapping[str, Any], codec_of: CodecOf
) -> "Database":
    """See `runtime.open`."""
    folder = models if isinstance(models, str) or models is None else _folder(models)
    return Database(plan_access(compile(load(folder), environment)), clients, codec_of)


def _folder(module: ModuleType) -> str | None:
    """The project that a module of models stands in: the nearest one above its file."""
    return str(find_root(Path(module.__file__).parent)) if module.__file__ else None


@dataclass(frozen=True, slots=True)
class _Prepared:
    """One pattern, ready to be called."""

    pattern: Pattern
    """The pattern."""
    call: Call
    """What carries it out."""
    client: Any
    """The application's client of its store."""
    names: Mapping[str, str]
    """Field path of each value that a call must give, by keyword."""
    types: tuple[type, ...]
    """Class of the instances that a put takes."""
    parts: tuple["_Prepared", ...] = ()
    """The writes of a transaction."""


class Database:
    """An open database: every pattern of a project, planned, and a client for each store.

    It keeps nothing of its own open: clients belong to the application. Safe for threads where the clients are.
    """

    def __init__(self, plan: AccessPlan, clients: Mapping[str, Any], codec_of: CodecOf) -> None:
        self._clients, self._codec_of = clients, codec_of
        self._models = plan.compiled.project.models
        rows = {(row.pattern.context, row.pattern.name): row for row in plan.rows}
        declared = plan.compiled.project.patterns
        self._rows = {id(declared[key]): row for key, row in rows.items()}
        self._declared = list(declared.values())  # so that no other object can ever have the id of one
        self._prepared: dict[int, _Prepared] = {}

    def run(
        self,
        pattern: Any,
        *subjects: Any,
        limit: int | None = None,
        cursor: str | None = None,
        by: Any = None,
        **values: Any,
    ) -> Any:
        """Carry out a pattern; what it answers is said at the pattern's own class.

        subjects: instances for a put; for a transaction an instance or a mapping for each write, or a list of several;
        else nothing, or one mapping from field paths to values in place of keywords.
        Raises UsageError for a call that lacks or misnames a value, and for a pattern that nothing serves.
        """
        ready = self._prepared.get(id(pattern)) or self._prepare(pattern)
        given = _given(ready, subjects, values, limit, cursor, by)
        return ready.call(ready.client, given)

    def _prepare(self, pattern: Any) -> _Prepared:
        row = self._rows.get(id(pattern))
        if row is None:
            raise UsageError("this pattern is not one of the open project's", "open the project that declares it")
        ready = self._ready(row)
        self._prepared[id(pattern)] = ready
        return ready

    def _ready(self, row: Row) -> _Prepared:
        planned, engine = row.planned, row.placed.engine
        if isinstance(planned.path, NotServed):
            problem = f'nothing serves "{planned.pattern.name}": {planned.path.reason}'
            raise UsageError(problem, "`keywright patterns` tells what would")
        parts, joins = planned.parts, planned.pattern.joins
        bindings = {planned.binding.name, *(part.binding.name for part in parts), *(join.entity for join in joins)}
        codecs = {name: self._codec_of(self._models[name]) for name in bindings}
        prepare: Any = import_module(f"{__package__}.{engine.name}.calls").prepare
        client = self._client(engine.name, row.placed.declared.name)
        return self._of(planned, row, prepare(planned, codecs), client)

    def _of(self, planned: Planned[Any], row: Row, call: Call, client: Any) -> _Prepared:
        keys = row.placed.engine.key_fields(planned.target, planned.binding)
        names = {} if planned.parts else dict.fromkeys(_fields(planned.pattern, keys))
        parts = tuple(self._of(part, row, call, client) for part in planned.parts)
        model: Any = self._models[planned.binding.name]
        by_keyword = {argument(name): name for name in names}
        return _Prepared(planned.pattern, call, client, by_keyword, (class_of(model),), parts)

    def _client(self, engine: str, name: str) -> Any:
        found = self._clients.get(engine)
        if isinstance(found, Mapping):
            found = found.get(name)
        if found is None:
            raise UsageError(f'no client for "{engine}/{name}" was given', f"pass {engine}=... to runtime.open")
        return found


def _fields(pattern: Pattern, keys: tuple[str, ...]) -> list[str]:
    """Paths of all values that a call gives."""
    if pattern.kind == "put":
        return []
    chosen = [name for name, _ in parameters(request(pattern, keys))]
    return [*chosen, *pattern.sets, *([pattern.pushes] if pattern.pushes else [])]


def _given(
    ready: _Prepared, subjects: tuple[Any, ...], values: dict[str, Any], limit: int | None, cursor: str | None, by: Any
) -> Given:
    pattern = ready.pattern
    if pattern.kind == "transact":
        return Given({}, parts=_parts(ready, subjects))
    if pattern.kind == "put":
        return Given({}, items=_instances(ready, subjects))
    if limit is not None and limit < 1:
        raise UsageError(f"limit={limit} asks for nothing", "give 1 or more, or leave it out")
    named = _by_path(ready, {**values, **(subjects[0] if subjects else {})})
    step = by if by is not None else pattern.by if pattern.kind == "increment" else None
    return Given(named, limit=limit if limit is not None else pattern.limit, cursor=cursor, by=step)


def _by_path(ready: _Prepared, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by field path; what is missing or unknown is said at once."""
    names = ready.names
    found = {names.get(name, name): value for name, value in values.items()}
    wanted = names.values()
    for name in found:
        if name not in wanted:
            raise UsageError(f'"{ready.pattern.name}" takes no "{name}"', did_you_mean(name, list(names)))
    if missing := [name for name, path in names.items() if path not in found]:
        problem = f'"{ready.pattern.name}" needs {quoted(missing)}'
        raise UsageError(problem, f"call it with {', '.join(f'{name}=...' for name in names)}")
    return found


def _instances(ready: _Prepared, subjects: tuple[Any, ...]) -> tuple[Any, ...]:
    for one in subjects:
        if not isinstance(one, ready.types):
            wanted = ready.types[0].__name__
            raise UsageError(
                f'"{ready.pattern.name}" writes {wanted}, and was given {type(one).__name__}', f"pass a {wanted}"
            )
    if not subjects:
        raise UsageError(f'"{ready.pattern.name}" was given nothing to write', "pass one instance or several")
    return subjects


def _parts(ready: _Prepared, subjects: tuple[Any, ...]) -> tuple[tuple[Given, ...], ...]:
    if len(subjects) != len(ready.parts):
        problem = f'"{ready.pattern.name}" has {len(ready.parts)} writes, and was given {len(subjects)}'
        raise UsageError(problem, "give an instance, a mapping, or a list of several, for each write in order")
    return tuple(_part(part, subject) for part, subject in zip(ready.parts, subjects, strict=True))


def _part(part: _Prepared, subject: Any) -> tuple[Given, ...]:
    several = subject if isinstance(subject, (list, tuple)) else [subject]
    if part.pattern.kind == "put":
        return tuple(Given({}, items=_instances(part, (one,))) for one in several)
    return tuple(_given(part, ({k: v for k, v in one.items() if k != "by"},), {}, None, None, one.get("by"))
                 for one in several)  # fmt: skip
