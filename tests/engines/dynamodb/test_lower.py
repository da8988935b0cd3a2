"""Designs as DynamoDB tables."""

from datetime import timedelta
from typing import Annotated, ClassVar

from pydantic import AwareDatetime, BaseModel, Field
from tests.engines.dynamodb.designs import a_table

import keywright as kw
from keywright.engines.contract.shape import Discriminator, EntityShape, FieldShape
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget

lookup = kw.Gsi("lookup", pk="gsi1pk", sk="gsi1sk", project="keys")
by_price = kw.Gsi("by_price", pk=["tenant", "category"], sk="price", project=["name", "stock"])
by_name = kw.Lsi("by_name", sk="name")
shop = kw.DynamoTable("shop", gsis=[lookup, by_price], lsis=[by_name])


class Size(BaseModel):
    width: int
    label: str | None = None


class Product(BaseModel):
    __store__: ClassVar = kw.Item(
        shop, pk="PRODUCT#{sku}", sk="DETAILS", gsis=[lookup.key(pk="NAME#{name}", sk="{sku}")], schema_version=2
    )

    sku: str
    tenant: str
    category: str
    price: int
    name: str = Field(alias="n")
    stock: int = 0
    sizes: list[Size] = []
    until: Annotated[AwareDatetime | None, kw.Ttl()] = None


def test_a_table_has_its_keys_indexes_expiry_and_shape() -> None:
    assert a_table(shop=shop, Product=Product) == TableTarget(
        name="shop",
        generation=1,
        keys=(KeyPart("pk", "S", "HASH"), KeyPart("sk", "S", "RANGE")),
        indexes=(
            IndexTarget(
                "by_price",
                (KeyPart("tenant", "S", "HASH"), KeyPart("category", "S", "HASH"), KeyPart("price", "N", "RANGE")),
                "INCLUDE",
                ("n", "stock"),
            ),
            IndexTarget("lookup", (KeyPart("gsi1pk", "S", "HASH"), KeyPart("gsi1sk", "S", "RANGE")), "KEYS_ONLY"),
        ),
        local_indexes=(IndexTarget("by_name", (KeyPart("pk", "S", "HASH"), KeyPart("n", "S", "RANGE"))),),
        ttl="until",
        shape=(
            EntityShape(
                "Product",
                (
                    ("pk", "PRODUCT#{sku}"),
                    ("sk", "DETAILS"),
                    ('gsi "lookup" pk', "NAME#{name}"),
                    ('gsi "lookup" sk', "{sku}"),
                ),
                (
                    FieldShape("sku", "sku", "S", True),
                    FieldShape("tenant", "tenant", "S", True),
                    FieldShape("category", "category", "S", True),
                    FieldShape("price", "price", "N", True),
                    FieldShape("name", "n", "S", True),
                    FieldShape("stock", "stock", "N", False),
                    FieldShape("sizes", "sizes", "L", False),
                    FieldShape("sizes.width", "sizes.width", "N", True),
                    FieldShape("sizes.label", "sizes.label", "S", False),
                    FieldShape("until", "until", "N", False),
                ),
                schema_version=2,
                discriminator=Discriminator("entity_type", "Product"),
            ),
        ),
    )


def test_a_table_keyed_by_fields_has_their_types() -> None:
    counters = kw.DynamoTable("counters", pk="name", sk="day")

    class Counter(BaseModel):
        __store__: ClassVar = kw.Item(counters)

        name: bytes
        day: int

    assert a_table(counters=counters, Counter=Counter).keys == (
        KeyPart("name", "B", "HASH"),
        KeyPart("day", "N", "RANGE"),
    )


def test_a_lone_placeholder_keeps_the_type_of_its_field() -> None:
    matches = kw.DynamoTable("matches")

    class Match(BaseModel):
        __store__: ClassVar = kw.Item(matches, pk="MATCH#{name}", sk="{score}")

        name: str
        score: int

    assert a_table(matches=matches, Match=Match).keys[1] == KeyPart("sk", "N", "RANGE")


def test_an_expiry_after_a_delay_has_an_attribute_of_its_own() -> None:
    logs = kw.DynamoTable("logs")

    class Log(BaseModel):
        __store__: ClassVar = kw.Item(logs, pk="LOG#{name}", sk="{at:iso}")

        name: str
        at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=7))]

    assert a_table(logs=logs, Log=Log).ttl == "at_expires"


def test_a_stream_carries_what_is_said() -> None:
    consumer = kw.Consumer("search", idempotency="name", on_failure="queue")
    events = kw.DynamoTable("events", sk=None, stream=kw.Stream(images="keys", consumers=[consumer]))
    assert a_table(events=events).stream == "KEYS_ONLY"


def test_a_table_without_entities_is_made_of_its_names() -> None:
    assert a_table(
        empty=kw.DynamoTable("empty", pk="a", sk="b", generation=2, rebuild=kw.Rebuild(from_generation=1))
    ) == (TableTarget("empty", 2, (KeyPart("a", "S", "HASH"), KeyPart("b", "S", "RANGE"))))


def test_a_computed_attribute_that_is_one_field_has_its_type_in_keys() -> None:
    lsi, gsi = kw.Lsi("by_rank", sk="rank"), kw.Gsi("by_day", pk=["day", "rank"])
    matches = kw.DynamoTable("matches", sk="rank", lsis=[lsi], gsis=[gsi])

    class Match(BaseModel):
        __store__: ClassVar = kw.Item(
            matches, pk="MATCH#{name}", computed={"rank": "{place}", "place": "{score}", "day": "{at:date}"}
        )

        name: str
        score: int
        at: AwareDatetime

    table = a_table(matches=matches, Match=Match)
    assert table.keys == (KeyPart("pk", "S", "HASH"), KeyPart("rank", "N", "RANGE"))
    assert table.local_indexes[0].keys == (KeyPart("pk", "S", "HASH"), KeyPart("rank", "N", "RANGE"))
    assert table.indexes[0].keys == (KeyPart("day", "S", "HASH"), KeyPart("rank", "N", "HASH"))


def test_the_key_of_copies_is_text_since_it_ends_with_their_number() -> None:
    offers = kw.DynamoTable("offers", sk=None)

    class Offer(BaseModel):
        __store__: ClassVar = kw.Item(offers, pk="{number}", read_copies=3)

        number: int

    assert a_table(offers=offers, Offer=Offer).keys == (KeyPart("pk", "S", "HASH"),)


def test_types_are_chosen_for_fields_of_embedded_models_too() -> None:
    boxes = kw.DynamoTable("boxes", sk=None)

    class Box(BaseModel):
        __store__: ClassVar = kw.Item(boxes, pk="BOX#{name}", types={"sizes.width": "S"})

        name: str
        sizes: list[Size]

    (shape,) = a_table(boxes=boxes, Box=Box).shape
    assert [(field.name, field.type) for field in shape.fields] == [
        ("name", "S"), ("sizes", "L"), ("sizes.width", "S"), ("sizes.label", "S"),
    ]  # fmt: skip
