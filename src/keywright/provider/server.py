"""Pulumi's provider protocol over `api/stack/resources`: the engine calls it from many threads, until the
process ends."""

import contextlib
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from concurrent import futures
from typing import Any, NoReturn, TypeVar

import grpc
from google.protobuf import any_pb2, empty_pb2
from google.rpc import status_pb2
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, plugin_pb2, provider_pb2, provider_pb2_grpc

from keywright import __version__
from keywright.api.live.connect import server_named
from keywright.api.stack.resources import SERVER, ResourceWatcher
from keywright.engines.contract.resource import Inputs
from keywright.errors import Blocked, DeclarationErrors, KeywrightError
from keywright.ir.text import counted
from keywright.migrations.backfill.backfill import PassProgress
from keywright.migrations.lock.wait import LockWait
from keywright.migrations.run.runner import Done

from . import wire
from .configuration import ProviderConfiguration
from .kinds import kind_of

T = TypeVar("T")

Diffs = provider_pb2.DiffResponse


class Provider(provider_pb2_grpc.ResourceProviderServicer):
    """The resources of one project, in the environments of the requests."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._configuration = ProviderConfiguration()
        self._cancelled = threading.Event()

    def Handshake(self, request: Any, context: Any) -> Any:
        """Accept the handshake; this provider needs no options."""
        return provider_pb2.ProviderHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:
        """Return the version."""
        return plugin_pb2.PluginInfo(version=__version__)

    def CheckConfig(self, request: Any, context: Any) -> Any:
        """Return the errors of the stack's configuration."""
        wrong = ProviderConfiguration.wrong(wire.plain(request.news))
        failures = [provider_pb2.CheckFailure(property=key, reason=reason) for key, reason in wrong]
        return provider_pb2.CheckResponse(inputs=request.news, failures=failures)

    def DiffConfig(self, request: Any, context: Any) -> Any:
        """Return the changed addresses; without a difference, the engine continues with the former configuration."""
        former = ProviderConfiguration(wire.plain(request.old_inputs) or wire.plain(request.olds))
        changed = former.changed(wire.plain(request.news))
        return Diffs(changes=Diffs.DIFF_SOME if changed else Diffs.DIFF_NONE, diffs=changed)

    def Configure(self, request: Any, context: Any) -> Any:
        """Set the addresses of the stores."""
        self._configuration = ProviderConfiguration(wire.plain(request.args))
        return provider_pb2.ConfigureResponse(acceptSecrets=False, acceptResources=False, supportsPreview=True)

    def Check(self, request: Any, context: Any) -> Any:
        """Return the errors of a program's inputs, property by property; the server of a resource becomes a property.

        The engine compares properties itself, and requests a difference only if one has changed.
        """
        type, olds, news = _type(request), wire.plain(request.olds), wire.plain(request.news)
        failures: list[Any] = []
        if not wire.has_unknown(news):
            pool = self._configuration.pool(request.urn, news)
            problems = self._aborting(context, lambda: kind_of(type).wrong(pool, type, olds or None, news))
            places = wire.detailed(olds, news)
            failures = [
                provider_pb2.CheckFailure(property=_within(key, places), reason=reason) for key, reason in problems
            ]
        return provider_pb2.CheckResponse(inputs=self._placed(request.urn, type, news, olds), failures=failures)

    def Diff(self, request: Any, context: Any) -> Any:
        """Return the differences, element by element; a resource is never replaced; on another server it is created."""
        detailed = wire.detailed(wire.plain(request.old_inputs), wire.plain(request.news))
        response = Diffs(
            changes=Diffs.DIFF_SOME if detailed else Diffs.DIFF_NONE,
            diffs=sorted({path.split(".")[0].split("[")[0] for path in detailed}),
            hasDetailedDiff=True,
        )
        for path, change in detailed.items():
            response.detailedDiff[path].kind = provider_pb2.PropertyDiff.Kind.Value(change)
            response.detailedDiff[path].inputDiff = True
        return response

    def Create(self, request: Any, context: Any) -> Any:
        """Create the resource; in a preview, return its properties."""
        type, news = _type(request), wire.plain(request.properties)
        if not request.preview:
            self._apply(request, context, None, news)
        id = "" if wire.has_unknown(news) else kind_of(type).id(type, news)
        return provider_pb2.CreateResponse(id=id, properties=wire.struct(news))

    def Update(self, request: Any, context: Any) -> Any:
        """Change the resource from its former inputs; on another server, create it."""
        olds, news = wire.plain(request.old_inputs), wire.plain(request.news)
        if not request.preview:
            self._apply(request, context, None if _is_moved(olds, news) else olds, news)
        return provider_pb2.UpdateResponse(properties=wire.struct(news))

    def Read(self, request: Any, context: Any) -> Any:
        """Return the existing resource, also as inputs, so that a refresh shows its changes."""
        plain = wire.plain(request.inputs) or wire.plain(request.properties) or None
        type, pool = _type(request), self._configuration.pool(request.urn, plain)
        existing = self._aborting(context, lambda: kind_of(type).read(pool, type, request.id, plain))
        if existing is None:
            return provider_pb2.ReadResponse()
        placed = self._placed(request.urn, type, existing, {})
        return provider_pb2.ReadResponse(id=request.id, properties=placed, inputs=placed)

    def Delete(self, request: Any, context: Any) -> Any:
        """Drop the resource unless it is protected; then log that it is kept."""
        inputs = wire.plain(request.old_inputs) or wire.plain(request.properties)
        type, pool = _type(request), self._configuration.pool(request.urn, inputs)
        if _is_moved(inputs, {SERVER: self._server(request.urn, type, inputs)}):
            message = f"it is kept on {inputs[SERVER]}, because this stack now has the address of another server"
            self._log(engine_pb2.WARNING, message, request.urn)
            return empty_pb2.Empty()
        watcher = self._watcher(request.urn)
        kept_reason = self._aborting(context, lambda: kind_of(type).remove(pool, type, inputs, watcher))
        if kept_reason:
            self._log(engine_pb2.WARNING, kept_reason, request.urn)
        return empty_pb2.Empty()

    def Cancel(self, request: Any, context: Any) -> Any:
        """Cancel: start no further step."""
        self._cancelled.set()
        return empty_pb2.Empty()

    def close(self) -> None:
        """End all connections."""
        self._configuration.close()

    def _apply(self, request: Any, context: Any, old: Inputs | None, new: Inputs) -> None:
        """Apply a change; after a failure the state contains the finished part, so that the next run continues."""
        type, pool = _type(request), self._configuration.pool(request.urn, new)
        kind, watcher = kind_of(type), self._watcher(request.urn)
        try:
            kind.apply(pool, type, old, new, watcher)
        except (KeywrightError, DeclarationErrors) as problem:
            partial: Inputs | None = None
            if watcher.applied_steps or old is not None:
                with contextlib.suppress(KeywrightError, DeclarationErrors):  # a failed read leaves the former state
                    partial = kind.read(pool, type, kind.id(type, new), new) if kind.has_parts else None
            if partial is None:
                _fail(context, problem)
            detail = any_pb2.Any()
            detail.Pack(
                provider_pb2.ErrorResourceInitFailed(
                    id=kind.id(type, new), properties=self._placed(request.urn, type, partial, {}),
                    inputs=self._placed(request.urn, type, partial, {}) if old is None else wire.struct(old),
                    reasons=[_sentence(problem)],
                )
            )  # fmt: skip
            code = grpc.StatusCode.UNKNOWN
            status = status_pb2.Status(code=code.value[0], message=_sentence(problem), details=[detail])
            context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
            context.abort(code, _sentence(problem))

    def _server(self, urn: str, type: str, inputs: Inputs) -> str:
        """The server of a resource, `local` for those of `keywright local`; empty if it is not known yet."""
        with contextlib.suppress(KeywrightError, DeclarationErrors):
            if not wire.has_unknown(inputs):
                pool = self._configuration.pool(urn, inputs)
                selector = pool.where
                return "local" if selector.is_local else server_named(selector, kind_of(type).store(pool, type, inputs))
        return ""

    def _placed(self, urn: str, type: str, inputs: Inputs, former: Inputs) -> Any:
        """Properties with the server of the resource; with the former server if it is not known yet."""
        server = self._server(urn, type, inputs) or former.get(SERVER)
        return wire.struct({**inputs, SERVER: server} if server else inputs)

    def _aborting(self, context: Any, call: Callable[[], T]) -> T:
        try:
            return call()
        except (KeywrightError, DeclarationErrors) as problem:
            _fail(context, problem)

    def _watcher(self, urn: str) -> "_EventLog":
        def log(text: str) -> None:
            self._log(engine_pb2.INFO, text, urn, is_passing=True)

        return _EventLog(log, self._cancelled)

    def _log(self, severity: Any, message: str, urn: str, *, is_passing: bool = False) -> None:
        with contextlib.suppress(grpc.RpcError):
            self._engine.Log(engine_pb2.LogRequest(severity=severity, message=message, urn=urn, ephemeral=is_passing))


class _EventLog(ResourceWatcher):
    """Reports the events of one resource to the engine."""

    def __init__(self, log: Callable[[str], None], cancelled: threading.Event) -> None:
        self.applied_steps = 0
        self._log, self._cancelled, self._logged_at = log, cancelled, 0.0

    def step(self, done: Done) -> None:
        if done.outcome == "made":
            self.applied_steps += 1
            self._log(done.statement.summary)

    def waiting(self, lock_wait: LockWait) -> None:
        self._log(f"{lock_wait.place}: waiting for {lock_wait.owner}")

    def items(self, entity: str, progress: PassProgress) -> None:
        if time.monotonic() > self._logged_at + 1:
            self._logged_at = time.monotonic()
            segments = f"{progress.segments_done} of {counted(progress.segments, 'segment')}"
            self._log(f"{entity}: {counted(progress.counts.read, 'item')}, {segments}")

    def check(self) -> None:
        if self._cancelled.is_set():
            raise Blocked("interrupted", "the next `pulumi up` continues from here")


def _is_moved(old: Inputs, new: Inputs) -> bool:
    """Whether a resource is now on another server."""
    return bool(old.get(SERVER) and new.get(SERVER)) and old[SERVER] != new[SERVER]


def _type(request: Any) -> str:
    return str(request.urn.split("::")[2].split("$")[-1])


def _within(key: str, places: Iterable[str]) -> str:
    """The first different path in a property, because the engine displays the value at the path."""
    return next((path for path in places if path == key or path.startswith((f"{key}.", f"{key}["))), key)


def _sentence(problem: KeywrightError | DeclarationErrors) -> str:
    return "\n".join(map(str, problem.exceptions if isinstance(problem, DeclarationErrors) else [problem]))


def _fail(context: Any, problem: KeywrightError | DeclarationErrors) -> NoReturn:
    context.abort(grpc.StatusCode.UNKNOWN, _sentence(problem))
    raise AssertionError  # abort has raised


class _Bugs(grpc.ServerInterceptor):  # type: ignore[misc]  # grpc has no types
    """Reports an unexpected exception as one line to the user, and as a traceback in debug logs."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def intercept_service(self, continuation: Any, details: Any) -> Any:
        handler = continuation(details)

        def answer(request: Any, context: Any) -> Any:
            try:
                return handler.unary_unary(request, context)
            except Exception as bug:
                if context.code() is not None:
                    raise  # a request that was rejected with a message
                text = "".join(traceback.format_exception(bug))
                self._engine.Log(engine_pb2.LogRequest(severity=engine_pb2.DEBUG, message=text))
                words = f"bug in keywright: {type(bug).__name__}: {' '.join(str(bug).split())}"
                context.abort(grpc.StatusCode.INTERNAL, f"{words}; `pulumi up --debug` shows where")

        return grpc.unary_unary_rpc_method_handler(answer, handler.request_deserializer, handler.response_serializer)


def serve() -> None:
    """Serve Pulumi's engine, whose address is the last argument, until it ends the process."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    channel = grpc.insecure_channel(sys.argv[-1])
    engine = engine_pb2_grpc.EngineStub(channel)
    provider = Provider(engine)
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=16), interceptors=[_Bugs(engine)])
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(provider, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    with contextlib.suppress(KeyboardInterrupt):
        server.wait_for_termination()
    provider.close()
