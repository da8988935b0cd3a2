"""The example's own history, carried out version by version on real servers with data in them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from keywright.api.drift import drift
from keywright.api.live import running_servers
from keywright.api.locked import Order, Watcher
from keywright.api.migrate import apply
from keywright.api.replay import everything, servers
from keywright.api.sites import Where, opened
from keywright.drivers import mongodb
from keywright.engines.interface import Driver
from keywright.local import Instance
from keywright.project.migrations import Folder, read_folder
from keywright.project.settings import read_settings
from keywright.runtime import to_item

pytestmark = pytest.mark.live

ROOT = Path(__file__).parents[2]
QUIET = Watcher()
NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)


@dataclass(frozen=True)
class World:
    """The servers of one replay."""

    where: Where
    folder: Folder
    drivers: dict[str, Driver]

    def url(self, engine: str) -> str:
        instance = Instance(engine, engine)
        return running_servers(self.where.settings, [instance])[instance].url


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    where = Where(read_settings(ROOT), "dev", is_local=True)
    folder = read_folder(where.settings)
    with servers(where, folder, lambda event: None) as (own, skipped):
        if skipped:
            pytest.skip(f"no server: {skipped}")
        with opened(own, {store for version in folder.versions for store in version.stores}) as sites:
            yield World(own, folder, {store: site.driver for store, site in sites.items()})


def order(number: int) -> Any:
    from models.shop import Order as ShopOrder
    from models.shop import OrderLine

    line = OrderLine(sku="s1", name="A thing", category="things", quantity=1, amount=Decimal("9.90"))
    status = ("placed", "paid", "delivered")[number % 3]
    at = NOW + timedelta(hours=number)
    return ShopOrder(
        user_id=f"u{number % 5}", user_name="Ada", order_id=f"o{number}", placed_at=at, status=status, lines=[line],
        total=Decimal("9.90"),
    )  # fmt: skip


def order_item(number: int, version: str) -> Any:
    """The item as the code of that version writes it: without the index that came in 0003."""
    item = dict(to_item(order(number)))
    if version < "0003":
        item = {name: value for name, value in item.items() if name not in ("gsi3pk", "gsi3sk")}
    return item


def reader(number: int, version: str) -> dict[str, Any]:
    """The document as the code of that version writes it."""
    if version < "0006":
        return {"_id": f"r{number}", "mail": f"r{number}@example.org", "full_name": f"Ada L{number}"}
    names = {"email": f"r{number}@example.org", "first_name": "Ada", "last_name": f"L{number}"}
    return {"_id": f"r{number}", **names, "tier": "free", "_kw_v": 2}


def put(world: World, version: str, numbers: range) -> None:
    world.drivers["dynamodb"].load("dev-shop", [order_item(number, version) for number in numbers])
    with mongodb.client(world.url("mongodb")) as client:
        client["dev_content"]["readers"].insert_many([reader(number, version) for number in numbers])


EACH = 20


def test_data_of_every_version_arrives_at_the_last_one(world: World) -> None:
    for at, version in enumerate(world.folder.versions):
        apply(world.where, everything(version), QUIET)
        put(world, version.number, range(at * EACH, (at + 1) * EACH))
    assert drift(world.where).differences == ()
    numbers = range(len(world.folder.versions) * EACH)
    with mongodb.client(world.url("mongodb")) as client:
        found = {one["_id"]: one for one in client["dev_content"]["readers"].find()}
    assert found == {f"r{number}": reader(number, "9999") for number in numbers}
    stored = world.drivers["dynamodb"].stored
    for number in numbers:
        item = to_item(order(number))
        assert stored("dev-shop", item) == item


def test_a_second_run_has_nothing_to_do(world: World) -> None:
    made = apply(world.where, Order(), QUIET)
    assert made.due == ()


BETWEEN = range(1, 10) if os.environ.get("KEYWRIGHT_CHAOS") else (6,)


@pytest.mark.parametrize("at", BETWEEN)
def test_an_environment_that_began_with_any_version_arrives_at_the_last_one(at: int) -> None:
    where = Where(read_settings(ROOT), "dev", is_local=True)
    folder = read_folder(where.settings)
    with servers(where, folder, lambda event: None) as (own, _):
        began = apply(own, Order(to=folder.versions[at - 1].number), QUIET)
        assert began.is_fresh
        assert drift(own).differences == ()
        for version in folder.versions[at:]:
            apply(own, replace(everything(version), is_replayed=False), QUIET)
        assert drift(own).differences == ()
