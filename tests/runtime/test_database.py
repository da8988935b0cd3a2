"""An open database before any server is asked: what a call takes, and what is wrong with it."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.projects import a_project, imported_alone, with_imports

from keywright import runtime
from keywright.errors import UsageError

MODELS = """
shop = kw.MongoDatabase("shop")

class Address(BaseModel):
    city: Annotated[str, Field(max_length=40)]

class Customer(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "customers", id="{customer_id}", indexes=[kw.Index("address.city")])
    customer_id: Annotated[str, Field(max_length=20)]
    name: Annotated[str, Field(max_length=40)]
    address: Address

one = kw.Get(Customer)
of_city = kw.Read(Customer, eq="address.city", limit=10)
by_name = kw.Read(Customer, eq="name", limit=10)
write = kw.Put(Customer)
rename = kw.Update(Customer, sets="name")
"""


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[ModuleType]:
    """The module of the models, imported as an application does."""
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/shop.py": with_imports(MODELS)})
        import sys
        from importlib import import_module

        sys.path.insert(0, str(tmp_path))
        yield import_module("models.shop")


def refused(run: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        run()


def test_a_call_says_what_it_lacks_and_what_it_does_not_know(shop: ModuleType) -> None:
    db = runtime.open(shop, mongodb=object())
    refused(lambda: shop.one(db), 'needs "customer_id"')
    refused(lambda: shop.one(db, customer_id="c", nme="x"), 'has no argument "nme"')
    refused(lambda: shop.of_city(db), 'needs "address__city"')
    refused(lambda: shop.rename(db, customer_id="c"), 'needs "name"')
    refused(lambda: shop.of_city(db, address__city="x", limit=0), "a whole number from 1 to 10")


def test_a_put_takes_instances_of_its_own_model(shop: ModuleType) -> None:
    db = runtime.open(shop, mongodb=object())
    refused(lambda: shop.write(db, shop.Address(city="x")), "writes Customer, not Address")
    refused(lambda: db.run(shop.write), "was called without an instance to write")


def test_a_pattern_that_nothing_serves_is_not_called(shop: ModuleType) -> None:
    refused(lambda: shop.by_name(runtime.open(shop, mongodb=object()), name="x"), 'nothing serves "by_name"')


def test_a_store_without_a_client_is_named(shop: ModuleType) -> None:
    refused(lambda: shop.one(runtime.open(shop), customer_id="c"), 'no client for "mongodb/shop"')
    refused(lambda: runtime.open(shop, mongodb={"other": object()}), '"mongodb/other", which no model declares')


def test_another_projects_pattern_is_refused(shop: ModuleType) -> None:
    import keywright as kw

    refused(lambda: runtime.open(shop, mongodb=object()).run(kw.Get(shop.Customer)), "not in the open project")


def test_an_environment_that_there_is_not_is_named(shop: ModuleType) -> None:
    refused(lambda: runtime.open(shop, environment="prod"), 'there is no environment "prod"')
