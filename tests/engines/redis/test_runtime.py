"""Instances become items and come back."""

from datetime import date, timedelta

import pytest
from pydantic import BaseModel
from tests.engines.redis import everything
from tests.engines.redis.everything import INSTANCES, NOON, VALUES

from keywright import runtime
from keywright.engines.redis.schema.item import GeoMember, RedisItem, Scored
from keywright.errors import UsageError


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda entry: type(entry).__name__)
def test_an_instance_comes_back_from_its_item(instance: BaseModel) -> None:
    assert runtime.from_item(type(instance), runtime.to_item(instance)) == instance


def item_of(name: str) -> RedisItem:
    item: RedisItem = runtime.to_item(next(instance for instance in INSTANCES if type(instance).__name__ == name))
    return item


def test_a_hash_keeps_every_field_as_text() -> None:
    assert item_of("Hashed") == RedisItem(
        item_of("Hashed").structure,
        "hash:n",
        {
            "text": "ünï\n'\"{}",
            "number": "-1152921504606846976",
            "real": "0.1",
            "exact": "12.340",
            "truth": "true",
            "raw": b"\x00\xff:",
            "moment": "2026-11-21T12:00:00.250001Z",
            "day": "2026-11-21",
            "clock": "01:02:03.000004",
            "span": "-86399.999995",
            "identity": "00000000-0000-0000-0000-000000000007",
            "anything": '{"a":[1,null,"x"]}',
            "url": "https://example.com/x",
            "colour": "red",
            "word": "on",
            "listed": '[{"a":"1.10","at":"2026-11-21T12:00:00.250001Z","raw":"/g=="},{"a":"0","at":null,"raw":""}]',
            "chosen": "[1,3]",
            "mapped": '{"k":"0.30"}',
            "gaps": "[1,null]",
            "part": '{"a":"2","at":null,"raw":""}',
            "month": "2026-11",
            "_kw_v": "2",
        },
    )


def test_a_document_says_which_optional_field_is_none() -> None:
    document = item_of("Document")
    assert '"given":null' in str(document.value)
    assert '"optional"' not in str(document.value)


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("Document", "k2:string:n", None),
        ("Flag", "flag:{f}", "true"),
        ("Views", "views:2026-01-02:000042", 9),
        ("Member", "set:00000000-0000-0000-0000-000000000001", "2026-11-21T12:00:00.250001Z:007:x:y"),
        ("Seen", "seen:r", Scored("a:b", 1_795_262_400.250001)),
        ("Points", "points:g", Scored("p", -3.0)),
        ("Active", "active:2026-01-02", 11),
        ("Visitor", "visitors:2026-01-02", "v"),
        ("Shop", "shops:Bern", GeoMember("s", 7.249997556209564, 46.50000083104058)),
        ("Call", "call:u", None),
    ],
)
def test_an_item_has_a_key_and_what_stands_there(name: str, key: str, value: object) -> None:
    item = item_of(name)
    assert (item.key, item.value if value is not None or name == "Call" else None) == (key, value)


def test_the_key_is_that_of_the_item() -> None:
    assert [runtime.key_of(instance) for instance in INSTANCES] == [
        runtime.to_item(instance).key for instance in INSTANCES
    ]


def test_an_end_is_in_whole_seconds_and_never_early() -> None:
    assert item_of("Session").expires_at == 1_795_262_411
    assert runtime.to_item(everything.Session(token="t")).expires_at is None


def test_a_cached_copy_comes_back_as_its_class() -> None:
    value = everything.Values(**VALUES)
    item = runtime.to_item(value, everything.copied)
    assert (item.key, item.structure.ttl_seconds) == ("cache:n", 300)
    assert runtime.from_item(everything.copied, item) == value


def test_answers_of_a_client_that_does_not_decode_come_back_too() -> None:
    assert runtime.from_item(everything.Flag, (b"flag:{f}", b"false")) == everything.Flag(name="f", on=False)
    assert runtime.from_item(everything.Points, (b"points:g", (b"p", 2.0))).points == 2
    assert runtime.from_item(everything.Session, (b"session:t", {b"_kw_v": b"1"})) == everything.Session(token="t")


def test_absent_fields_have_the_default_of_the_model() -> None:
    (element,) = [instance for instance in INSTANCES if isinstance(instance, everything.Element)]
    text = str(runtime.to_item(element).value).replace('"given":null,', "")
    assert runtime.from_item(everything.Element, ("list:n", text)).given == 7


def test_a_key_of_another_entity_is_refused() -> None:
    with pytest.raises(ValueError, match='"other:x" is not a key of'):
        runtime.from_item(everything.Flag, ("other:x", "true"))


def test_times_are_kept_to_the_microsecond_as_scores() -> None:
    for shift in (timedelta(0), timedelta(microseconds=1), timedelta(days=365 * 50, microseconds=999_999)):
        seen = everything.Seen(room="r", name="n", at=NOON + shift)
        assert runtime.from_item(everything.Seen, runtime.to_item(seen)) == seen


def test_a_model_without_a_store_has_no_item() -> None:
    with pytest.raises(UsageError):
        runtime.to_item(everything.Part(a=1))


def test_dates_in_keys_are_dates_again() -> None:
    assert runtime.from_item(everything.Active, ("active:2026-01-02", 5)).day == date(2026, 1, 2)
