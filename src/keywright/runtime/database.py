"""Calls of patterns: the plan is made once on opening, and runs with the application's clients."""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from keywright.access.path import NotServed
from keywright.access.search import Planned
from keywright.compiler import AccessPlan, compile, load, plan_access
from keywright.compiler.plan import PlannedPattern
from keywright.declare.answers import OnInvalid, Page
from keywright.declare.fields import class_of
from keywright.engines.registry import runtime_of
from keywright.errors import UsageError
from keywright.project.settings import settings_of

from .errors import InvalidCursor, InvalidValue, Unstorable
from .items.codec import Codec, PatternFunction
from .items.unreadable import checked, marking, resolved
from .prepared import Prepared, arguments_of, bound_page, together
from .validate.arguments import argument
from .validate.call import PatternSubject, names_of
from .validate.checks import NO_CHECKS, checks_of
from .validate.clients import check_clients, folder_of
from .validate.limits import LimitOf

MARKED = ("get", "read", "rank_around", "read_together", "transact_get")
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
        self._prepared: dict[int, Prepared] = {}

    def run(
        self,
        pattern: Any,
        *subjects: Any,
        limit: int | None = None,
        cursor: str | None = None,
        by: Any = None,
        segment: int | None = None,
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
            arguments = arguments_of(prepared, subjects, values, limit, cursor, by, segment)
            answer = prepared.call(prepared.client, arguments)
            if prepared.pattern.kind not in MARKED:
                return answer
            answer = resolved(answer, self._on_invalid if on_invalid is None else checked(on_invalid))
            return bound_page(prepared.pattern, arguments, answer) if type(answer) is Page else answer
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

    def _prepare(self, pattern: Any) -> Prepared:
        row = self._rows.get(id(pattern))
        if row is None:
            raise UsageError("this pattern is not in the open project", "open the project that declares it")
        prepared = self._prepare_row(row)
        self._prepared[id(pattern)] = prepared
        return prepared

    def _prepare_row(self, row: PlannedPattern) -> Prepared:
        planned, engine = row.planned, row.placed.engine
        if isinstance(planned.path, NotServed):
            problem = f'nothing serves "{planned.pattern.name}": {planned.path.reason}'
            raise UsageError(problem, "`keywright patterns` shows a declaration that would")
        parts, joins = planned.parts, planned.pattern.joins
        bindings = {planned.binding.name, *(part.binding.name for part in parts), *(join.entity for join in joins)}
        codecs = {name: self._codec_of(self._models[name]) for name in bindings}
        for read in parts or (planned,):
            if planned.pattern.kind in MARKED:
                keys = engine.key_fields(read.target, read.binding)
                codecs[read.binding.name] = marking(self._codec_of(self._models[read.binding.name]), read.binding, keys)
        prepare = runtime_of(engine.name, "execute").prepare
        client = self._client(engine.name, row.placed.declared.name)
        return self._prepare_planned(planned, row, prepare(planned, codecs), client)

    def _prepare_planned(
        self, planned: Planned[Any], row: PlannedPattern, call: PatternFunction, client: Any
    ) -> Prepared:
        parts = tuple(self._prepare_planned(part, row, call, client) for part in planned.parts)
        if planned.pattern.kind == "read_together":
            return together(planned.pattern, call, client, parts)
        declared: Any = self._models[planned.binding.name]
        engine, model = row.placed.engine, class_of(declared)
        if parts:
            return Prepared(planned.pattern, call, client, {}, model, NO_CHECKS, parts)
        limit_of: LimitOf = runtime_of(engine.name, "limits").limit_of
        keys = engine.key_fields(planned.target, planned.binding)
        subject = PatternSubject(planned.pattern, planned.binding, model, limit_of, keys)
        by_keyword = {argument(name): name for name in names_of(subject)}
        return Prepared(planned.pattern, call, client, by_keyword, model, checks_of(subject))

    def _client(self, engine: str, name: str) -> Any:
        client = self._clients.get(engine)
        if isinstance(client, Mapping):
            client = client.get(name)
        if client is None:
            raise UsageError(f'no client for "{engine}/{name}" was passed', f"pass {engine}=... to runtime.open")
        return client
