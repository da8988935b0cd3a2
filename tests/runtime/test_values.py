"""Values of calls before any server is asked: what a field does not take is refused, and no part of it is told."""

from collections.abc import Iterator
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from tests.projects import a_project, imported_alone, with_imports

from keywright import runtime
from keywright.errors import UsageError
from keywright.runtime.errors import InvalidValue
from keywright.runtime.validate.limits import json_value

MODELS = """
from pydantic import JsonValue, StringConstraints, field_validator, model_validator

shop = kw.MongoDatabase("shop")

class Address(BaseModel):
    city: Annotated[str, Field(max_length=10, alias="CITY")]

class Customer(BaseModel):
    __store__: ClassVar = kw.Collection(
        shop, "customers", id="{customer_id}", indexes=[kw.Index("address.city"), kw.Index("email"), kw.Index("extra")]
    )
    customer_id: Annotated[str, Field(max_length=20)]
    email: Annotated[str, StringConstraints(to_lower=True), kw.Pii()] = "a@b"
    secret: Annotated[str, kw.Pii()] = "ok"
    points: Annotated[int, Field(ge=0)] = 0
    total: Decimal = Decimal(0)
    seen: datetime | None = None
    extra: JsonValue = None
    scores: dict[str, int] = {}
    address: Address = Address(CITY="x")
    addresses: list[Address] = []

    @field_validator("secret")
    @classmethod
    def _known(cls, value):
        if value.startswith("bad"):
            raise ValueError(f"{value} is not known")
        return value

    @model_validator(mode="after")
    def _whole(self):
        if self.points > 5 and not self.seen:
            raise ValueError("points without a visit")
        return self

get = kw.Get(Customer)
by_email = kw.Get(Customer, eq="email")
by_extra = kw.Read(Customer, eq="extra", limit=10)
of_city = kw.Read(Customer, eq="address.city", limit=10)
put = kw.Put(Customer)
set_secret = kw.Update(Customer, sets="secret")
set_points = kw.Update(Customer, sets="points")
set_total = kw.Update(Customer, sets="total")
set_seen = kw.Update(Customer, sets="seen")
set_address = kw.Update(Customer, sets="address")
set_scores = kw.Update(Customer, sets="scores")
add = kw.Increment(Customer, "points")
remove = kw.Delete(Customer)
both = kw.Transact([kw.Put(Customer), kw.Delete(Customer)])
"""


class Sent(Exception):
    """A call that got as far as its client, with what it would send."""


class Client:
    """A client that notes what it is asked."""

    def __getitem__(self, name: str) -> Any:
        raise Sent


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The module of the models, imported as an application does."""
    folder = tmp_path_factory.mktemp("values")
    with imported_alone(folder):
        a_project(folder, {"models/shop.py": with_imports(MODELS)})
        import sys
        from importlib import import_module

        sys.path.insert(0, str(folder))
        yield import_module("models.shop")


REFUSED: list[InvalidValue] = []
"""What the hook of the open database was called with."""


@pytest.fixture(scope="module")
def db(shop: ModuleType) -> runtime.Database:
    return runtime.open(shop, mongodb=Client(), on_refused=REFUSED.append)


def refused(run: Any) -> InvalidValue:
    with pytest.raises(InvalidValue) as caught:
        run()
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.__cause__ is None
    assert error.__context__ is None  # which may hold the value
    return error


def sent(run: Any) -> None:
    with pytest.raises(Sent):
        run()


def test_an_error_names_pattern_argument_type_and_what_is_allowed(db: Any, shop: Any) -> None:
    error = refused(lambda: shop.get(db, customer_id={"$gt": ""}))
    assert (error.pattern, error.argument, error.given) == ("get", "customer_id", "dict")
    assert str(error) == (
        '"get" does not accept this dict for "customer_id": input should be a valid string; '
        "it takes str of length 20 or less"
    )


def test_the_place_inside_a_value_is_named_and_keys_of_maps_are_not(db: Any, shop: Any) -> None:
    broken = shop.Address.model_construct(city=5)
    assert refused(lambda: shop.set_address(db, customer_id="c", address=broken)).argument == "address.city"
    assert refused(lambda: shop.set_scores(db, customer_id="c", scores={"ann@b": "1"})).argument == "scores[...]"
    customer = shop.Customer(customer_id="c").model_copy(update={"addresses": [shop.Address(CITY="a"), broken]})
    assert refused(lambda: shop.put(db, customer)).argument == "addresses[1].city"


def test_no_part_of_a_value_is_told(db: Any, shop: Any) -> None:
    for run in (
        lambda: shop.set_secret(db, customer_id="c", secret="bad hunter2"),
        lambda: shop.put(db, shop.Customer(customer_id="c").model_copy(update={"secret": "bad hunter2"})),
        lambda: shop.get(db, customer_id="hunter2" * 10),
    ):
        assert "hunter2" not in str(refused(run))


def test_whole_numbers_become_decimals_and_nothing_else_is_coerced(db: Any, shop: Any) -> None:
    sent(lambda: shop.set_total(db, customer_id="c", total=5))
    for value in ("5", 5.0, True, None):
        refused(lambda value=value: shop.set_total(db, customer_id="c", total=value))
    for by in ("1", 0.5, True):
        refused(lambda by=by: shop.add(db, customer_id="c", by=by))


def test_none_is_for_optional_fields_and_moments_have_a_time_zone(db: Any, shop: Any) -> None:
    sent(lambda: shop.set_seen(db, customer_id="c", seen=None))
    sent(lambda: shop.set_seen(db, customer_id="c", seen=datetime.now(UTC)))
    refused(lambda: shop.set_seen(db, customer_id="c", seen=datetime(2026, 1, 1)))
    refused(lambda: shop.set_points(db, customer_id="c", points=None))


def test_an_instance_is_validated_again_with_its_own_validators(db: Any, shop: Any) -> None:
    customer = shop.Customer(customer_id="c", seen=datetime.now(UTC), points=9)
    sent(lambda: shop.put(db, customer))
    refused(lambda: shop.put(db, customer.model_copy(update={"seen": None})))
    refused(lambda: shop.put(db, customer.model_copy(update={"points": -1})))
    assert "no value" in refused(lambda: shop.put(db, shop.Customer.model_construct())).reason
    refused(lambda: shop.both(db, customer.model_copy(update={"points": -1}), {"customer_id": "c"}))


def test_model_validators_do_not_run_on_changes_of_one_field(db: Any, shop: Any) -> None:
    sent(lambda: shop.set_points(db, customer_id="c", points=9))
    refused(lambda: shop.set_points(db, customer_id="c", points=-9))


def test_a_hook_is_called_with_each_refusal_and_without_the_value(db: Any, shop: Any) -> None:
    REFUSED.clear()
    refused(lambda: shop.get(db, customer_id=1))
    refused(lambda: shop.of_city(db, address__city="x", limit=11))
    refused(lambda: shop.of_city(db, address__city="x", cursor="x"))
    sent(lambda: shop.get(db, customer_id="c"))
    assert [(error.pattern, error.argument) for error in REFUSED] == [
        ("get", "customer_id"), ("of_city", "limit"), ("of_city", "cursor"),
    ]  # fmt: skip


@pytest.mark.parametrize("limit", [0, -1, 11, True, "5", 1.0])
def test_a_limit_is_within_the_declared_one(db: Any, shop: Any, limit: Any) -> None:
    refused(lambda: shop.of_city(db, address__city="x", limit=limit))


def test_a_call_of_another_form_is_answered_with_the_right_one(db: Any, shop: Any) -> None:
    for run, words in (
        (lambda: shop.both(db, customer_id="c"), r'call both\(db, Customer\(...\), {"customer_id": ...}\)'),
        (lambda: shop.get(db, "c"), r"call get\(db, customer_id=...\)"),
        (lambda: shop.remove(db, "c"), r"call remove\(db, customer_id=...\)"),
        (lambda: shop.put(db, shop.Customer(customer_id="c"), points=1), r"call put\(db, Customer\(...\)\)"),
        (lambda: shop.both(db, shop.Customer(customer_id="c"), 5), "takes its values as keyword arguments"),
    ):
        with pytest.raises(UsageError, match=words):
            run()


@given(st.text() | st.integers() | st.binary() | st.dictionaries(st.text(max_size=5), st.text(max_size=5)))
def test_only_what_the_model_takes_is_sent(db: Any, shop: Any, value: Any) -> None:
    """A key takes exactly the texts that the model takes for it."""
    try:
        taken = isinstance(shop.Customer(customer_id=value), BaseModel) and isinstance(value, str)
    except ValueError:
        taken = False
    (sent if taken else refused)(lambda: shop.get(db, customer_id=value))


@pytest.mark.parametrize("value", [object(), {1: 2}, [b"x"], float("nan"), {"a": [{1, 2}]}, "\ud800", {"\ud800": 1}])
def test_what_is_no_json_is_refused(value: Any) -> None:
    assert json_value()(value)
