"""A table whose partitions contain several entities, patterns that read them together, and instances of them."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

feed = kw.Gsi("feed", pk="g1pk", sk="g1sk")
narrow = kw.Gsi("narrow", pk="g2pk", sk="g2sk", project=["customer_id", "order_id"])
crm = kw.DynamoTable("crm", gsis=[feed, narrow])

Name = Annotated[str, Field(max_length=12)]


class Customer(BaseModel):
    """Has its partition to itself and what belongs to it; its field has another name than theirs."""

    __store__: ClassVar = kw.Item(crm, pk="CUSTOMER#{id}", sk="CUSTOMER")

    id: Name
    name: Name


class Order(BaseModel):
    """Before its customer in the order of the sort key."""

    __store__: ClassVar = kw.Item(
        crm,
        pk="CUSTOMER#{customer_id}",
        sk="#ORDER#{placed_at:iso}",
        gsis=[feed.key(pk="FEED#{customer_id}", sk="{placed_at:iso}"), narrow.key(pk="N#{customer_id}", sk="ORDER")],
        discriminator="order",
        former_discriminators=["ORD"],
    )

    customer_id: Name
    order_id: Name
    placed_at: datetime
    total: int = 0


class Payment(BaseModel):
    """In the same partition and the same index."""

    __store__: ClassVar = kw.Item(
        crm,
        pk="CUSTOMER#{customer_id}",
        sk="PAYMENT#{number:pad(4)}",
        gsis=[feed.key(pk="FEED#{customer_id}", sk="{paid_at:iso}")],
    )

    customer_id: Name
    number: Annotated[int, Field(ge=0, le=9999)]
    paid_at: datetime


class Note(BaseModel):
    """Between a customer and its payments."""

    __store__: ClassVar = kw.Item(
        crm,
        pk="CUSTOMER#{customer_id}",
        sk="NOTE#{number:pad(4)}",
        gsis=[feed.key(pk="FEED#{customer_id}", sk="{written_at:iso}")],
    )

    customer_id: Name
    number: Annotated[int, Field(ge=0, le=9999)]
    written_at: datetime


class Reference(BaseModel):
    """In a partition of its own, and in an index whose entries lack fields of orders."""

    __store__: ClassVar = kw.Item(
        crm, pk="REFERENCE#{customer_id}", sk="REFERENCE", gsis=[narrow.key(pk="N#{customer_id}", sk="REFERENCE")]
    )

    customer_id: Name


alone = kw.DynamoTable("alone", discriminator=None)


class Album(BaseModel):
    """In a table without a discriminator."""

    __store__: ClassVar = kw.Item(alone, pk="ALBUM#{album}", sk="ALBUM")

    album: Name


class Song(BaseModel):
    """In the partition of its album."""

    __store__: ClassVar = kw.Item(alone, pk="ALBUM#{album}", sk="SONG#{number:pad(2)}")

    album: Name
    number: Annotated[int, Field(ge=0, le=99)]


class Cover(BaseModel):
    """Between an album and its songs."""

    __store__: ClassVar = kw.Item(alone, pk="ALBUM#{album}", sk="COVER#{size}")

    album: Name
    size: Name


everything = kw.ReadTogether(
    kw.Read(Customer, eq="id"),
    kw.Read(Order, eq="customer_id"),
    kw.Read(Payment, eq="customer_id"),
    kw.Read(Note, eq="customer_id"),
    limit=50,
)
newest_orders = kw.ReadTogether(
    kw.Read(Customer, eq="id"), kw.Read(Order, eq="customer_id", order="-placed_at"), limit=5, consistency="strong"
)
orders_between = kw.ReadTogether(
    kw.Read(Order, eq="customer_id", range="placed_at"), kw.Read(Customer, eq="id"), limit=5
)
around = kw.ReadTogether(kw.Read(Customer, eq="id"), kw.Read(Payment, eq="customer_id"), limit=50)
some_payments = kw.ReadTogether(
    kw.Read(Payment, eq="customer_id", range="number"), kw.Read(Note, eq="customer_id", order="number"), limit=50
)
feed_of = kw.ReadTogether(
    kw.Read(Order, eq="customer_id", order="-placed_at"), kw.Read(Payment, eq="customer_id", order="-paid_at"), limit=7
)
feed_between = kw.ReadTogether(
    kw.Read(Order, eq="customer_id", range="placed_at", order="placed_at"),
    kw.Read(Payment, eq="customer_id", range="paid_at", order="paid_at"),
    limit=7,
)
whole_album = kw.ReadTogether(kw.Read(Album, eq="album"), kw.Read(Song, eq="album"), limit=20)

customer_with_order = kw.TransactGet(kw.Get(Customer), kw.Get(Order, fields=["order_id", "total"]))
two_customers = kw.TransactGet(kw.Get(Customer), kw.Get(Customer))

filtered = kw.ReadTogether(
    kw.Read(Order, eq="customer_id", where={"total": kw.AtLeast(1)}), kw.Read(Customer, eq="id"), limit=5
)
two_directions = kw.ReadTogether(
    kw.Read(Order, eq="customer_id", order="-placed_at"), kw.Read(Payment, eq="customer_id", order="number"), limit=5
)
two_tables = kw.ReadTogether(kw.Read(Customer, eq="id"), kw.Read(Album, eq="album"), limit=5)
narrow_entries = kw.ReadTogether(
    kw.Read(Order, eq="customer_id"), kw.Read(Customer, eq="id"), kw.Read(Reference, eq="customer_id"), limit=5
)
got_by_partition = kw.TransactGet(kw.Get(Order, eq="customer_id"), kw.Get(Customer))

START = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def some_instances() -> list[BaseModel]:
    """What three customers and two albums have."""
    instances: list[BaseModel] = []
    for at, name in enumerate(("ann", "ann!", "bob")):
        instances.append(Customer(id=name, name=name.title()))
        instances += (
            Order(customer_id=name, order_id=f"{name}-{number}", placed_at=START + number * DAY, total=number)
            for number in range(6 + at)
        )
        instances += (
            Payment(customer_id=name, number=number, paid_at=START + number * DAY + timedelta(hours=1))
            for number in range(4)
        )
        instances += (
            Note(customer_id=name, number=number, written_at=START + number * DAY + timedelta(hours=2))
            for number in range(3)
        )
    for album in ("red", "blue"):
        instances.append(Album(album=album))
        instances += (Song(album=album, number=number) for number in range(5))
        instances += (Cover(album=album, size=size) for size in ("large", "small"))
    return instances
