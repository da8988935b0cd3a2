"""What a new index would leave out without a word is found before the index is built, on DynamoDB Local.

DynamoDB Local is more lenient than the service: it indexes values of another type, and takes later writes of them.
"""

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.live.daily import Daily
from tests.projects import with_imports

from keywright.drivers.dynamodb import driver as dynamodb
from keywright.local import Running

pytestmark = pytest.mark.live

NUMBERS = count()
STACK = """\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb-local, name-prefix: "{prefix}", protect: false}}
"""
MODELS = """
    HEAD

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
        day: str | None = None
        place: str | None = None
"""
PLAIN = 'shop = kw.DynamoTable("shop")'
INDEXED = 'shop = kw.DynamoTable("shop", gsis=[kw.Gsi("by_day", pk="day", sk="place", project="keys")])'


def orders(head: str) -> str:
    return with_imports(MODELS.replace("HEAD", head))


class Shop:
    """A project whose table is there, and whose next version adds an index."""

    def __init__(self, root: Path, url: str) -> None:
        self.client: Any = dynamodb.client(url)
        self.daily = Daily(root, orders(PLAIN), stack=STACK)
        self.table = f"{self.daily.prefix}shop"
        assert self.daily("diff", "-m", "first").code == 0
        assert self.daily("apply", "--local").code == 0
        self.daily.becomes(orders(INDEXED))
        assert self.daily("diff", "-m", "by day").code == 0

    def put(self, number: int, **values: Any) -> None:
        key = {"pk": {"S": f"ORDER#{number}"}, "sk": {"S": "ORDER"}}
        self.client.put_item(TableName=self.table, Item={**key, "order_id": {"S": str(number)}, **values})

    def indexes(self) -> list[str]:
        table = self.client.describe_table(TableName=self.table)["Table"]
        return [entry["IndexName"] for entry in table.get("GlobalSecondaryIndexes", ())]


@pytest.fixture
def shop(tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Shop:
    # Tables of its own for each test: a local server keeps those of each access key apart.
    url = start("dynamodb").url.replace("://", f"://values{os.getpid()}x{next(NUMBERS)}@")
    monkeypatch.setenv("KEYWRIGHT_DYNAMODB_URL", url)
    return Shop(tmp_path / "shop", url)


def test_the_step_stands_right_before_the_build_and_the_plan_tells_of_it(shop: Shop) -> None:
    document = yaml.safe_load((shop.daily.root / "migrations" / "0002_by_day" / "migration.yaml").read_text())
    path = "shop/native/indexes/by_day"
    assert [(step["n"], step["op"], step.get("object")) for step in document["steps"]] == [
        (10, "check_index_values", path), (20, "alter", path), (30, "assert_snapshot", None),
    ]  # fmt: skip
    plan = shop.daily("plan", "--local").out
    assert '    10 expand    dynamodb: every stored value fits index "by_day" of "shop"\n' in plan
    assert shop.daily("lint").out == "no findings\n"


def test_items_that_fit_or_are_not_meant_to_be_in_it_are_read_and_the_index_is_built(shop: Shop) -> None:
    for number in range(30):
        shop.put(number, day={"S": "2026-11-21"}, place={"S": "x" * 1024})
    shop.put(30)
    shop.put(31, place={"S": "Ulm"})
    said = shop.daily("apply", "--local")
    assert said.code == 0, said
    assert '0002/10  32 read, 0 do not fit index "by_day"\n' in said.err
    assert shop.indexes() == ["by_day"]


def test_a_value_that_does_not_fit_stops_the_version_until_it_is_put_right(shop: Shop) -> None:
    shop.put(1, day={"N": "20261121"}, place={"S": "secret place"})
    shop.put(2, day={"S": "2026-11-21"})
    said = shop.daily("apply", "--local")
    assert (said.code, said.out) == (5, "")
    assert said.err.endswith(
        'error: 0002/10: index "by_day" would omit 1 of 2 items, and reject later writes of them: '
        '{"pk":{"S":"ORDER#1"},"sk":{"S":"ORDER"}}: "day" holds N, not S\n'
        "  help: correct or remove these attributes, by hand or by a backfill in an earlier migration, "
        "then run the same command again\n"
    )
    assert "20261121" not in said.err
    assert "secret place" not in said.err
    assert shop.indexes() == []
    assert "0002/10" in shop.daily("status", "--local").out
    shop.put(1, day={"S": "2026-11-21"})
    assert shop.daily("apply", "--local").code == 0
    assert shop.indexes() == ["by_day"]


def test_all_that_does_not_fit_is_counted_and_three_are_named(shop: Shop) -> None:
    shop.put(1, day={"S": ""})
    shop.put(2, day={"S": "x" * 2049})
    shop.put(3, place={"S": "x" * 1025})
    shop.put(4, place={"NULL": True})
    for number in range(5, 25):
        shop.put(number, day={"S": "2026-11-21"})
    said = shop.daily("apply", "--local")
    assert said.code == 5
    assert "would omit 4 of 24 items" in said.err
    assert said.err.count('{"pk":{"S":"ORDER#') == 3
    assert "; and 1 more\n" in said.err


def test_a_table_is_read_page_by_page(shop: Shop) -> None:
    for number in range(7):
        shop.put(number, day={"N": "1"} if number == 6 else {"S": "x"})
    driver = dynamodb.connect(os.environ["KEYWRIGHT_DYNAMODB_URL"])
    assert driver.misfits is not None
    index: Any = {"keys": [["day", "S", "HASH"]], "projection": "KEYS_ONLY"}
    sizes, result, cursor = [], 0, None
    while True:
        page = driver.misfits(shop.table, index, cursor, 3)
        sizes.append(page.read)
        result, cursor = result + len(page.misfits), page.cursor
        if cursor is None:
            break
    driver.close()
    assert (sizes, result) == ([3, 3, 1], 1)
