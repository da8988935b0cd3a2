"""A stand-in for Pulumi's AWS provider, for tests and the demo: tables in DynamoDB Local, and what is only remembered.

It speaks the provider's protocol, as far as deployments use it, so that the real command line, the real engine and the
real SDK run against it. What it shows is never said of AWS.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent import futures
from typing import Any
from urllib.parse import urlsplit

import boto3
import grpc
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from google.protobuf import any_pb2, empty_pb2
from google.rpc import status_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc

from keywright.engines.contract.resource import Inputs
from keywright.provider import wire

from . import kinds, quotas, table

VERSION = "7.51.1"
"""The version of the SDK that it stands in for: the engine takes no other."""

ENDPOINT = "AWS_ENDPOINT_URL_DYNAMODB"
"""Where DynamoDB Local is; anything but this machine is refused."""

_TABLE = "aws:dynamodb/table:Table"


class Provider(provider_pb2_grpc.ResourceProviderServicer):
    """Tables, and the kinds that are remembered; any other type is refused by name."""

    def __init__(self) -> None:
        self._client: Any = None
        self._region = ""
        self._mutex = threading.Lock()

    @property
    def client(self) -> Any:
        """Made once, under a lock: the engine calls from many threads, and making one is not safe then."""
        with self._mutex:
            if self._client is None:
                address = os.environ.get(ENDPOINT, "")
                if urlsplit(address).hostname not in ("localhost", "127.0.0.1", "::1"):
                    raise table.Refused(f"the stand-in for the AWS provider needs {ENDPOINT} on this machine")
                self._client = boto3.client(
                    "dynamodb", region_name=self._region, endpoint_url=address,
                    aws_access_key_id=os.environ.get("AWS_ACCESS_KEY_ID", "standin"),
                    aws_secret_access_key="standin", config=Config(retries={"mode": "standard"}),
                )  # fmt: skip
            return self._client

    def Handshake(self, request: Any, context: Any) -> Any:
        return provider_pb2.ProviderHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:
        return plugin_pb2.PluginInfo(version=VERSION)

    def GetSchema(self, request: Any, context: Any) -> Any:
        from .schema import schema  # imports the SDK, for a program in YAML alone

        return provider_pb2.GetSchemaResponse(schema=schema([_TABLE, *kinds.KINDS], VERSION))

    def CheckConfig(self, request: Any, context: Any) -> Any:
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: Any, context: Any) -> Any:
        return provider_pb2.DiffResponse(changes=provider_pb2.DiffResponse.DIFF_NONE)

    def Configure(self, request: Any, context: Any) -> Any:
        self._region = str(wire.plain(request.args).get("region") or "eu-west-1")
        return provider_pb2.ConfigureResponse(acceptSecrets=False, acceptResources=False, supportsPreview=True)

    def Check(self, request: Any, context: Any) -> Any:
        type, drawn = _type(request.urn), f"{request.urn.split('::')[-1]}-{request.randomSeed.hex()[:7]}"
        news = kinds.named(type, wire.plain(request.news), wire.plain(request.olds), drawn)
        result = [] if wire.has_unknown(news) else list(_wrong(type, news))
        failures = [provider_pb2.CheckFailure(property=name, reason=reason) for name, reason in result]
        return provider_pb2.CheckResponse(inputs=wire.struct(news), failures=failures)

    def Diff(self, request: Any, context: Any) -> Any:
        olds, news = wire.plain(request.old_inputs), wire.plain(request.news)
        detailed = wire.detailed(olds, news)
        kind = kinds.KINDS.get(_type(request.urn))
        replaced = {path for path in detailed if _top(path) in (kind.fixed if kind else table.REPLACED_BY)}
        response = provider_pb2.DiffResponse(
            changes=provider_pb2.DiffResponse.DIFF_SOME if detailed else provider_pb2.DiffResponse.DIFF_NONE,
            replaces=sorted(map(_top, replaced)),
            diffs=sorted(set(map(_top, detailed))),
            hasDetailedDiff=True,
            deleteBeforeReplace=bool(replaced) and olds.get("name") == news.get("name"),
        )
        for path, change in detailed.items():
            word = f"{change}_REPLACE" if path in replaced else change
            response.detailedDiff[path].kind = provider_pb2.PropertyDiff.Kind.Value(word)
            response.detailedDiff[path].inputDiff = True
        return response

    def Create(self, request: Any, context: Any) -> Any:
        inputs, type = wire.plain(request.properties), _type(request.urn)
        if request.preview:
            unknown = dict.fromkeys(_computed(type), wire.UNKNOWN)
            return provider_pb2.CreateResponse(properties=wire.struct({**inputs, **unknown}))
        if type in kinds.KINDS:
            id, outputs = kinds.create(type, inputs)
            return provider_pb2.CreateResponse(id=id, properties=wire.struct(outputs))
        created = self._told(context, inputs, lambda: table.create(self.client, inputs))
        return provider_pb2.CreateResponse(id=inputs["name"], properties=wire.struct(created))

    def Read(self, request: Any, context: Any) -> Any:
        if _type(request.urn) in kinds.KINDS:
            return provider_pb2.ReadResponse(id=request.id, properties=request.properties, inputs=request.inputs)
        plain = wire.plain(request.inputs) or wire.plain(request.properties) or table.told(request.id)
        results = self._told(context, plain, lambda: table.read(self.client, request.id, plain))
        if not results:
            return provider_pb2.ReadResponse()
        history = {key: entry for key, entry in wire.plain(request.properties).items() if key == quotas.HISTORY}
        state = {**self._told(context, plain, lambda: table.state(self.client, request.id, plain)), **history}
        output = {name: plain.get(name) if plain.get(name) == value else value for name, value in results.items()}
        return provider_pb2.ReadResponse(id=request.id, properties=wire.struct(state), inputs=wire.struct(output))

    def Update(self, request: Any, context: Any) -> Any:
        olds, news, before = (wire.plain(entry) for entry in (request.old_inputs, request.news, request.olds))
        type = _type(request.urn)
        if request.preview or type in kinds.KINDS:
            kept = {name: before[name] for name in _computed(type) if name in before}
            return provider_pb2.UpdateResponse(properties=wire.struct({**news, **kept}))
        outcome = self._told(context, news, lambda: table.update(self.client, request.id, olds, news, before))
        return provider_pb2.UpdateResponse(properties=wire.struct(outcome))

    def Delete(self, request: Any, context: Any) -> Any:
        if _type(request.urn) == _TABLE:
            self._told(context, {}, lambda: table.delete(self.client, request.id))
        return empty_pb2.Empty()

    def Cancel(self, request: Any, context: Any) -> Any:
        return empty_pb2.Empty()

    def _told(self, context: Any, inputs: Inputs, call: Callable[[], Any]) -> Any:
        """What a call returns; its failure in the engine's form."""
        try:
            return call()
        except table.Incomplete as problem:
            detail = any_pb2.Any()
            detail.Pack(
                provider_pb2.ErrorResourceInitFailed(
                    id=problem.state["name"],
                    properties=wire.struct(problem.state),
                    inputs=wire.struct(inputs),
                    reasons=[str(problem)],
                )
            )
            code = grpc.StatusCode.UNKNOWN
            status = status_pb2.Status(code=code.value[0], message=str(problem), details=[detail])
            context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
            context.abort(code, str(problem))
        except (BotoCoreError, ClientError, table.Refused) as problem:
            context.abort(grpc.StatusCode.UNKNOWN, str(problem))


def _type(urn: str) -> str:
    return urn.split("::")[2].split("$")[-1]


def _wrong(type: str, inputs: Inputs) -> Iterable[tuple[str, str]]:
    """(input, reason) of what is refused."""
    if type == _TABLE:
        return table.wrong(inputs)
    if type in kinds.KINDS:
        return kinds.wrong(type, inputs)
    return [("", f"the stand-in for the AWS provider does not know {type}")]


def _computed(type: str) -> tuple[str, ...]:
    return table.COMPUTED if type == _TABLE else kinds.COMPUTED


def _top(path: str) -> str:
    return path.split(".")[0].split("[")[0]


def serve() -> None:
    """Serve until the engine ends it, or is gone itself: one that was killed ends nobody."""
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=16))
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(Provider(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        while server.wait_for_termination(timeout=5) and os.getppid() == parent:
            pass
    sys.stdout.flush()
