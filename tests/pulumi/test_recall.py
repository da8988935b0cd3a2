"""A program whose models are as they were says what it said, without them; one whose models are not says the new."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.projects import a_project, with_imports

from keywright.api.live.connect import StoreSelector
from keywright.api.pulumi.plain import dump, parse
from keywright.api.stack.desired import stack_of
from keywright.api.stack.provide import provided
from keywright.project.settings import read_settings

ROOT = Path(__file__).parents[2]

MODELS = """
    by_buyer = kw.Gsi("by_buyer", pk="buyer")
    shop = kw.DynamoTable("shop", gsis=[by_buyer])

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
        buyer: str

    orders_of_buyer = kw.Read(Order, eq="buyer", limit=10, rate="1/s", p99_ms=50)
"""

STACK = """
config:
  keywright:environment:
    mode: dev
    dynamodb: {flavour: dynamodb, name-prefix: "dev-"}
"""

PROGRAM = """
import json, sys
import keywright.pulumi

tables = keywright.pulumi.provision().tables
tables.policy("orders_of_buyer").apply(
    lambda text: print(
        json.dumps({"policy": text, "indexes": tables.index_names, "compiled": "pydantic" in sys.modules})
    )
)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with one table and a program."""
    path = tmp_path / "shop"
    files = {f"stacks/Pulumi.{name}.yaml": STACK for name in ("dev", "test")}
    a_project(path, {**files, "models/shop.py": with_imports(MODELS), "program.py": PROGRAM})
    return path


def said(folder: Path, environment: str = "dev", **variables: str) -> Any:
    """What the program says; with `compiled`, whether it needed the models for that."""
    code = "import sys; from benchmarks.mocked import run; run('program.py', stack=sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", code, environment], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_what_was_said_is_said_again_without_the_models(folder: Path) -> None:
    first, again = said(folder), said(folder)
    assert (first.pop("compiled"), again.pop("compiled")) == (True, False)
    assert first == again
    assert first["indexes"] == {"shop": ["by_buyer"]}
    assert "dynamodb:Query" in first["policy"]
    assert said(folder, "test")["compiled"], "another environment is another answer"


def test_another_model_is_another_answer(folder: Path) -> None:
    said(folder)
    edit(folder / "models" / "shop.py", "by_buyer", "of_buyer")
    assert said(folder)["indexes"] == {"shop": ["of_buyer"]}


def test_another_setting_is_another_answer(folder: Path) -> None:
    said(folder)
    edit(folder / "stacks" / "Pulumi.dev.yaml", "dev-", "d-")
    assert said(folder)["compiled"]


def test_another_version_is_another_answer_since_the_order_of_indexes_is_of_versions(folder: Path) -> None:
    said(folder)
    words = [sys.executable, "-m", "keywright", "migrate", "diff", "-m", "first"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    assert said(folder)["compiled"]


def test_a_position_is_never_answered_from_memory(folder: Path) -> None:
    words = [sys.executable, "-m", "keywright", "migrate", "diff", "-m", "first"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    said(folder)
    assert said(folder, KEYWRIGHT_POSITION="0001")["compiled"]
    edit(folder / "stacks" / "Pulumi.dev.yaml", "mode: dev", 'mode: gated\n    position: "0001"')
    assert [said(folder)["compiled"] for _ in range(2)] == [True, True]


@pytest.mark.parametrize(("environment", "position"), [("dev", None), ("prod", "0004/30")])
def test_plain_data_comes_back_as_it_was(environment: str, position: str | None) -> None:
    output = provided(stack_of(StoreSelector(read_settings(ROOT), environment, is_local=False), position))
    assert parse(json.loads(json.dumps(dump(output)))) == output
    assert output.tables
    assert output.others
    assert bool(output.runs) == (position is None)
