"""What no MongoDB can hold: names, types, expiry."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import BaseModel, Field
from tests.engines.mongodb.designs import codes_of, refusals_of, shop, stored_in

import keywright as kw

Expiry = Annotated[datetime, kw.Ttl()]


def things(fields: dict[str, Any], **options: Any) -> type[BaseModel]:
    return stored_in(kw.Collection(shop, "things", **options), fields)


def series(fields: dict[str, Any], **options: Any) -> type[BaseModel]:
    return stored_in(kw.TimeSeries(shop, "points", time="at", meta="source", **options), {"source": str, **fields})


@pytest.mark.parametrize("name", ["", "a" * 64, "a b", "a.b", "a$b", "a/b", 'a"b', "é" * 32])
def test_a_database_name_is_one_that_the_server_takes(name: str) -> None:
    assert codes_of(kw.MongoDatabase(name)) == ["MDB111"]


def test_two_databases_differ_in_more_than_case() -> None:
    (refusal,) = refusals_of(kw.MongoDatabase("Shop"), kw.MongoDatabase("shop"))
    assert (refusal.code, refusal.problem) == (
        "MDB111",
        'the databases "Shop" and "shop" differ by upper and lower case only',
    )


@pytest.mark.parametrize("name", ["", "a$b", "system.things", ".things", "things_k2"])
def test_a_collection_name_is_one_that_the_server_takes(name: str) -> None:
    assert codes_of(stored_in(kw.Collection(shop, name), {"word": str})) == ["MDB111"]


@pytest.mark.parametrize("alias", ["a.b", "$a"])
def test_a_stored_field_name_can_be_queried(alias: str) -> None:
    assert codes_of(things({"word": Annotated[str, Field(alias=alias)]})) == ["MDB111"]


def test_a_field_does_not_take_the_place_of_the_schema_version() -> None:
    assert codes_of(things({"version": Annotated[int, Field(alias="_kw_v")]})) == ["E0208"]


def test_a_field_that_is_stored_as_the_id_leaves_no_room_for_a_template() -> None:
    fields = {"key": Annotated[str, Field(alias="_id")], "word": str}
    assert codes_of(things(fields)) == []
    assert codes_of(things(fields, id="{key}")) == []
    assert codes_of(things(fields, id="{word}")) == ["E0208"]
    assert codes_of(things(fields, id="W#{word}")) == ["E0208"]


class One(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "shared")
    word: str


class Other(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "shared")
    word: str


def test_two_entities_do_not_share_a_collection() -> None:
    (refusal,) = refusals_of(One, Other)
    assert (refusal.code, refusal.subject) == ("GEN104", "Other")


def test_a_number_beyond_64_bits_is_refused_unless_it_is_text() -> None:
    fields = {"big": Annotated[int, Field(le=2**63)]}
    assert codes_of(things(fields)) == ["E0205"]
    assert codes_of(things(fields, types={"big": "string"})) == []


def test_a_decimal_has_34_digits() -> None:
    assert codes_of(things({"sum": Annotated[Decimal, Field(max_digits=35)]})) == ["E0205"]
    assert codes_of(things({"sum": Annotated[Decimal, Field(max_digits=34)]})) == []


def test_a_key_of_a_mapping_has_one_text() -> None:
    assert codes_of(things({"days": dict[date, dict[int, str]]})) == []
    (refusal,) = refusals_of(things({"prices": list[dict[Decimal, int]]}))
    problem = '"prices" has keys of type decimal; in MongoDB keys are text, and a decimal has several texts'
    assert (refusal.code, refusal.problem) == ("E0205", problem)


def test_a_model_has_a_name_for_each_field() -> None:
    assert codes_of(things({"pair": tuple[int, str]})) == []
    (refusal,) = refusals_of(things({"pair": list[tuple[int, One]]}))
    assert (refusal.code, refusal.problem) == ("E0205", '"pair" has the model One inside a tuple')


def test_a_native_type_is_one_that_can_hold_the_value() -> None:
    (refusal,) = refusals_of(things({"day": date}, types={"day": "long"}))
    assert (refusal.code, refusal.problem) == ("E0205", '"day" cannot be stored as long, it takes date or string')


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"cappped": True}, "E0501"),
        ({"size": {"a": 1}}, "E0503"),
        ({"collation": "en"}, "E0503"),
        ({"collation": {"locale": "klingon"}}, "MDB109"),
        ({"collation": {"locale": "mt", "strength": 2}}, "MDB109"),
        ({"capped": True}, "E0502"),
    ],
)
def test_a_setting_is_one_that_the_server_takes(settings: dict[str, Any], code: str) -> None:
    assert codes_of(things({"word": str}, settings=settings)) == [code]


def test_an_expiry_is_stored_as_a_date_of_its_own() -> None:
    assert codes_of(things({"at": Expiry}, types={"at": "string"})) == ["MDB013"]
    assert codes_of(things({"at": Expiry}, id="{at}")) == ["MDB013"]
    assert codes_of(things({"at": Annotated[datetime | None, kw.Ttl()]})) == []


def test_the_delay_of_an_expiry_has_bounds() -> None:
    assert codes_of(things({"at": Annotated[datetime, kw.Ttl(after=timedelta(days=25_000))]})) == ["MDB013"]


def test_a_capped_collection_does_not_expire() -> None:
    assert codes_of(things({"at": Expiry}, settings={"capped": True, "size": 4096})) == ["MDB013"]


def test_a_time_series_has_a_datetime_that_is_always_there() -> None:
    assert codes_of(series({"at": str})) == ["E0205"]
    assert codes_of(series({"at": datetime | None})) == ["E0205"]
    assert codes_of(series({"at": datetime})) == []


def test_a_time_series_expires_by_its_own_time_only() -> None:
    assert codes_of(series({"at": Expiry})) == []
    assert codes_of(series({"at": Expiry}, ttl=timedelta(days=1))) == ["MDB013"]
    assert codes_of(series({"at": datetime, "until": Expiry})) == ["MDB013"]
