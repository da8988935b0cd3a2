"""RB: keys, and the generations that let them change."""

from pathlib import Path

import pytest

from .judged import errors, found, model

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
def test_a_key_that_changes_without_a_generation_is_told(
    engine: str, before: str, after: str, code: str, tmp_path: Path
) -> None:
    made = model(engine, "buyer: str")
    assert before in made
    assert code in errors(tmp_path, made, made.replace(before, after))


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
    told = found(tmp_path, before, after)
    assert [code for code in told if code.startswith("RB")] == []


@pytest.mark.parametrize(
    ("old", "new", "is_told"),
    [
        ("USER#{buyer}#{order_id}", "SALE#{order_id}#{buyer}", True),
        ("USER#{buyer}#{order_id}", "SALE#{order_id}", False),
        ("DAY#{at:date}#{order_id}", "DAY#{at:date}#{order_id}#SALE", True),
        ("AT#{at:iso}#{order_id}", "DAY#{at:date}#{order_id}", False),
        ("DAY#{at:date}#{order_id}", "AT#{at:iso}#{order_id}", True),
    ],
)
def test_the_new_key_must_tell_what_the_old_one_told(old: str, new: str, is_told: bool, tmp_path: Path) -> None:
    def keyed(text: str, head: str = "") -> str:
        fields = "buyer: UUID\nat: AwareDatetime"
        made = model("dynamodb", fields, head=head, above="from uuid import UUID").replace(
            "order_id: str", "order_id: UUID"
        )
        return made.replace("ORDER#{order_id}", text)

    assert ("RB105" in found(tmp_path, keyed(old), keyed(new, NEXT))) != is_told


def test_columns_of_a_cassandra_key_must_stay_in_it(tmp_path: Path) -> None:
    before = model("cassandra", "buyer: str", store=', clustering="buyer"')
    after = model("cassandra", "buyer: str", store=NEXT)
    assert "RB105" in found(tmp_path, before, after)


def test_a_local_index_cannot_come_later(tmp_path: Path) -> None:
    after = model("dynamodb", "placed: str", above='one = kw.Lsi("by_day", sk="placed")', head=", lsis=[one]")
    assert "RB101" in errors(tmp_path, model("dynamodb", "placed: str"), after)
