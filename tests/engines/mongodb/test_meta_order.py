"""Equality of the whole meta field of a time series, which the server stores in the order of the fields' names."""

from datetime import datetime
from typing import Any

import pytest
from pydantic import BaseModel
from tests.engines.mongodb.designs import design_of, shop, stored_in

import keywright as kw
from keywright.access.path import AccessPath
from keywright.access.search import plan
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.lower import lower


class Sorted(BaseModel):
    city: str
    street: str


class Unsorted(BaseModel):
    street: str
    city: str


def is_served(type: Any, **options: Any) -> bool:
    series = kw.TimeSeries(shop, "levels", time="at", meta="place")
    level: type[BaseModel] = stored_in(series, {"at": datetime, "place": type, "value": float})
    design = design_of(level, kw.Read(level, limit=9, **options))
    (target,) = lower(design)
    path = plan(ENGINE, target, design.bindings[0], design.patterns[0]).path
    if isinstance(path, AccessPath):
        return True
    assert "whose fields a time series sorts" in path.rejected[0].reason
    return False


@pytest.mark.parametrize("type", [Any, Unsorted, list[Unsorted], dict[str, str]])
def test_a_whole_value_is_not_found_in_another_order(type: Any) -> None:
    assert not is_served(type, eq="place")


@pytest.mark.parametrize("type", [str, Sorted, list[str]])
def test_values_in_the_order_of_the_server_are_found(type: Any) -> None:
    assert is_served(type, eq="place")


def test_fields_of_the_meta_field_are_found() -> None:
    assert is_served(Unsorted, eq="place.city", range="at")
