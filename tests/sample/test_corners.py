"""Samples of models with everything that the worked example lacks."""

from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from keywright.errors import UsageError
from keywright.frontend.lower import lower
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.design import Design
from keywright.ir.entity import Entity
from keywright.sample import generate, to_json

from . import corners
from .stored_keys import stored_keys

DESIGN = lower([corners])


def samples(scale: int = 100, seed: int = 0) -> dict[str, list[dict[str, Any]]]:
    values_by_entity: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for sample in generate(DESIGN, seed=seed, scale=scale):
        values_by_entity[sample.entity].append(sample.value)
    return values_by_entity


def model_of(entity: str) -> type[BaseModel]:
    model: type[BaseModel] = getattr(corners, entity)
    return model


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_every_sample_is_valid_and_has_a_key_of_its_own(seed: int) -> None:
    bindings = {binding.name: binding for binding in DESIGN.bindings}
    counter: Counter[object] = Counter()
    for sample in generate(DESIGN, seed=seed, scale=100):
        instance = model_of(sample.entity).model_validate(sample.value)
        counter.update((name, *key) for name in sample.bindings for key in stored_keys(bindings[name], instance))
        to_json(sample.value)
    assert [key for key, count in counter.items() if count > 1] == []


def test_a_field_has_the_name_that_the_model_accepts() -> None:
    shelf = samples()["Shelf"][0]
    assert "shelfLabel" in shelf
    assert "postalCode" in shelf["place"]


def test_there_are_no_more_than_expected() -> None:
    assert len(samples(scale=1_000)["Shelf"]) == 40


def test_a_closed_set_as_key_bounds_the_count() -> None:
    assert sorted(switch["code"] for switch in samples()["Switch"]) == ["a", "b", "c"]


def test_a_nullable_field_is_sometimes_none_and_a_default_sometimes_omitted() -> None:
    shelves = samples()["Shelf"]
    assert {shelf["note"] is None for shelf in shelves} == {True, False}
    assert {"remark" in shelf for shelf in shelves} == {True, False}


def test_a_place_is_on_the_globe() -> None:
    degrees = [degree for shelf in samples()["Shelf"] for degree in shelf["place"]["position"]]
    assert all(-90 <= degree <= 90 for degree in degrees)


def test_a_place_of_redis_is_on_its_square_map() -> None:
    positions = [kiosk["position"] for kiosk in samples()["Kiosk"]]
    assert all(-85 <= position["latitude"] <= 85 for position in positions)
    assert all(-180 <= position["longitude"] <= 180 for position in positions)


def test_the_first_self_reference_has_no_earlier_target() -> None:
    employees = samples()["Employee"]
    assert employees[0]["manager_id"] is None
    assert employees[0]["deputy_id"] == employees[0]["id"]
    for at, employee in enumerate(employees[1:], 1):
        before = {earlier["id"] for earlier in employees[:at]}
        assert employee["deputy_id"] in before
        assert employee["manager_id"] is None or employee["manager_id"] in before


def test_a_copy_that_does_not_fit_is_a_value_of_its_own() -> None:
    assert all(len(employee["manager_name"]) <= 8 for employee in samples()["Employee"])


def test_keys_that_refer_to_each_other_in_a_cycle_match_from_the_second_entity_on() -> None:
    values_by_entity = samples()
    assert {left["left_id"] for left in values_by_entity["Left"]} <= {
        right["right_id"] for right in values_by_entity["Right"]
    }


def test_each_target_has_no_more_referrers_than_declared() -> None:
    counts = Counter(passport["employee_id"] for passport in samples()["Passport"])
    assert max(counts.values()) == 1


def test_native_types_narrow_the_generated_values() -> None:
    cells = samples(scale=500)["Cell"]
    assert all(-128 <= cell["row"] <= 127 for cell in cells)
    assert all(cell["host"].startswith("192.0.2.") for cell in cells)


def test_a_scale_of_nothing_gives_nothing() -> None:
    assert list(generate(DESIGN, scale=0)) == []


def test_a_pattern_that_no_text_matches_is_reported_with_its_field() -> None:
    odd = Attribute("odd", "odd", "odd", Scalar("string", pattern="^a(?!b)b$"))
    with pytest.raises(UsageError, match='no sample value of field "odd"'):
        list(generate(Design(entities=(Entity("Thing", "models", "", (odd,)),))))
