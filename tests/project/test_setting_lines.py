"""An error of an engine about a setting names the setting's line in the stack file."""

from pathlib import Path

import pytest
from tests.projects import errors_of, with_imports

MODELS = {
    "dynamodb": 'kw.Item(kw.DynamoTable("shop"), pk="{name}", sk="A")',
    "cassandra": 'kw.CqlTable(kw.Keyspace("shop"), "things", partition="name")',
    "mongodb": 'kw.Collection(kw.MongoDatabase("shop"), "things", id="{name}")',
}

HEAD = "config:\n  keywright:environment:\n    mode: dev\n"

CASES = [
    ("dynamodb", "flavour: dynamodb\nkinesis-stream: changes", "kinesis-stream"),
    ("dynamodb", "flavour: dynamodb\nbilling: provisioned", "billing"),
    ("dynamodb", "flavour: dynamodb\nname-prefix: x\nmanaged-by: keywright\ncontributor-insights: true", "contributor"),
    ("dynamodb", "flavour: dynamodb\nbilling: provisioned\nautoscaling:\n  read: {min: 1, max: 9, target: 70}\n"
     "  write:\n    min: 1\n    max: 9\n    target: 95", "target: 95"),
    ("dynamodb", "flavour: dynamodb\nbilling: provisioned\nautoscaling:\n  read: {min: 9, max: 5}\n"
     "  write: {min: 1, max: 9}", "read: {min: 9"),
    ("dynamodb", "flavour: dynamodb\nautoscaling:\n  read: {min: 1, max: 5}\n  write: {min: 1, max: 9}",
     "autoscaling:"),
    ("dynamodb", "flavour: dynamodb\nreplicas:\n  - region: eu-west-1\nwitness: eu-west-2", "witness"),
    ("dynamodb", "flavour: dynamodb\ncapacity: {read: 1, write: 1}\ntables:\n  shop:\n    protect: true\n"
     "    autoscaling:\n      read: {min: 1, max: 5}\n      write: {min: 1, max: 9}", "    autoscaling:"),
    ("cassandra", "flavour: cassandra\ndatacentres:\n  dc1: 3\n  dc2: 0", "dc2"),
    ("cassandra", "flavour: cassandra\ndurable-writes: true", "cassandra:"),
    ("mongodb", "flavour: mongodb\nversion: '1.0'", "version"),
]  # fmt: skip
"""The engine, its settings, and the start of the line that the error names."""


@pytest.mark.parametrize(("engine", "settings", "line"), CASES)
def test_a_refused_setting_is_shown_where_it_stands(engine: str, settings: str, line: str, tmp_path: Path) -> None:
    model = f"class Thing(BaseModel):\n    __store__: ClassVar = {MODELS[engine]}\n    name: str\n"
    indented = "".join(f"      {line}\n" for line in settings.split("\n"))
    stack = f"{HEAD}    {engine}:\n{indented}"
    errors = errors_of(tmp_path, {"models/case.py": with_imports(model), "stacks/Pulumi.dev.yaml": stack})
    (error,) = (error for error in errors if error.code.startswith("E04"))
    assert error.at.file.endswith("Pulumi.dev.yaml")
    part = stack.split("\n")[error.at.line - 1]
    assert part.strip().startswith(line.strip()), (part, error.problem)
