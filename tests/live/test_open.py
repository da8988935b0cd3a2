"""What the documentation promises of calls, on real servers: an application that opens the worked example."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from models import games, shop
from tests.live.conftest import Start

from keywright import api, runtime
from keywright.api.live.local_servers import instance_of
from keywright.compiler import localised
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.redis import driver as redis
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.runtime.database import Database

pytestmark = pytest.mark.live
ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def made(running: Running, url: str, names: tuple[str, ...]) -> None:
    """Make some targets of the example as `apply` does, in its own environment."""
    project = api.load(str(ROOT))
    compiled = api.compile(project)
    here = api.compile(project, localised(compiled.environment, {running.instance.engine: running.version}))
    module: Any = {"dynamodb": dynamodb, "redis": redis}[running.instance.engine]
    driver = module.connect(url)
    for target in here.targets:
        if target.declared.name in names and instance_of(target).engine == running.instance.engine:
            statements = [
                statement for statement in target.engine.create(target.placed) if statement.object[:1] != ("settings",)
            ]
            run(statements, driver)
    driver.close()


@pytest.fixture(scope="module")
def db(start: Start) -> Database:
    table, server = start("dynamodb"), start("redis", "open")
    address = table.url.replace("http://", "http://opened@")
    made(table, address, ("shop",))
    made(server, server.url, ("games",))
    return runtime.open(shop, dynamodb=dynamodb.client(address), redis={"games": redis.client(server.url)})


def an_order(number: int, status: Any = "placed") -> shop.Order:
    return shop.Order(
        user_id="u1", user_name="Ann", order_id=f"o{number}", placed_at=NOW - timedelta(hours=number), status=status,
        total=Decimal("9.50"),
        lines=[shop.OrderLine(sku="s1", name="Mug", category="c", quantity=1, amount=Decimal("9.50"))],
    )  # fmt: skip


def test_orders_are_placed_read_in_pages_and_moved_between_indexes(db: Database) -> None:
    stock(db)
    for number in range(5):
        shop.place_order(db, an_order(number), [{"sku": "s1"}])
    with pytest.raises(runtime.ConditionFailed):
        shop.place_order(db, an_order(0), [{"sku": "s1"}])
    pages = list(shop.orders_of_user.pages(db, user_id="u1", limit=2))
    assert [order.order_id for page in pages for order in page] == ["o0", "o1", "o2", "o3", "o4"]
    again = shop.orders_of_user(db, user_id="u1", limit=2, cursor=pages[0].cursor)
    assert [order.order_id for order in again] == ["o2", "o3"]
    result = shop.order_by_id(db, order_id="o3")
    assert result == an_order(3)
    shop.change_status(db, user_id="u1", placed_at=result.placed_at, order_id="o3", status="shipped")
    assert [order.order_id for order in shop.pending_orders(db)] == ["o4", "o2", "o1", "o0"]
    shop.change_status(db, user_id="u1", placed_at=result.placed_at, order_id="o3", status="paid")
    assert [order.order_id for order in shop.orders_to_ship(db)] == ["o3"]
    with pytest.raises(runtime.ConditionFailed):
        shop.change_status(db, user_id="u1", placed_at=NOW, order_id="gone", status="paid")
    assert sum(entry.available for entry in shop.stock_left(db, sku="s1")) == 95


def stock(db: Database) -> None:
    """A hundred of a product, in one shard."""
    client, item = db._clients["dynamodb"], runtime.to_item(shop.Stock(sku="s1", available=100))
    client.put_item(TableName="dev-shop", Item=item)


def test_scores_rank_players(db: Database) -> None:
    for player, points in (("ann", 30), ("bob", 50), ("cat", 10)):
        games.add_points(db, game="chess", week="2026-W47", player_id=player, by=points)
    assert [score.player_id for score in games.top_ten(db, game="chess", week="2026-W47")] == ["bob", "ann", "cat"]
    assert games.rank(db, game="chess", week="2026-W47", player_id="ann") == 1
    assert games.rank(db, game="chess", week="2026-W47", player_id="dan") is None
