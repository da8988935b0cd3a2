"""Properties of the samples of every entity of the worked example."""

import os
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from keywright.ir.design import Design
from keywright.sample import ANCHOR, GeneratedInstance, generate, to_json

from .conftest import ROOT
from .stored_keys import stored_keys

seeds = st.integers(0, 2**32)
few = settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
Models = dict[str, type[BaseModel]]


def by_entity(samples: list[GeneratedInstance]) -> dict[str, list[dict[str, Any]]]:
    values_by_entity: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for sample in samples:
        values_by_entity[sample.entity].append(sample.value)
    return values_by_entity


@given(seed=seeds)
@few
def test_every_sample_is_a_valid_model_and_has_keys_of_its_own(design: Design, models: Models, seed: int) -> None:
    counts_by_key: dict[object, int] = defaultdict(int)
    bindings = {binding.name: binding for binding in design.bindings}
    for sample in generate(design, seed=seed, scale=200):
        instance = models[sample.entity].model_validate(sample.value)
        for name in sample.bindings:
            for key in stored_keys(bindings[name], instance):
                counts_by_key[name, *key] += 1
    assert [key for key, count in counts_by_key.items() if count > 1] == []


@given(seed=seeds)
@few
def test_a_sample_comes_back_from_its_json(design: Design, models: Models, seed: int) -> None:
    for sample in generate(design, seed=seed, scale=30):
        model = models[sample.entity]
        document = {name: to_json(value) for name, value in sample.value.items()}
        assert model.model_validate(document) == model.model_validate(sample.value)


@given(seed=seeds)
@few
def test_references_are_keys_of_generated_instances(design: Design, seed: int) -> None:
    values_by_entity = by_entity(list(generate(design, seed=seed, scale=50)))
    users = {user["user_id"] for user in values_by_entity["User"]}
    products = {product["sku"] for product in values_by_entity["Product"]}
    assert {account["user_id"] for account in values_by_entity["Account"]} <= users
    assert {order["user_id"] for order in values_by_entity["Order"]} <= users
    assert {line["sku"] for order in values_by_entity["Order"] for line in order["lines"]} <= products
    assert {offer["sku"] for offer in values_by_entity["Offer"]} <= products
    assert {page["post_id"] for page in values_by_entity["CommentPage"]} <= {
        post["post_id"] for post in values_by_entity["Post"]
    }
    assert {id for book in values_by_entity["Book"] for id in book["author_ids"]} <= {
        author["author_id"] for author in values_by_entity["Author"]
    }


@given(seed=seeds)
@few
def test_copies_have_the_value_of_the_target_of_their_reference(design: Design, seed: int) -> None:
    values_by_entity = by_entity(list(generate(design, seed=seed, scale=50)))
    names = {user["user_id"]: user["name"] for user in values_by_entity["User"]}
    products = {product["sku"]: (product["name"], product["category"]) for product in values_by_entity["Product"]}
    for order in values_by_entity["Order"]:
        assert order["user_name"] == names[order["user_id"]]
        for line in order["lines"]:
            assert (line["name"], line["category"]) == products[line["sku"]]


def test_targets_come_before_references(design: Design) -> None:
    order = list(dict.fromkeys(sample.entity for sample in generate(design, scale=10)))
    assert order.index("User") < order.index("Account")
    assert order.index("Product") < order.index("Order")
    assert order.index("Post") < order.index("CommentPage")


def test_a_node_refers_to_earlier_nodes(design: Design) -> None:
    for category in by_entity(list(generate(design, scale=100)))["Category"]:
        assert all(ancestor < category["category_id"] for ancestor in category.get("ancestors", []))


def test_counts_are_in_proportion_and_never_above_the_expected_number(design: Design) -> None:
    counts = {name: len(values) for name, values in by_entity(list(generate(design, scale=200))).items()}
    assert counts["Message"] == 200  # the largest: two thousand million
    assert counts["ViewingEvent"] == 25  # an eighth, by its viewers
    assert counts["Order"] == 20  # a tenth at the least
    assert counts["ShopSettings"] == 1
    assert counts.keys() == {entity.name for entity in design.entities}


def test_an_entity_of_several_stores_is_generated_once(design: Design) -> None:
    orders = [sample for sample in generate(design, scale=10) if sample.entity == "Order"]
    assert {sample.bindings for sample in orders} == {("Order", "reported_order")}
    assert len({sample.value["order_id"] for sample in orders}) == len(orders)


def test_a_low_cardinality_gives_few_different_values(design: Design) -> None:
    scores = by_entity(list(generate(design, scale=3_000)))["Score"]
    assert len(scores) == 300
    assert len({score["game"] for score in scores}) <= 40


def test_expiring_instances_live_for_another_day(design: Design) -> None:
    now = datetime(2031, 5, 6, 7, tzinfo=UTC)
    values_by_entity = by_entity(list(generate(design, scale=50, now=now)))
    tomorrow = now + timedelta(days=1) - timedelta(hours=1)  # hours are floored
    assert all(offer["ends_at"] > tomorrow for offer in values_by_entity["Offer"])
    assert all(hour["start"] + timedelta(days=90) > tomorrow for hour in values_by_entity["SensorHour"])
    assert all(reading["at"] + timedelta(days=90) > tomorrow for reading in values_by_entity["Reading"])


def test_times_are_within_ninety_days_of_the_anchor(design: Design) -> None:
    for user in by_entity(list(generate(design, scale=50)))["User"]:
        assert ANCHOR - timedelta(days=90) <= user["created_at"] <= ANCHOR
        assert user["created_at"].tzinfo is UTC


def test_a_partition_has_one_value_of_each_static_field(design: Design) -> None:
    titles: dict[object, set[object]] = defaultdict(set)
    for episode in by_entity(list(generate(design, scale=300)))["Episode"]:
        titles[episode["show_id"]].add((episode["show_title"], episode["rating"]))
    assert all(len(title) == 1 for title in titles.values())
    assert len(titles) > 1


def test_a_text_has_the_form_of_its_native_type(design: Design) -> None:
    versions = {post["post_id"][14] for post in by_entity(list(generate(design, scale=50)))["UserPost"]}
    assert versions == {"1"}  # a timeuuid


def test_the_flag_of_an_overflow_is_off_while_the_list_has_room(design: Design) -> None:
    posts = by_entity(list(generate(design, scale=50)))["Post"]
    assert not any(post.get("has_more_comments", False) for post in posts)


def test_personal_data_are_invented(design: Design) -> None:
    users = by_entity(list(generate(design, scale=50)))["User"]
    assert all(str(user["email"]).endswith("@example.com") for user in users)


@given(seed=seeds)
@few
def test_equal_arguments_give_equal_samples(design: Design, seed: int) -> None:
    assert list(generate(design, seed=seed, scale=20)) == list(generate(design, seed=seed, scale=20))


def test_another_seed_gives_other_samples(design: Design) -> None:
    assert list(generate(design, seed=1, scale=20)) != list(generate(design, seed=2, scale=20))


def test_another_entity_does_not_change_the_samples_of_the_others(design: Design) -> None:
    without = Design(
        tuple(entity for entity in design.entities if entity.name != "Player"),
        design.physicals,
        tuple(binding for binding in design.bindings if binding.entity.name != "Player"),
        design.patterns,
    )
    others = [sample for sample in generate(design, scale=20) if sample.entity != "Player"]
    assert list(generate(without, scale=20)) == others


def test_samples_are_made_one_by_one(design: Design) -> None:
    assert len(list(islice(generate(design, scale=10**9), 5))) == 5


PROGRAM = """
import json
from tests.sample.conftest import design
from keywright.sample import generate, to_json
for sample in generate(design.__wrapped__(), seed=7, scale=20):
    print(json.dumps([sample.entity, to_json(sample.value)]))
"""


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_samples_do_not_depend_on_the_process(design: Design, hash_seed: str) -> None:
    import json

    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    here = [[sample.entity, to_json(sample.value)] for sample in generate(design, seed=7, scale=20)]
    assert [json.loads(line) for line in process.stdout.splitlines()] == here
