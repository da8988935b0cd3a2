"""RB: keys, and the generations that let them change."""

from pathlib import Path

import pytest
from tests.projects import with_imports

from .reports import codes_of, errors, model

COMPUTED = """
shop = {head}
class Order(BaseModel):
    __store__: ClassVar = {store}
    who: Annotated[str, Field(pattern="^[a-z]{{1,8}}$")]
    at: AwareDatetime
    note: str
"""
COLUMNS = {
    "dynamodb": ('kw.DynamoTable("shop", pk="who", sk="part")', "kw.Item(shop, computed={{{computed}}})"),
    "cassandra": (
        'kw.Keyspace("shop")',
        'kw.CqlTable(shop, "orders", partition=["who", "part"], clustering="at", computed={{{computed}}})',
    ),
}


@pytest.mark.parametrize("engine", COLUMNS)
@pytest.mark.parametrize(("column", "is_key"), [("part", True), ("other", False)])
def test_a_computed_column_is_a_key_where_it_is_part_of_one(
    engine: str, column: str, is_key: bool, tmp_path: Path
) -> None:
    head, store = COLUMNS[engine]

    def computed(form: str) -> str:
        forms = {"part": "{at:date}", "other": "{at:date}", column: form}
        arguments = ", ".join(f'"{name}": "{text}"' for name, text in forms.items())
        return with_imports(COMPUTED.format(head=head, store=store.format(computed=arguments)))

    codes = errors(tmp_path, computed("{at:date}"), computed("{at:month}"))
    assert ("RB101" in codes) is is_key


NEXT = ", generation=2, rebuild=kw.Rebuild(from_generation=1)"


@pytest.mark.parametrize(
    ("engine", "before", "after", "code"),
    [
        ("dynamodb", 'pk="ORDER#{order_id}"', 'pk="SHOP#{order_id}"', "RB101"),
        ("mongodb", 'id="{order_id}"', 'id="{buyer}"', "RB101"),
        ("cassandra", 'partition="order_id"', 'partition="buyer", clustering="order_id"', "RB101"),
        ("cassandra", "order_id: str", "order_id: int", "RB102"),
        ("mongodb", "order_id: str", "order_id: int", "RB102"),
        ("redis", 'key="order:{order_id}"', 'key="sale:{order_id}"', "RB101"),
    ],
)
def test_a_changed_key_without_a_generation_is_reported(
    engine: str, before: str, after: str, code: str, tmp_path: Path
) -> None:
    source = model(engine, "buyer: str")
    assert before in source
    assert code in errors(tmp_path, source, source.replace(before, after))


@pytest.mark.parametrize(
    ("engine", "old", "new"),
    [
        ("dynamodb", 'kw.DynamoTable("shop"', f'kw.DynamoTable("shop"{NEXT}'),
        ("mongodb", 'id="{order_id}"', f'id="{{order_id}}"{NEXT}'),
        ("cassandra", 'partition="order_id"', f'partition="order_id"{NEXT}'),
        ("redis", 'role="primary"', f'role="primary"{NEXT}'),
    ],
)
def test_a_generation_lets_keys_change(engine: str, old: str, new: str, tmp_path: Path) -> None:
    keys = {
        "dynamodb": ("ORDER#{order_id}", "SHOP#{order_id}"),
        "mongodb": ('id="{order_id}"', 'id="order-{order_id}"'),
        "cassandra": ('partition="order_id"', 'partition="order_id", clustering="buyer"'),
        "redis": ("order:{order_id}", "sale:{order_id}"),
    }
    before = model(engine, "buyer: str")
    after = before.replace(old, new).replace(*keys[engine])
    codes = codes_of(tmp_path, before, after)
    assert [code for code in codes if code.startswith("RB")] == []


@pytest.mark.parametrize(
    ("old", "new", "is_kept"),
    [
        ("USER#{buyer}#{order_id}", "SALE#{order_id}#{buyer}", True),
        ("USER#{buyer}#{order_id}", "SALE#{order_id}", False),
        ("DAY#{at:date}#{order_id}", "DAY#{at:date}#{order_id}#SALE", True),
        ("AT#{at:iso}#{order_id}", "DAY#{at:date}#{order_id}", False),
        ("DAY#{at:date}#{order_id}", "AT#{at:iso}#{order_id}", True),
    ],
)
def test_the_new_key_must_contain_the_fields_of_the_old_key(old: str, new: str, is_kept: bool, tmp_path: Path) -> None:
    def keyed(text: str, head: str = "") -> str:
        fields = "buyer: UUID\nat: AwareDatetime"
        source = model("dynamodb", fields, head=head, above="from uuid import UUID").replace(
            "order_id: str", "order_id: UUID"
        )
        return source.replace("ORDER#{order_id}", text)

    assert ("RB105" in codes_of(tmp_path, keyed(old), keyed(new, NEXT))) != is_kept


def test_columns_of_a_cassandra_key_must_stay_in_it(tmp_path: Path) -> None:
    before = model("cassandra", "buyer: str", store=', clustering="buyer"')
    after = model("cassandra", "buyer: str", store=NEXT)
    assert "RB105" in codes_of(tmp_path, before, after)


def test_a_local_index_cannot_come_later(tmp_path: Path) -> None:
    after = model("dynamodb", "placed: str", above='one = kw.Lsi("by_day", sk="placed")', head=", lsis=[one]")
    assert "RB101" in errors(tmp_path, model("dynamodb", "placed: str"), after)


MERGING = """
shop = {head}
class Order(BaseModel):
    __store__: ClassVar = {store}
    user: Annotated[str, Field(pattern="^[a-z]{{1,8}}$")]
    order_id: Annotated[str, Field(pattern="^[a-z]{{1,8}}$"{alias})]
"""
TABLE, WITH_SK = 'kw.DynamoTable("shop")', 'kw.DynamoTable("shop", sk="order_id")'
BOTH = 'kw.Item(shop, pk="USER#{user}", sk="ORDER#{order_id}")'
BARE = 'kw.Item(shop, pk="U#{user}")'
DATABASE, KEYSPACE = 'kw.MongoDatabase("shop")', 'kw.Keyspace("shop")'
OF_ORDER, OF_USER = 'kw.Collection(shop, "orders", id="{order_id}")', 'kw.Collection(shop, "orders", id="{user}")'


@pytest.mark.parametrize(
    ("alias", "before", "after", "is_reported"),
    [
        ("", (TABLE, BOTH), (WITH_SK, BARE), False),
        ("", (WITH_SK, BARE), (TABLE, BOTH), False),
        ("", (WITH_SK, BARE), (TABLE, 'kw.Item(shop, pk="U#{user}", sk="X")'), True),
        ("oid", (TABLE, BOTH), (WITH_SK, BARE), False),
        ("oid", (WITH_SK, BARE), (TABLE, 'kw.Item(shop, pk="U#{user}", sk="X")'), True),
        ("_id", (DATABASE, 'kw.Collection(shop, "orders")'), (DATABASE, OF_USER), True),
        ("_id", (DATABASE, OF_ORDER), (DATABASE, 'kw.Collection(shop, "orders")'), False),
        ("oid", (KEYSPACE, 'kw.CqlTable(shop, "orders", partition=["user", "order_id"])'),
         (KEYSPACE, 'kw.CqlTable(shop, "orders", partition="user", clustering="order_id")'), False),
        ("oid", (KEYSPACE, 'kw.CqlTable(shop, "orders", partition=["user", "order_id"])'),
         (KEYSPACE, 'kw.CqlTable(shop, "orders", partition="user")'), True),
    ],
)  # fmt: skip
def test_a_field_that_is_the_key_itself_counts_as_one_in_a_template(
    alias: str, before: tuple[str, str], after: tuple[str, str], is_reported: bool, tmp_path: Path
) -> None:
    def source(head: str, store: str, more: str = "") -> str:
        is_aliased = bool(alias) and "id=" not in store
        is_in_store = head in (DATABASE, KEYSPACE)
        head, store = (
            text[:-1] + (more if of else "") + ")" for text, of in ((head, not is_in_store), (store, is_in_store))
        )
        return with_imports(MERGING.format(head=head, store=store, alias=f', alias="{alias}"' if is_aliased else ""))

    assert ("RB105" in errors(tmp_path, source(*before), source(*after, NEXT))) is is_reported
