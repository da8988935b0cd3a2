"""What DynamoDB cannot hold, whatever the environment."""

from decimal import Decimal
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import AwareDatetime, BaseModel, Field, create_model
from tests.engines.dynamodb.designs import refusals

import keywright as kw


def told(**declared: Any) -> list[tuple[str, str]]:
    """(code, problem) of everything that is refused."""
    rejections = refusals(**declared)
    assert all(rejection.help for rejection in rejections)
    return [(rejection.code, rejection.problem) for rejection in rejections]


def an_entity(table: kw.DynamoTable, name: str = "User", pk: str = "USER#{user_id}", sk: str | None = "PROFILE",
              more: dict[str, Any] | None = None, **fields: Any) -> type[BaseModel]:  # fmt: skip
    """A model in the table, with a user_id and more fields."""
    store = kw.Item(table, pk=pk, sk=sk, **(more or {}))
    fields = {"user_id": (str, ...), **{field: (kind, ...) for field, kind in fields.items()}}
    created = create_model(name, __module__=__name__, **fields)
    created.__store__ = store  # type: ignore[attr-defined]
    return created


def test_an_ordinary_table_is_legal() -> None:
    shop = kw.DynamoTable("shop")
    assert told(shop=shop, User=an_entity(shop)) == []


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("ab", 'the table name "ab" has 2 characters, DynamoDB allows 3 to 255'),
        ("a" * 256, f'the table name "{"a" * 256}" has 256 characters, DynamoDB allows 3 to 255'),
        ("my shop", 'the table name "my shop" contains a character that DynamoDB does not allow'),
        ("größe", 'the table name "größe" contains a character that DynamoDB does not allow'),
        ("shop-k2", 'the table name "shop-k2" has the suffix of a generation'),
    ],
)
def test_a_name_has_the_length_and_letters_that_the_service_takes(name: str, problem: str) -> None:
    assert told(table=kw.DynamoTable(name)) == [("DDB113", problem)]


@pytest.mark.parametrize("name", ["abc", "a" * 255, "A-b_c.9"])
def test_names_at_the_edge_are_legal(name: str) -> None:
    assert told(table=kw.DynamoTable(name)) == []


def test_the_name_of_an_index_is_checked_too() -> None:
    problem = 'the index name "x" has 1 character, DynamoDB allows 3 to 255'
    assert told(table=kw.DynamoTable("shop", gsis=[kw.Gsi("x", pk="a")])) == [("DDB113", problem)]


def test_five_local_indexes_are_legal_and_six_are_not() -> None:
    def table(count: int) -> kw.DynamoTable:
        return kw.DynamoTable("shop", lsis=[kw.Lsi(f"by_{at}", sk=f"field_{at}") for at in range(count)])

    assert told(table=table(5)) == []
    assert told(table=table(6)) == [("DDB028", "6 local secondary indexes, DynamoDB allows 5")]


def test_names_of_all_indexes_are_counted_together() -> None:
    def table(count: int) -> kw.DynamoTable:
        names = [f"field_{at}" for at in range(51)]
        return kw.DynamoTable("shop", gsis=[
            kw.Gsi("one", pk="a", project=names[:50]), kw.Gsi("two", pk="b", project=names[:count]),
        ])  # fmt: skip

    assert told(table=table(50)) == []
    assert told(table=table(51)) == [("DDB012", "its indexes project 101 names in all, DynamoDB allows 100")]


def test_a_projected_field_exists() -> None:
    by_title = kw.Gsi("by_title", pk="title", project=["tilte"])
    shop = kw.DynamoTable("shop", gsis=[by_title])
    problem = 'index "by_title" projects the unknown field "tilte"'
    assert told(shop=shop, User=an_entity(shop, title=str)) == [("E0303", problem)]


def test_an_index_that_nothing_fills_is_refused() -> None:
    by_email = kw.Gsi("by_email", pk="gsi1pk")
    shop = kw.DynamoTable("shop", gsis=[by_email], lsis=[kw.Lsi("by_price", sk="price")])
    assert told(shop=shop, User=an_entity(shop)) == [
        ("DDB101", 'index "by_email" is keyed by "gsi1pk", which no entity of "shop" has'),
        ("DDB101", 'index "by_price" is sorted by "price", which no entity of "shop" has'),
    ]


def test_an_index_over_a_computed_attribute_is_filled() -> None:
    shop = kw.DynamoTable("shop", gsis=[kw.Gsi("by_month", pk="month")])
    more = {"computed": {"month": "{placed_at:month}"}}
    assert told(shop=shop, User=an_entity(shop, more=more, placed_at=AwareDatetime)) == []


def test_a_local_index_is_sorted_by_a_single_value() -> None:
    shop = kw.DynamoTable("shop", lsis=[kw.Lsi("by_tags", sk="tags")])
    problem = '"tags" of type L is the sort key of index "by_tags"'
    assert told(shop=shop, User=an_entity(shop, tags=list[str])) == [("DDB105", problem)]


def test_a_key_is_text_number_or_bytes() -> None:
    shop = kw.DynamoTable("shop", gsis=[kw.Gsi("by_state", pk="is_active")])
    problem = '"is_active" of type BOOL is part of the key of index "by_state"'
    assert told(shop=shop, User=an_entity(shop, is_active=bool)) == [("DDB105", problem)]


def test_entities_agree_on_the_type_of_a_key() -> None:
    shop = kw.DynamoTable("shop", gsis=[kw.Gsi("by_score", pk="game", sk="score")])
    entry = an_entity(shop, "Match", "MATCH#{user_id}", game=str, score=int)
    other = an_entity(shop, "Cup", "CUP#{user_id}", game=str, score=str)
    problem = '"score" in the key of index "by_score" is S here and N in Match'
    assert told(shop=shop, Match=entry, Cup=other) == [("DDB104", problem)]


def test_a_field_stored_under_the_name_of_a_key_has_its_type() -> None:
    shop = kw.DynamoTable("shop", gsis=[by_any := kw.Gsi("by_any", pk="gsi1pk")])
    entry = an_entity(shop, more={"gsis": [by_any.key(pk="USER#{user_id}")]})
    other = an_entity(shop, "Order", "ORDER#{user_id}", total=Annotated[int, Field(alias="gsi1pk")])
    assert told(shop=shop, User=entry, Order=other) == [
        ("DDB104", '"total" is N here and S as a key of "by_any" (User)')
    ]


def test_a_table_has_one_attribute_of_expiry() -> None:
    shop = kw.DynamoTable("shop")
    entry = an_entity(shop, "Cart", "CART#{user_id}", expires_at=Annotated[AwareDatetime, kw.Ttl()])
    other = an_entity(shop, "Token", "TOKEN#{user_id}", ends_at=Annotated[AwareDatetime, kw.Ttl()])
    problem = 'items expire by "ends_at" here and by "expires_at" in Cart'
    assert told(shop=shop, Cart=entry, Token=other) == [("E0508", problem)]


def test_numbers_have_at_most_38_digits_unless_they_are_text() -> None:
    shop = kw.DynamoTable("shop")
    long = Annotated[Decimal, Field(max_digits=39)]
    assert told(shop=shop, User=an_entity(shop, total=long)) == [
        ("DDB113", '"total" may have 39 digits, DynamoDB stores 38')
    ]
    assert told(shop=shop, User=an_entity(shop, more={"types": {"total": "S"}}, total=long)) == []
    assert told(shop=shop, User=an_entity(shop, total=Annotated[Decimal, Field(max_digits=38)])) == []


def test_values_are_nested_at_most_32_levels_deep() -> None:
    def nested(levels: int) -> Any:
        kind: Any = int
        for _ in range(levels):
            kind = list[kind]
        return kind

    shop = kw.DynamoTable("shop")
    assert told(shop=shop, User=an_entity(shop, deep=nested(31))) == []
    assert told(shop=shop, User=an_entity(shop, deep=nested(32))) == [
        ("DDB113", '"deep" is nested 33 levels deep, DynamoDB allows 32')
    ]


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        (("USER#{user_id}", "PROFILE"), ("USER#{user_id}", "SETTINGS"), None),
        (("USER#{user_id}", "A#{title}"), ("TEAM#{user_id}", "A#{title}"), None),
        (("USER#{user_id}", "PROFILE"), ("USER#{user_id}", "PROFILE"), "GEN104"),
        (("USER#{user_id}", "PROFILE"), ("{user_id}", "PROFILE"), "GEN104"),
        (("USER#{user_id}", "ORDER#{title}"), ("USER#{user_id}", "ORDER#NOTE#{title}"), "GEN104"),
        (("USER#{user_id}", "ORDER#{title}"), ("USER#{user_id}", "ORDERNOTE#{title}"), None),
        (("USER#{user_id}", "ORDER"), ("USER#{user_id}", "ORDERS"), None),
        (("USER#{user_id}", "ORDER{title}"), ("USER#{user_id}", "ORDERS#{title}"), "GEN104"),
    ],
)
def test_entities_of_a_table_do_not_meet(one: tuple[str, str], other: tuple[str, str], code: str | None) -> None:
    shop = kw.DynamoTable("shop")
    first, second = an_entity(shop, "First", *one, title=str), an_entity(shop, "Second", *other, title=str)
    assert {result for result, _ in told(shop=shop, First=first, Second=second)} == ({code} if code else set())


def test_a_key_made_of_a_part_of_a_value_is_legal() -> None:
    shop = kw.DynamoTable("shop")

    class Event(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="DAY#{at:date}#{title:shard(8)}", sk="{at:iso}#{title}")

        at: AwareDatetime
        title: str

    assert told(shop=shop, Event=Event) == []


def test_a_boolean_in_a_key_is_told_how_it_becomes_text() -> None:
    by_state = kw.Gsi("by_state", pk="is_open")
    table = kw.DynamoTable("shop", gsis=[by_state])
    refused = refusals(table=table, User=an_entity(table, is_open=bool))
    help = 'key the index by another attribute, such as "by_state_pk", and convert the field to text: '
    assert [(rejection.code, rejection.help) for rejection in refused] == [
        ("DDB105", help + 'by_state.key(pk="IS_OPEN#{is_open}")')
    ]
    other = kw.Gsi("by_state", pk="by_state_pk")
    table = kw.DynamoTable("shop", gsis=[other])
    more = {"gsis": [other.key(pk="IS_OPEN#{is_open}")]}
    assert told(table=table, User=an_entity(table, more=more, is_open=bool)) == []
