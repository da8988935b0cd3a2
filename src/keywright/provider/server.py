"""Pulumi's provider protocol over `api/resources`: the engine calls, from many threads, until it ends the process."""

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
from keywright.api.resources import Watcher
from keywright.engines.resource import Inputs
from keywright.errors import Blocked, DeclarationErrors, KeywrightError
from keywright.history.backfill import Progress
from keywright.history.runner import Done
from keywright.history.watch import Waiting

from . import wire
from .configuration import Configuration
from .kinds import kind_of

T = TypeVar("T")

Diffs = provider_pb2.DiffResponse


class Provider(provider_pb2_grpc.ResourceProviderServicer):
    """One project's resources, in every environment that a request speaks of."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._configuration = Configuration()
        self._cancelled = threading.Event()

    def Handshake(self, request: Any, context: Any) -> Any:
        """Nothing is agreed on that this provider needs."""
        return provider_pb2.ProviderHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:
        """The version."""
        return plugin_pb2.PluginInfo(version=__version__)

    def CheckConfig(self, request: Any, context: Any) -> Any:
        """What is wrong with the stack's configuration."""
        found = Configuration.wrong(wire.plain(request.news))
        failures = [provider_pb2.CheckFailure(property=key, reason=reason) for key, reason in found]
        return provider_pb2.CheckResponse(inputs=request.news, failures=failures)

    def DiffConfig(self, request: Any, context: Any) -> Any:
        """Where a store is says nothing of what is in it: no resource changes with an address."""
        return Diffs(changes=Diffs.DIFF_NONE)

    def Configure(self, request: Any, context: Any) -> Any:
        """Where the stores are."""
        self._configuration = Configuration(wire.plain(request.args))
        return provider_pb2.ConfigureResponse(acceptSecrets=False, acceptResources=False, supportsPreview=True)

    def Check(self, request: Any, context: Any) -> Any:
        """What is wrong with what a program says, property by property."""
        type, olds, news = _type(request), wire.plain(request.olds), wire.plain(request.news)
        failures: list[Any] = []
        if not wire.has_unknown(news):
            found = self._told(context, lambda: kind_of(type).wrong(type, olds or None, news))
            places = wire.detailed(olds, news)
            failures = [provider_pb2.CheckFailure(property=_within(key, places), reason=why) for key, why in found]
        return provider_pb2.CheckResponse(inputs=wire.struct(news), failures=failures)

    def Diff(self, request: Any, context: Any) -> Any:
        """What differs, element by element; nothing is ever replaced."""
        found = wire.detailed(wire.plain(request.old_inputs), wire.plain(request.news))
        response = Diffs(
            changes=Diffs.DIFF_SOME if found else Diffs.DIFF_NONE,
            diffs=sorted({path.split(".")[0].split("[")[0] for path in found}),
            hasDetailedDiff=True,
        )
        for path, change in found.items():
            response.detailedDiff[path].kind = provider_pb2.PropertyDiff.Kind.Value(change)
            response.detailedDiff[path].inputDiff = True
        return response

    def Create(self, request: Any, context: Any) -> Any:
        """Bring it about; in a preview, say what it would be."""
        type, news = _type(request), wire.plain(request.properties)
        if not request.preview:
            self._settle(request, context, None, news)
        id = "" if wire.has_unknown(news) else kind_of(type).id(type, news)
        return provider_pb2.CreateResponse(id=id, properties=wire.struct(news))

    def Update(self, request: Any, context: Any) -> Any:
        """Likewise, from what was said before."""
        news = wire.plain(request.news)
        if not request.preview:
            self._settle(request, context, wire.plain(request.old_inputs), news)
        return provider_pb2.UpdateResponse(properties=wire.struct(news))

    def Read(self, request: Any, context: Any) -> Any:
        """What is there, as inputs too, so that a refresh shows what has become of it."""
        known = wire.plain(request.inputs) or wire.plain(request.properties) or None
        type, standing = _type(request), self._configuration.standing(request.urn, known)
        found = self._told(context, lambda: kind_of(type).read(standing, type, request.id, known))
        if found is None:
            return provider_pb2.ReadResponse()
        return provider_pb2.ReadResponse(id=request.id, properties=wire.struct(found), inputs=wire.struct(found))

    def Delete(self, request: Any, context: Any) -> Any:
        """Drop it where it is not protected; else say that it stays."""
        inputs = wire.plain(request.old_inputs) or wire.plain(request.properties)
        type, standing = _type(request), self._configuration.standing(request.urn, inputs)
        watcher = self._watcher(request.urn)
        left = self._told(context, lambda: kind_of(type).remove(standing, type, inputs, watcher))
        if left:
            self._log(engine_pb2.WARNING, left, request.urn)
        return empty_pb2.Empty()

    def Cancel(self, request: Any, context: Any) -> Any:
        """Start no further step."""
        self._cancelled.set()
        return empty_pb2.Empty()

    def close(self) -> None:
        """End all connections."""
        self._configuration.close()

    def _settle(self, request: Any, context: Any, old: Inputs | None, new: Inputs) -> None:
        """Bring it about; of what fails in the middle the state keeps what was done, so that the next run goes on."""
        type, standing = _type(request), self._configuration.standing(request.urn, new)
        kind, watcher = kind_of(type), self._watcher(request.urn)
        try:
            kind.settle(standing, type, old, new, watcher)
        except (KeywrightError, DeclarationErrors) as problem:
            left: Inputs | None = None
            if watcher.made or old is not None:
                with contextlib.suppress(KeywrightError, DeclarationErrors):  # then nothing more is known than before
                    left = kind.read(standing, type, kind.id(type, new), new) if kind.has_parts else None
            if left is None:
                _fail(context, problem)
            detail = any_pb2.Any()
            detail.Pack(
                provider_pb2.ErrorResourceInitFailed(
                    id=kind.id(type, new), properties=wire.struct(left),
                    inputs=wire.struct(left if old is None else old), reasons=[_sentence(problem)],
                )
            )  # fmt: skip
            code = grpc.StatusCode.UNKNOWN
            status = status_pb2.Status(code=code.value[0], message=_sentence(problem), details=[detail])
            context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
            context.abort(code, _sentence(problem))

    def _told(self, context: Any, call: Callable[[], T]) -> T:
        try:
            return call()
        except (KeywrightError, DeclarationErrors) as problem:
            _fail(context, problem)

    def _watcher(self, urn: str) -> "_Telling":
        def tell(text: str) -> None:
            self._log(engine_pb2.INFO, text, urn, is_passing=True)

        return _Telling(tell, self._cancelled)

    def _log(self, severity: Any, message: str, urn: str, *, is_passing: bool = False) -> None:
        with contextlib.suppress(grpc.RpcError):
            self._engine.Log(engine_pb2.LogRequest(severity=severity, message=message, urn=urn, ephemeral=is_passing))


class _Telling(Watcher):
    """Tells the engine what happens to one resource."""

    def __init__(self, tell: Callable[[str], None], cancelled: threading.Event) -> None:
        self.made = 0
        self._tell, self._cancelled, self._told_at = tell, cancelled, 0.0

    def step(self, done: Done) -> None:
        if done.outcome == "made":
            self.made += 1
            self._tell(done.step.summary)

    def waiting(self, what: Waiting) -> None:
        self._tell(f"{what.place}: waiting for {what.owner}")

    def items(self, entity: str, progress: Progress) -> None:
        if time.monotonic() > self._told_at + 1:
            self._told_at = time.monotonic()
            segments = f"{progress.segments_done} of {progress.segments} segments"
            self._tell(f"{entity}: {progress.counts.read} items, {segments}")

    def check(self) -> None:
        if self._cancelled.is_set():
            raise Blocked("interrupted", "`pulumi up` goes on where it stopped")


def _type(request: Any) -> str:
    return str(request.urn.split("::")[2].split("$")[-1])


def _within(key: str, places: Iterable[str]) -> str:
    """The first place in a property that differs: the engine shows the value that stands there."""
    return next((path for path in places if path == key or path.startswith((f"{key}.", f"{key}["))), key)


def _sentence(problem: KeywrightError | DeclarationErrors) -> str:
    return "\n".join(map(str, problem.exceptions if isinstance(problem, DeclarationErrors) else [problem]))


def _fail(context: Any, problem: KeywrightError | DeclarationErrors) -> NoReturn:
    context.abort(grpc.StatusCode.UNKNOWN, _sentence(problem))
    raise AssertionError  # abort has raised


class _Bugs(grpc.ServerInterceptor):  # type: ignore[misc]  # grpc has no types
    """What nobody foresaw is one line to the user, and a traceback to who asks for it."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def intercept_service(self, continuation: Any, details: Any) -> Any:
        handler = continuation(details)

        def answer(request: Any, context: Any) -> Any:
            try:
                return handler.unary_unary(request, context)
            except Exception as bug:
                if context.code() is not None:
                    raise  # it was refused, by a sentence
                told = "".join(traceback.format_exception(bug))
                self._engine.Log(engine_pb2.LogRequest(severity=engine_pb2.DEBUG, message=told))
                words = f"bug in keywright: {type(bug).__name__}: {' '.join(str(bug).split())}"
                context.abort(grpc.StatusCode.INTERNAL, f"{words}; `pulumi up --debug` shows where")

        return grpc.unary_unary_rpc_method_handler(answer, handler.request_deserializer, handler.response_serializer)


def serve() -> None:
    """Serve the engine whose address is the last argument, until it ends the process."""
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
