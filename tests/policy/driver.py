"""A policy pack under Pulumi's protocol: a process that answers requests like those of the engine."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc
from pulumi_policy import proxy

PACK = Path(__file__).parents[2] / "policies"
UNKNOWN = proxy.UNKNOWN_STRING_VALUE
"""The value in a request for an unknown value."""

TABLE = "aws:dynamodb/table:Table"


class Diagnostic(NamedTuple):
    """One diagnostic."""

    policy: str
    message: str
    level: str
    urn: str = ""


class Pack:
    """A running pack."""

    def __init__(self, stub: analyzer_pb2_grpc.AnalyzerStub) -> None:
        self._stub = stub

    def info(self) -> Any:
        return self._stub.GetAnalyzerInfo(empty_pb2.Empty())

    def configure(self, configuration: Mapping[str, Any]) -> None:
        """Send a configuration in the engine's form: a level for each policy, numbers as floats."""
        configs: dict[str, Any] = {}
        for policy in self.info().policies:
            own = configuration.get(policy.name, configuration.get("all", {}))
            own = own if isinstance(own, dict) else {"enforcementLevel": own}
            level = own.get("enforcementLevel")
            defaults = json_format.MessageToDict(policy.configSchema.properties)
            values = {name: schema["default"] for name, schema in defaults.items()}
            values |= {key: value for key, value in own.items() if key != "enforcementLevel"}
            number = analyzer_pb2.EnforcementLevel.Value(level.upper()) if level else policy.enforcementLevel
            configs[policy.name] = analyzer_pb2.PolicyConfig(enforcementLevel=number, properties=_struct(values))
        self._stub.Configure(analyzer_pb2.ConfigureAnalyzerRequest(policyConfig=configs))

    def analyze(self, type: str, name: str, inputs: Mapping[str, Any], *, protect: bool = True) -> list[Diagnostic]:
        """The diagnostics of one resource."""
        return _diagnostics(self._stub.Analyze(_request(type, name, inputs, protect)))

    def not_applicable(self, type: str, name: str, inputs: Mapping[str, Any]) -> dict[str, str]:
        """The policies that do not apply, with their reasons."""
        answer = self._stub.Analyze(_request(type, name, inputs, True))
        return {policy.policy_name: policy.reason for policy in answer.not_applicable}

    def stack(self, resources: Sequence[tuple[str, str, Mapping[str, Any]]]) -> list[Diagnostic]:
        """The diagnostics of all resources together: type, name and inputs of each."""
        analyzer_resources = [
            analyzer_pb2.AnalyzerResource(
                type=type, name=name, urn=_urn(type, name), properties=_struct(inputs), options=_options(True)
            )
            for type, name, inputs in resources
        ]
        return _diagnostics(self._stub.AnalyzeStack(analyzer_pb2.AnalyzeStackRequest(resources=analyzer_resources)))

    def remediate(self, type: str, name: str, inputs: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The inputs after each remediation, by policy; the message of a failed one."""
        answer = self._stub.Remediate(_request(type, name, inputs, True))
        return {
            remediation.policyName: {"!": remediation.diagnostic}
            if remediation.diagnostic
            else json_format.MessageToDict(remediation.properties)
            for remediation in answer.remediations
        }


@contextmanager
def started(folder: Path = PACK, **variables: str) -> Iterator[Pack]:
    """A running pack."""
    import os

    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "pulumi.policy", "127.0.0.1:1", str(folder)], cwd=folder,
        env={**os.environ, "PULUMI_CONFIG": "{}", **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        port = process.stdout.readline().strip()
        assert port.isdigit(), process.stderr.read()
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield Pack(analyzer_pb2_grpc.AnalyzerStub(channel))
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def _struct(values: Mapping[str, Any]) -> struct_pb2.Struct:
    struct = struct_pb2.Struct()
    struct.update(dict(values))
    return struct


def _options(protect: bool) -> analyzer_pb2.AnalyzerResourceOptions:
    return analyzer_pb2.AnalyzerResourceOptions(protect=protect)


def _urn(type: str, name: str) -> str:
    return f"urn:pulumi:prod::shop::{type}::{name}"


def _request(type: str, name: str, inputs: Mapping[str, Any], protect: bool) -> Any:
    return analyzer_pb2.AnalyzeRequest(
        type=type, name=name, urn=_urn(type, name), properties=_struct(inputs), options=_options(protect)
    )


def _diagnostics(answer: Any) -> list[Diagnostic]:
    level = analyzer_pb2.EnforcementLevel.Name
    return [
        Diagnostic(
            diagnostic.policyName, diagnostic.message, level(diagnostic.enforcementLevel).lower(), diagnostic.urn
        )
        for diagnostic in answer.diagnostics
    ]
