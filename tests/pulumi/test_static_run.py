"""The static program under the real command line and Pulumi's own host for YAML, on tables in DynamoDB Local."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.projects import with_imports
from tests.pulumi.cleaning import emptied
from tests.pulumi.shop import Shop
from tests.pulumi.tables_only import addresses as addresses

pytestmark = pytest.mark.live

HOST = "pulumi-language-yaml"
HINT = f"there is no {HOST} on PATH: a release of Pulumi has it (https://www.pulumi.com/docs/install)"

TAGS = {
    "paid": "$5 ${shop}", "${shop}": "a key", "$$": "$${x}", "quotes": "\"'`", "line": "a\nb", "a\nkey": "\\n",
    "number": "12e5", "flag": "no", "none": "~", "space": " a ", "mark": ": #", "é": "ü€😀", "$": "$",
    "fn::toJSON": "x",
}  # fmt: skip
"""Texts that mean something to YAML, or to Pulumi in it."""

MODELS = with_imports(
    """
    shop = kw.DynamoTable("shop.orders", gsis=[kw.Gsi("by_day", pk="day")])


    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
        day: str
    """
)


@pytest.fixture
def shop(programs: Path, endpoint: str, addresses: dict[str, str], tmp_path: Path) -> Iterator[Shop]:
    """A project with one table and odd tags."""
    if shutil.which(HOST) is None and not (programs / HOST).is_file():
        pytest.skip(HINT)
    created = Shop(tmp_path / "shop", programs, endpoint, addresses)
    created.prepare()
    (created.root / "models" / "shop.py").write_text(MODELS, encoding="utf-8")
    environment = {"mode": "dev", "tags": TAGS, "dynamodb": {"flavour": "dynamodb", "protect": False}}
    config = {"config": {"aws:region": "eu-west-1", "keywright:environment": environment}}
    (created.root / "stacks" / "Pulumi.dev.yaml").write_text(
        yaml.safe_dump(config, allow_unicode=True), encoding="utf-8"
    )
    with emptied(created.dynamodb, addresses):
        yield created


def test_texts_come_out_as_they_went_in(shop: Shop) -> None:
    said = shop.keywright("--env", "dev", "compile", "--pulumi-yaml")
    assert said.code == 0, said.text
    folder = str(shop.root / "build" / "dev" / "pulumi")
    for words in (("stack", "init", "dev"), ("up", "--yes", "--skip-preview", "-s", "dev")):
        said = shop.pulumi("--cwd", folder, *words)
        assert said.code == 0, said.text
    state: Any = json.loads(shop.pulumi("--cwd", folder, "stack", "export", "-s", "dev").text)
    (table,) = [
        resource for resource in state["deployment"]["resources"] if resource["type"] == "aws:dynamodb/table:Table"
    ]
    assert table["inputs"]["tags"] == TAGS
    assert table["inputs"]["name"] == "shop.orders"
    assert shop.indexes("shop.orders") == ["by_day"]
    outputs = json.loads(shop.pulumi("--cwd", folder, "stack", "output", "--json", "-s", "dev").text)
    assert outputs["tables"] == {"shop.orders": "shop.orders"}
    said = shop.pulumi("--cwd", folder, "up", "--yes", "--skip-preview", "-s", "dev", "--expect-no-changes")
    assert said.code == 0, said.text
