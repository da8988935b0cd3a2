"""How much a plan goes over, by what real servers say of themselves."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.live.daily import Daily, books
from tests.live.test_index_values import Shop

from keywright.api.migrate import estimates
from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis
from keywright.engines.contract.counting import StoreSize
from keywright.local import Running
from keywright.record import replace

pytestmark = pytest.mark.live

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "migrate-plan.json"
Start = Callable[..., Running]


@pytest.fixture
def shop(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> Shop:
    url = start("dynamodb").url.replace("://", f"://{tmp_path.name}@").replace("_", "x")
    monkeypatch.setenv("KEYWRIGHT_DYNAMODB_URL", url)
    created = Shop(tmp_path / "shop", url)
    for number in range(5):
        created.put(number, day={"S": "2026-11-21"})
    return created


def test_dynamodb_tells_items_bytes_and_units_of_each_stage_that_goes_over_them(shop: Shop) -> None:
    lines = shop.daily("plan", "--local").out.splitlines()
    over = f"over {shop.table}: 5 items, 190 B"
    assert [line.strip() for line in lines[1:-1]] == [
        '10 expand    dynamodb: every stored value fits index "by_day" of "shop"',
        over,
        "needs about 1 read unit, for items of average size",
        f"{shop.table}: no item would be left out of the index",
        f'20 expand    dynamodb: create index "by_day" of table "{shop.table}"',
        over,
        "needs about 5 write units, for items of average size",
        "30 contract  compares all stores with the migration",
    ]
    document = json.loads(shop.daily("plan", "--local", "--format", "json").out)
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    assert document["steps"][0]["over"] == {
        "object": shop.table,
        "size": {"items": 5, "bytes": 190, "noun": "item", "remark": ""},
        "units": {"read": 1, "write": 0},
    }


def test_the_hash_of_a_plan_knows_no_counts(shop: Shop) -> None:
    before = json.loads(shop.daily("plan", "--local", "--format", "json").out)
    shop.put(6)
    after = json.loads(shop.daily("plan", "--local", "--format", "json").out)
    assert before["steps"] != after["steps"]
    assert before["hash"] == after["hash"]


def test_an_index_over_much_data_is_warned_of(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is small; the driver's answer is replaced by that of a large one."""
    opened, huge = (
        estimates.opened,
        StoreSize(1_200_000, 50 * 1024**3, remark="counted by the service about every six hours"),
    )

    @contextmanager
    def larger(*where: Any) -> Iterator[Any]:
        with opened(*where) as sites:
            drivers = {store: replace(site.driver, size=lambda name: huge) for store, site in sites.items()}
            yield {store: replace(site, driver=drivers[store]) for store, site in sites.items()}

    monkeypatch.setattr(estimates, "opened", larger)
    said = shop.daily("plan", "--local").out
    assert 'warning[LK103] shop/by_day: index "by_day" is built over 50 GiB, but its step has no budget\n' in said
    assert ": about 1.2 M items, 54 GB (counted by the service about every six hours)\n" in said
    document = json.loads(shop.daily("plan", "--local", "--format", "json").out)
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    assert [warning["code"] for warning in document["warnings"]] == ["LK103"]


def test_mongodb_tells_documents_and_bytes(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", start("mongodb").url)
    daily = Daily(tmp_path / "library", books("title"))
    assert daily("diff", "-m", "first").code == 0
    assert daily("apply", "--local").code == 0
    with daily.collection() as collection:
        collection.insert_many([{"_id": str(at), "title": "Emma"} for at in range(3)])
    daily.becomes(books("title", "author", more="author: str | None = None"))
    assert daily("diff", "-m", "authors").code == 0
    lines = daily("plan", "--local").out.splitlines()
    at = next(at for at, line in enumerate(lines) if 'create index "author_1"' in line)
    assert lines[at + 1].strip() == f"over {daily.prefix}daily.books: 3 documents, 96 B"
    daily.forget()


def test_what_a_store_does_not_tell_is_unknown(start: Start) -> None:
    asking = mongodb.connect(start("mongodb").url)
    assert asking.size("nobody.nothing") == StoreSize(0, 0, "document")
    assert asking.size("nobody") is None
    asking.close()
    asking = dynamodb.connect(start("dynamodb").url)
    assert asking.size("nothing") == StoreSize(0, 0)
    asking.close()
    asking = redis.connect(start("redis").url)
    assert asking.size("sessions") is None
    asking.close()
    asking = cassandra.connect(start("cassandra").url)
    assert asking.size("nobody.nothing") == StoreSize(0, 0, "partition")
    assert asking.size("nobody") is None
    size = asking.size("system_schema.columns")
    assert size is None or (size.items > 0 and size.remark == "estimated by the server")
    asking.close()
