"""Findings about an environment stand at the line of the setting, not at the head of the stack file."""

from datetime import date
from pathlib import Path

import pytest
from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.api.check.evaluate import evaluate_models
from keywright.rules.options import RuleOptions

MODELS = """
    ledger = kw.DynamoTable("ledger")
    other = kw.DynamoTable("other")
    shop = kw.Keyspace("shop")
    users = kw.RedisServer("users", role="sessions")

    class Entry(BaseModel):
        __store__: ClassVar = kw.Item(ledger, pk="ENTRY#{entry_id}", sk="ENTRY", kind="money")
        entry_id: Annotated[str, Field(min_length=1, max_length=26)]

    class Other(BaseModel):
        __store__: ClassVar = kw.Item(other, pk="OTHER#{other_id}", sk="OTHER")
        other_id: Annotated[str, Field(min_length=1, max_length=26)]

    class Cart(BaseModel):
        __store__: ClassVar = kw.CqlTable(shop, "carts", partition="customer")
        customer: str
"""

STACK = """\
config:
  keywright:environment:
    mode: gated
    history: cassandra/shop
    dynamodb:
      flavour: dynamodb
      protect: false                    # protect of ledger
      point-in-time-recovery: false     # recovery of other
      encryption: aws-owned             # key
      billing: provisioned
      capacity: {read: 5, write: 5}     # capacity
      tables:
        other:
          protect: true
        ledger:
          point-in-time-recovery: true
    cassandra:
      flavour: cassandra
      datacentres:
        dc1: 3
        dc2: 2                          # two copies
        dc3: 1                          # one copy
    redis: {flavour: redis}             # redis
"""


def findings_in(folder: Path, stack: str = STACK) -> list[tuple[str, str, str]]:
    """(code, what it is about, the remark in its line) of all findings in the stack file."""
    a_project(folder, {"models/case.py": with_imports(MODELS), "stacks/Pulumi.dev.yaml": stack})
    with imported_alone(folder):
        compiled = api.compile(api.load(str(folder)), "dev")
        findings = evaluate_models(compiled, date(2026, 11, 22), RuleOptions(profile="strict")).findings
    lines = (folder / "stacks" / "Pulumi.dev.yaml").read_text().splitlines()
    inside = [finding for finding in findings if finding.at.file.endswith("Pulumi.dev.yaml")]
    return [(finding.code, finding.object, lines[finding.at.line - 1].partition("#")[2].strip()) for finding in inside]


def test_each_finding_stands_at_its_setting(tmp_path: Path) -> None:
    assert set(findings_in(tmp_path)) >= {
        ("DDB030", "ledger", "protect of ledger"),
        ("DDB029", "other", "recovery of other"),
        ("DDB031", "ledger", "key"),
        ("DDB026", "ledger", "capacity"),
        ("CAS017", "shop", "two copies"),
        ("CAS015", "shop", "one copy"),
        ("RED001", "users", "redis"),
    }


def test_what_the_settings_of_one_table_say_counts_for_that_table_alone(tmp_path: Path) -> None:
    codes = {(code, about) for code, about, _ in findings_in(tmp_path)}
    assert not codes & {("DDB030", "other"), ("DDB029", "ledger"), ("DDB031", "other")}


@pytest.mark.parametrize(
    ("before", "after"), [("mode: gated", "mode: dev"), ("flavour: dynamodb\n", "flavour: dynamodb-local\n")]
)
def test_development_may_have_unprotected_tables(tmp_path: Path, before: str, after: str) -> None:
    stack = STACK.replace(before, after)
    if "local" in after:
        stack = stack.replace("      billing: provisioned\n      capacity: {read: 5, write: 5}     # capacity\n", "")
    assert not {code for code, _, _ in findings_in(tmp_path, stack)} & {"DDB029", "DDB030", "DDB031"}


def test_a_default_stands_at_the_part_of_its_engine(tmp_path: Path) -> None:
    stack = STACK.replace("      encryption: aws-owned             # key\n", "").replace(
        "    dynamodb:", "    dynamodb:  # part"
    )
    assert ("DDB031", "ledger", "part") in findings_in(tmp_path, stack)
