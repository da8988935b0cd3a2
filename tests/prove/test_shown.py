"""Problems of a proof name instances and items, and mask what is personal."""

from typing import Annotated, Any, ClassVar

import pytest
from pydantic import BaseModel

import keywright as kw
from keywright import runtime
from keywright.errors import UsageError
from keywright.frontend.lower import binding_of
from keywright.ir.binding import Binding
from keywright.prove.masking import differing, masked, masked_error, masked_values

SECRET = "ann@example.com"


class Home(BaseModel):
    street: Annotated[str, kw.Pii()]
    country: str = "NL"


class Person(BaseModel):
    person_id: str
    email: Annotated[str, kw.Pii()] = SECRET
    emails: list[Annotated[str, kw.Pii()]] = [SECRET]
    home: Home = Home(street=SECRET)
    visits: int = 3


class InDynamo(Person):
    __store__: ClassVar = kw.Item(kw.DynamoTable("people"), pk="PERSON#{person_id}", sk="PERSON")


class InDynamoByEmail(Person):
    __store__: ClassVar = kw.Item(kw.DynamoTable("people"), pk="MAIL#{email}", sk="PERSON")


class InMongo(Person):
    __store__: ClassVar = kw.Collection(kw.MongoDatabase("people"), "people", id="{email}")


class InRedis(Person):
    __store__: ClassVar = kw.RedisString(kw.RedisServer("people", role="primary"), key="mail:{email}")


class InRedisHash(BaseModel):
    __store__: ClassVar = kw.RedisHash(kw.RedisServer("people", role="primary"), key="hash:{email}")
    email: Annotated[str, kw.Pii()] = SECRET
    visits: int = 3


class InRedisSet(BaseModel):
    __store__: ClassVar = kw.RedisSet(kw.RedisServer("people", role="primary"), key="all", member="{email}")
    email: Annotated[str, kw.Pii()] = SECRET


MODELS = [InDynamo, InDynamoByEmail, InMongo, InRedis, InRedisHash, InRedisSet]


def binding(model: type[BaseModel]) -> Binding:
    result = binding_of(model.__name__, model)
    assert result is not None
    return result


def made(model: type[BaseModel], **values: Any) -> BaseModel:
    return model(**({"person_id": "p1", **values} if "person_id" in model.model_fields else values))


@pytest.mark.parametrize("model", MODELS)
def test_neither_an_instance_nor_its_native_item_shows_a_personal_value(model: type[BaseModel]) -> None:
    instance = made(model)
    for subject in (instance, runtime.to_item(instance)):
        text = masked(binding(model), subject)
        assert SECRET not in text
        assert "***" in text


@pytest.mark.parametrize("model", MODELS[:5])
def test_a_difference_names_the_field_and_masks_both_values(model: type[BaseModel]) -> None:
    instance, other = made(model), made(model, email="bob@example.com", visits=4)
    text = differing(binding(model), instance, other)
    assert "email: ***, expected ***" in text
    assert "visits: 3, expected 4" in text
    items = differing(binding(model), runtime.to_item(instance), runtime.to_item(other))
    assert "example.com" not in items


def test_values_of_a_call_are_masked_by_their_path() -> None:
    text = masked_values(binding(InMongo), {"home.street": SECRET, "home.country": "NL", "email": SECRET, "home": {}})
    assert text == "home.street=***, home.country='NL', email=***, home=***"


def test_what_is_not_personal_is_shown() -> None:
    assert "person_id='p1'" in masked(binding(InMongo), made(InMongo))


def test_words_of_clients_are_masked_where_an_entity_has_personal_fields() -> None:
    full = binding(InMongo)
    assert SECRET not in masked_error(full, ValueError(f"duplicate key {SECRET}"))
    assert masked_error(full, UsageError("no such thing", "help")) == "UsageError: no such thing help: help"
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        Person(person_id="p", email=7)  # type: ignore[arg-type]
    assert masked_error(full, caught.value) == "ValidationError: email"
