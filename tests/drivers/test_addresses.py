"""Addresses that no client can read are no server and no bug, and none of their parts is in a message."""

from importlib import import_module

import pytest

from keywright.engines.interface import StatementFailed

ENGINES = ("cassandra", "dynamodb", "mongodb", "redis")
SCHEMES = {"dynamodb": "http"}
UNREADABLE = ("{scheme}://u:hunter2@h:1:2", "{scheme}://u:hunter2@[::1")


@pytest.mark.parametrize("address", UNREADABLE)
@pytest.mark.parametrize("engine", ENGINES)
def test_an_address_that_cannot_be_read_is_refused_without_its_parts(engine: str, address: str) -> None:
    driver = import_module(f"keywright.drivers.{engine}.driver")
    url = address.format(scheme=SCHEMES.get(engine, engine))
    assert not driver.is_ready(url)
    with pytest.raises(StatementFailed, match="address is invalid") as refused:
        driver.connect(url)
    assert "hunter2" not in str(refused.value)


def test_an_address_of_no_form_is_no_dynamodb() -> None:
    driver = import_module("keywright.drivers.dynamodb.driver")
    assert not driver.is_ready("nonsense")
    with pytest.raises(StatementFailed, match="address is invalid"):
        driver.connect("nonsense")
