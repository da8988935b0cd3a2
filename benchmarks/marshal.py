"""`python -m benchmarks.marshal`: instances to DynamoDB items and back, against what boto3 and PynamoDB offer.

All sides make the same items, which is asserted before anything is timed; samples alternate, ratios are those of pairs.
"""

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any, ClassVar, Literal

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from pydantic import BaseModel

import keywright as kw
from keywright import runtime
from keywright.runtime.items.text import iso

from .peers import packages

PAIRS, ITEMS, PAGE = 31, 1000, 100

table = kw.DynamoTable("orders", pk="user_id", sk="order_id", discriminator=None)


class Line(BaseModel):
    """One product of an order."""

    sku: str
    name: str
    quantity: int
    price: Decimal


class Order(BaseModel):
    """An order of twelve attributes."""

    __store__: ClassVar = kw.Item(table)

    user_id: str
    order_id: str
    placed_at: datetime
    status: Literal["placed", "paid", "shipped"]
    total: Decimal
    discount: Decimal
    gift: bool
    note: str | None
    user_name: str
    points: int
    tags: list[str]
    lines: list[Line]


def orders(count: int) -> list[Order]:
    """Seeded orders."""
    rng, start = Random(0), datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
    return [
        Order(
            user_id=f"u-{rng.randrange(10_000):05d}",
            order_id=f"o-{number:06x}",
            placed_at=start + timedelta(seconds=number),
            status=rng.choice(("placed", "paid", "shipped")),
            total=Decimal(rng.randrange(10_000)) / 100,
            discount=Decimal(-5),
            gift=rng.random() < 0.5,
            note="ring twice",
            user_name="Zoë Blanc",
            points=rng.randrange(1000),
            tags=["fragile", "eu", "prime"],
            lines=[Line(sku=f"SKU-{at:03d}", name="Mug", quantity=2, price=Decimal("49.95")) for at in range(2)],
        )
        for number in range(count)
    ]


def plain(order: Order) -> dict[str, Any]:
    """What boto3's serializer takes: the conversion to it is not timed."""
    return {**order.model_dump(), "placed_at": iso(order.placed_at)}


def main() -> None:
    """Measure and print one line for each goal."""
    data = orders(ITEMS)
    write, read = TypeSerializer().serialize, TypeDeserializer().deserialize
    values, items = [plain(order) for order in data], [runtime.to_item(order) for order in data]
    theirs = [{name: write(value) for name, value in one.items()} for one in values]
    assert [sort(one) for one in theirs] == [sort(item) for item in items]
    page = json.dumps({"Items": items[:PAGE]})
    to_item, from_item = runtime.codec_of(Order).to_items, runtime.codec_of(Order).from_item

    def deserialized() -> list[Order]:
        items = json.loads(page)["Items"]
        return [Order.model_validate({name: read(value) for name, value in one.items()}) for one in items]

    def decoded() -> list[Order]:
        return [from_item(load) for load in json.loads(page)["Items"]]

    assert deserialized() == decoded() == data[:PAGE]

    def serialized(one: dict[str, Any]) -> object:
        return {name: write(value) for name, value in one.items()}

    report("marshal", "boto3 TypeSerializer", 5.5, each(serialized, values), each(to_item, data))
    report("marshal", "PynamoDB serialize", 9.0, pynamodb(values), each(to_item, data))
    report("page of 100", "json + TypeDeserializer + validate", 1.9, deserialized, decoded)


def each(work: Callable[[Any], object], values: list[Any]) -> Callable[[], object]:
    """The work for one value after the other; what it makes is sent and forgotten, as an application does."""

    def run() -> None:
        for value in values:
            work(value)

    return run


def pynamodb(values: list[dict[str, Any]]) -> Callable[[], object]:
    """The conversion of values to items by PynamoDB."""
    sys.path.append(packages())
    from pynamodb import attributes as kinds
    from pynamodb.models import Model

    class Part(kinds.MapAttribute):  # type: ignore[misc, type-arg]
        sku = kinds.UnicodeAttribute()
        name = kinds.UnicodeAttribute()
        quantity = kinds.NumberAttribute()
        price = kinds.NumberAttribute()

    class Peer(Model):  # type: ignore[misc]
        class Meta:
            table_name = "orders"

        user_id = kinds.UnicodeAttribute(hash_key=True)
        order_id = kinds.UnicodeAttribute(range_key=True)
        placed_at = kinds.UnicodeAttribute()
        status = kinds.UnicodeAttribute()
        total = kinds.NumberAttribute()
        discount = kinds.NumberAttribute()
        gift = kinds.BooleanAttribute()
        note = kinds.UnicodeAttribute(null=True)
        user_name = kinds.UnicodeAttribute()
        points = kinds.NumberAttribute()
        tags: Any = kinds.ListAttribute()
        lines: Any = kinds.ListAttribute(of=Part)

    def floats(value: Any) -> Any:
        match value:
            case Decimal():
                return float(value)
            case dict():
                return {name: floats(inner) for name, inner in value.items()}
            case list():
                return [floats(inner) for inner in value]
            case _:
                return value

    peers = [Peer(**floats(one)) for one in values]
    return each(lambda one: one.serialize(), peers)


def sort(item: dict[str, Any]) -> dict[str, Any]:
    """An item with its attributes in order."""
    return dict(sorted(item.items()))


def report(what: str, peer: str, goal: float, theirs: Callable[[], object], ours: Callable[[], object]) -> None:
    """Print how many times as long the peer takes."""
    theirs(), ours()
    ratios = sorted(seconds(theirs) / seconds(ours) for _ in range(PAIRS))
    low, high = ratios[PAIRS // 10], ratios[-1 - PAIRS // 10]
    version = ".".join(map(str, sys.version_info[:2]))
    print(f"{what:12} {peer:36} {statistics.median(ratios):5.2f}x [{low:.2f}, {high:.2f}] goal >= {goal} py{version}")


def seconds(work: Callable[[], object]) -> float:
    """Seconds of one sample."""
    gc.collect()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
