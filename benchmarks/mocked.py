"""`python benchmarks/mocked.py PROGRAM`: a Pulumi program against an engine in its process, which makes all at once.

With `--tell` it prints the requests for tables, so that two programs can be compared.
"""

import json
import runpy
import sys
from typing import Any

import pulumi
from google.protobuf import json_format
from pulumi.runtime.mocks import MockMonitor, MockResourceArgs, Mocks, set_mocks

COMPARED = ("object", "protect", "retainOnDelete", "customTimeouts", "ignoreChanges")
"""What of a request is the program's own; where its parent and its place in the file are is not."""


class Cloud(Mocks):
    """A cloud in which everything is made at once."""

    def new_resource(self, args: MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        """See `Mocks.new_resource`."""
        return f"{args.name}-id", {**args.inputs, "arn": f"arn:of:{args.name}"}

    def call(self, args: Any) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        """See `Mocks.call`."""
        return {}, None


class Recorder(MockMonitor):
    """An engine that keeps the requests for tables."""

    def __init__(self) -> None:
        super().__init__(Cloud())
        self.told: dict[str, Any] = {}

    def RegisterResource(self, request: Any) -> Any:
        """See `MockMonitor.RegisterResource`."""
        if request.type == "aws:dynamodb/table:Table":
            message_to_dict = json_format.MessageToDict(request)
            self.told[request.name] = {word: message_to_dict.get(word) for word in COMPARED}
        return super().RegisterResource(request)


def run(file: str, monitor: MockMonitor | None = None, stack: str = "dev") -> None:
    """The program, until all that it asked for is there."""
    set_mocks(Cloud(), project="tables", stack=stack, preview=True, monitor=monitor)

    @pulumi.runtime.test
    def program() -> None:
        runpy.run_path(file)

    program()


if __name__ == "__main__":
    if sys.argv[1] == "--tell":
        recorder = Recorder()
        run(sys.argv[2], recorder)
        print(json.dumps(recorder.told, sort_keys=True))
    else:
        run(sys.argv[1])
