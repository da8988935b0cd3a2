"""Calls of patterns: the plan is made once on opening, and runs with the application's clients."""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from keywright.access.path import NotServed
from keywright.access.search import Planned
from keywright.compiler import AccessPlan, compile, load, plan_access
from keywright.compiler.plan import PlannedPattern
from keywright.declare.answers import OnInvalid, Page
from keywright.declare.fields import class_of
from keywright.engines.registry import runtime_of
from keywright.errors import UsageError, did_you_mean, quoted
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted
from keywright.project.settings import settings_of
from keywright.record import Record

from .cursor import bound, unbound
from .errors import InvalidCursor, InvalidValue, Unstorable
from .items.codec import Codec, PatternFunction
from .items.unreadable import checked, marking, resolved
from .validate.arguments import Arguments, argument
from .validate.call import PatternSubject, names_of
from .validate.checks import NO_CHECKS, Checks, checks_of
from .validate.clients import check_clients, folder_of
from .validate.limits import LimitOf

MARKED = ("get", "read")
"""Kinds of pattern whose answers may contain unreadable items."""

CodecOf = Callable[[Any], Codec[Any]]

Refused = Callable[[InvalidValue], None]
"""A function that is called with the error of every rejected value before it is raised, to count or log it."""


def opened(
    models: object,
    environment: str | None,
    clients: Mapping[str, Any],
    codec_of: CodecOf,
    **hooks: Any,
) -> "Database":
    """See `runtime.open`."""
    module = folder_of(models)
    compiled = compile(load(settings_of(module) if isinstance(module, ModuleType) else module), environment)
    check_clients(clients, compiled.targets, compiled.project.design.bindings)
    return Database(plan_access(compiled), clients, codec_of, **hooks)


class _Prepared(Record):
    """One pattern, ready to be called."""

    pattern: Pattern
    """The pattern."""
    call: PatternFunction
    """The function that runs the pattern."""
    client: Any
    """The application's client for its store."""
    names: Mapping[str, str]
    """Field path of each required value, by keyword."""
    model: type[BaseModel]
    """Class of the instances that a put writes."""
    checks: Checks
    """Validators of its values."""
    parts: tuple["_Prepared", ...] = ()
    """The writes of a transaction."""


class Database:
    """An open database: the planned patterns of a project, and a client for each store.

    It opens no connection: the clients belong to the application. It is thread-safe if the clients are.
    """

    def __init__(
        self,
        plan: AccessPlan,
        clients: Mapping[str, Any],
        codec_of: CodecOf,
        *,
        on_refused: Refused | None = None,
        on_invalid: OnInvalid = "raise",
    ) -> None:
        self._clients, self._codec_of, self._on_refused = clients, codec_of, on_refused
        self._on_invalid = checked(on_invalid)
        self._models = plan.compiled.project.models
        rows = {(row.pattern.context, row.pattern.name): row for row in plan.rows}
        declared = plan.compiled.project.patterns
        self._rows = {id(declared[key]): row for key, row in rows.items()}
        self._declared = list(declared.values())  # the references prevent other objects from getting an id in _rows
        self._prepared: dict[int, _Prepared] = {}

    def run(
        self,
        pattern: Any,
        *subjects: Any,
        limit: int | None = None,
        cursor: str | None = None,
        by: Any = None,
        on_invalid: OnInvalid | None = None,
        **values: Any,
    ) -> Any:
        """Run a pattern; the pattern's class documents its answer.

        subjects: instances for a put; for a transaction an instance or a mapping for each write, or a list of several;
        for other patterns nothing, or a mapping from field paths to values in place of keywords.
        Raises UsageError for a call that lacks or misnames a value, and for a pattern without an access path;
        InvalidValue for a value that its field rejects. Nothing is sent in these cases.
        """
        prepared = self._prepared.get(id(pattern)) or self._prepare(pattern)
        try:
            arguments = _arguments(prepared, subjects, values, limit, cursor, by)
            answer = prepared.call(prepared.client, arguments)
            if prepared.pattern.kind not in MARKED:
                return answer
            answer = resolved(answer, self._on_invalid if on_invalid is None else checked(on_invalid))
            return _bound_page(prepared.pattern, arguments, answer) if type(answer) is Page else answer
        except InvalidCursor as error:
            refused: InvalidValue = InvalidCursor(prepared.pattern.name, error.reason, error.given)
        except Unstorable as error:
            refused = InvalidValue(prepared.pattern.name, error.argument, error.given, error.reason, error.help)
        except InvalidValue as error:
            refused = error
        if self._on_refused is not None:
            self._on_refused(refused)
        # Raised outside the handlers, because their errors may contain the value and would become its context.
        raise refused

    def _prepare(self, pattern: Any) -> _Prepared:
        row = self._rows.get(id(pattern))
        if row is None:
            raise UsageError("this pattern is not in the open project", "open the project that declares it")
        prepared = self._prepare_row(row)
        self._prepared[id(pattern)] = prepared
        return prepared

    def _prepare_row(self, row: PlannedPattern) -> _Prepared:
        planned, engine = row.planned, row.placed.engine
        if isinstance(planned.path, NotServed):
            problem = f'nothing serves "{planned.pattern.name}": {planned.path.reason}'
            raise UsageError(problem, "`keywright patterns` shows a declaration that would")
        parts, joins = planned.parts, planned.pattern.joins
        bindings = {planned.binding.name, *(part.binding.name for part in parts), *(join.entity for join in joins)}
        codecs = {name: self._codec_of(self._models[name]) for name in bindings}
        if planned.pattern.kind in MARKED:
            keys = engine.key_fields(planned.target, planned.binding)
            codecs[planned.binding.name] = marking(codecs[planned.binding.name], planned.binding, keys)
        prepare = runtime_of(engine.name, "execute").prepare
        client = self._client(engine.name, row.placed.declared.name)
        return self._prepare_planned(planned, row, prepare(planned, codecs), client)

    def _prepare_planned(
        self, planned: Planned[Any], row: PlannedPattern, call: PatternFunction, client: Any
    ) -> _Prepared:
        parts = tuple(self._prepare_planned(part, row, call, client) for part in planned.parts)
        declared: Any = self._models[planned.binding.name]
        engine, model = row.placed.engine, class_of(declared)
        if parts:
            return _Prepared(planned.pattern, call, client, {}, model, NO_CHECKS, parts)
        limit_of: LimitOf = runtime_of(engine.name, "limits").limit_of
        keys = engine.key_fields(planned.target, planned.binding)
        subject = PatternSubject(planned.pattern, planned.binding, model, limit_of, keys)
        by_keyword = {argument(name): name for name in names_of(subject)}
        return _Prepared(planned.pattern, call, client, by_keyword, model, checks_of(subject))

    def _client(self, engine: str, name: str) -> Any:
        client = self._clients.get(engine)
        if isinstance(client, Mapping):
            client = client.get(name)
        if client is None:
            raise UsageError(f'no client for "{engine}/{name}" was passed', f"pass {engine}=... to runtime.open")
        return client


def _arguments(
    prepared: _Prepared,
    subjects: tuple[Any, ...],
    values: dict[str, Any],
    limit: int | None,
    cursor: str | None,
    by: Any,
) -> Arguments:
    pattern = prepared.pattern
    if pattern.kind == "transact":
        return Arguments({}, parts=_transaction_arguments(prepared, subjects, values))
    if pattern.kind == "put":
        return Arguments({}, items=_instances(prepared, subjects, values))
    if subjects:
        values = {**values, **_mapping(prepared, subjects)}
    if by is not None and pattern.kind != "increment":  # a field is named "by"
        values = {**values, "by": by}
    validated = prepared.checks.values(_by_path(prepared, values))
    maximum = prepared.checks.limit(limit)
    step = prepared.checks.step(pattern.by if by is None else by) if pattern.kind == "increment" else None
    sealed = None if cursor is None else unbound(pattern, validated, cursor)
    return Arguments(validated, limit=maximum, cursor=sealed, by=step)


def _bound_page(pattern: Pattern, arguments: Arguments, page: Page[Any]) -> Page[Any]:
    """The page with its cursor bound to the values of the call."""
    return page if page.cursor is None else Page(page.items, bound(pattern, arguments.values, page.cursor))


def _mapping(prepared: _Prepared, subjects: tuple[Any, ...]) -> Mapping[str, Any]:
    if len(subjects) == 1 and isinstance(subjects[0], Mapping):
        return subjects[0]
    raise UsageError(f'"{prepared.pattern.name}" takes its values as keyword arguments', _usage(prepared))


def _usage(prepared: _Prepared) -> str:
    """Help text: a correct call of the pattern."""
    name = prepared.pattern.name
    if prepared.pattern.kind == "put":
        return f"call {name}(db, {prepared.model.__name__}(...)), with one instance or several"
    if prepared.parts:
        calls = (
            f"{part.model.__name__}(...)"
            if part.pattern.kind == "put"
            else f"{{{', '.join(map(_quoted, part.names))}}}"
            for part in prepared.parts
        )
        return f"call {name}(db, {', '.join(calls)}): an instance, a mapping, or a list of several, for each write"
    return f"call {name}(db, {', '.join(f'{keyword}=...' for keyword in prepared.names)})"


def _quoted(keyword: str) -> str:
    return f'"{keyword}": ...'


def _by_path(prepared: _Prepared, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by field path; UsageError if one is missing or unknown."""
    names = prepared.names
    values_by_path = {names.get(name, name): value for name, value in values.items()}
    paths = names.values()
    for name in values_by_path:
        if name not in paths:
            raise UsageError(
                f'"{prepared.pattern.name}" has no argument "{name}"', did_you_mean(str(name), list(names))
            )
    if len(values_by_path) < len(names):
        missing = [name for name, path in names.items() if path not in values_by_path]
        raise UsageError(f'"{prepared.pattern.name}" needs {quoted(missing)}', _usage(prepared))
    return values_by_path


def _instances(prepared: _Prepared, subjects: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
    if values:
        raise UsageError(f'"{prepared.pattern.name}" writes instances, and has no keyword arguments', _usage(prepared))
    if not subjects:
        raise UsageError(f'"{prepared.pattern.name}" was called without an instance to write', _usage(prepared))
    for subject in subjects:
        if not isinstance(subject, prepared.model):
            problem = f'"{prepared.pattern.name}" writes {prepared.model.__name__}, not {type(subject).__name__}'
            raise UsageError(problem, _usage(prepared))
        prepared.checks.instance(subject)
    return subjects


def _transaction_arguments(
    prepared: _Prepared, subjects: tuple[Any, ...], values: Mapping[str, Any]
) -> tuple[tuple[Arguments, ...], ...]:
    if values:
        raise UsageError(
            f'"{prepared.pattern.name}" takes the arguments of each of its writes, in order', _usage(prepared)
        )
    if len(subjects) != len(prepared.parts):
        problem = f'"{prepared.pattern.name}" has {counted(len(prepared.parts), "write")}, but received {len(subjects)}'
        raise UsageError(problem, _usage(prepared))
    return tuple(_write_arguments(part, subject) for part, subject in zip(prepared.parts, subjects, strict=True))


def _write_arguments(part: _Prepared, subjects: Any) -> tuple[Arguments, ...]:
    listed = subjects if isinstance(subjects, (list, tuple)) else [subjects]
    if part.pattern.kind == "put":
        return tuple(Arguments({}, items=_instances(part, (subject,), {})) for subject in listed)
    return tuple(_part_arguments(part, _mapping(part, (subject,))) for subject in listed)


def _part_arguments(part: _Prepared, values: Mapping[str, Any]) -> Arguments:
    return _arguments(
        part, (), {name: value for name, value in values.items() if name != "by"}, None, None, values.get("by")
    )
