"""`python -m tests.pulumi.recorded dev`: every resource that the example's program registers, and what it exports.

A second argument is the file of another program, for the same project.

Without the command line: the engine is a mock, which records the whole request.
"""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pulumi
from google.protobuf import json_format
from pulumi.runtime.mocks import MockMonitor, MockResourceArgs, Mocks, set_mocks

ROOT = Path(__file__).parents[2]

LEFT_OUT = (
    "acceptSecrets", "acceptResources", "supportsPartialValues", "supportsResultReporting", "sourcePosition",
    "stackTrace", "version", "packageRef", "remote", "propertyDependencies", "aliasSpecs",
)  # fmt: skip
"""What the SDK says of itself, or of the place in the program."""


class Recorder(MockMonitor):
    """An engine that keeps what it is told."""

    def __init__(self, mocks: Mocks) -> None:
        super().__init__(mocks)
        self.requests: list[dict[str, Any]] = []

    def RegisterResource(self, request: Any) -> Any:
        message_to_dict = json_format.MessageToDict(request)
        message_to_dict.get("dependencies", []).sort()  # a set of the SDK's
        if "dependencies" in message_to_dict:
            message_to_dict["dependencies"].sort()  # the SDK keeps them in a set
        self.requests.append({key: value for key, value in sorted(message_to_dict.items()) if key not in LEFT_OUT})
        return super().RegisterResource(request)


class Cloud(Mocks):
    """A cloud in which everything is made at once."""

    def new_resource(self, args: MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        return f"{args.name}-id", {
            "name": f"{args.name}-1a2b3c4",
            **args.inputs,
            "arn": f"arn:of:{args.name}",
            "streamArn": f"arn:of:{args.name}/stream",
        }

    def call(self, args: Any) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        return {}, None


def recorded(environment: str, program: str = str(ROOT / "stacks" / "__main__.py")) -> dict[str, Any]:
    """The requests of a program in an environment, by name, and its outputs."""
    recorder, outputs = Recorder(Cloud()), dict[str, Any]()
    set_mocks(Cloud(), project="shop", stack=environment, monitor=recorder)

    @pulumi.runtime.test
    def run() -> Any:
        runpy.run_path(program)
        root_resource: Any = pulumi.runtime.get_root_resource()
        return pulumi.Output.all(**root_resource.outputs).apply(outputs.update)

    run()
    rows = (request for request in recorder.requests if request["type"] != "pulumi:pulumi:Stack")
    return {"resources": sorted(rows, key=lambda row: (str(row["type"]), str(row["name"]))), "outputs": outputs}


if __name__ == "__main__":
    print(json.dumps(recorded(*sys.argv[1:]), indent=1, sort_keys=True))
