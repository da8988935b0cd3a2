"""The example's own history, carried out version by version on real servers with data in them."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from keywright.api.live.connect import StoreSelector, opened
from keywright.api.live.local_servers import running_servers
from keywright.api.migrate.apply import apply
from keywright.api.migrate.drift import drift
from keywright.api.migrate.locks import ApplyOptions, CommandWatcher
from keywright.api.migrate.replay import everything, servers
from keywright.drivers.mongodb import driver as mongodb
from keywright.engines.interface import Driver
from keywright.local import WantedServer
from keywright.project.migrations.folder import Folder, read_folder
from keywright.project.settings import read_settings
from keywright.record import Record, replace
from keywright.runtime import to_item

pytestmark = pytest.mark.live

ROOT = Path(__file__).parents[2]
QUIET = CommandWatcher()
NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)


class World(Record):
    """The servers of one replay."""

    where: StoreSelector
    folder: Folder
    drivers: dict[str, Driver]

    def url(self, engine: str) -> str:
        instance = WantedServer(engine, engine)
        return running_servers(self.where.settings, [instance])[instance].url


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    where = StoreSelector(read_settings(ROOT), "dev", is_local=True)
    folder = read_folder(where.settings)
    with servers(where, folder, lambda event: None) as (own, skipped):
        if skipped:
            pytest.skip(f"no server: {skipped}")
        with opened(own, {store for migration in folder.migrations for store in migration.stores}) as sites:
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
    for at, migration in enumerate(world.folder.migrations):
        apply(world.where, everything(migration), QUIET)
        put(world, migration.number, range(at * EACH, (at + 1) * EACH))
    assert drift(world.where).differences == ()
    numbers = range(len(world.folder.migrations) * EACH)
    with mongodb.client(world.url("mongodb")) as client:
        result = {entry["_id"]: entry for entry in client["dev_content"]["readers"].find()}
    assert result == {f"r{number}": reader(number, "9999") for number in numbers}
    stored = world.drivers["dynamodb"].stored
    for number in numbers:
        item = to_item(order(number))
        assert stored("dev-shop", item) == item


def test_a_second_run_has_nothing_to_do(world: World) -> None:
    plan = apply(world.where, ApplyOptions(), QUIET)
    assert plan.due == ()


BETWEEN = range(1, 10) if os.environ.get("KEYWRIGHT_CHAOS") else (6,)


@pytest.mark.parametrize("at", BETWEEN)
def test_an_environment_that_began_with_any_version_arrives_at_the_last_one(at: int) -> None:
    where = StoreSelector(read_settings(ROOT), "dev", is_local=True)
    folder = read_folder(where.settings)
    with servers(where, folder, lambda event: None) as (own, _):
        began = apply(own, ApplyOptions(to=folder.migrations[at - 1].number), QUIET)
        assert began.is_fresh
        assert drift(own).differences == ()
        for migration in folder.migrations[at:]:
            apply(own, replace(everything(migration), is_replayed=False), QUIET)
        assert drift(own).differences == ()
