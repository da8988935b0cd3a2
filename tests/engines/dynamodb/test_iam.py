"""What callers of the example's patterns may do."""

import json
from pathlib import Path
from typing import Any

import pytest

from keywright.access.search import Planned
from keywright.compiler import compile, load, plan_access
from keywright.engines.contract.stack_tables import Grant
from keywright.engines.dynamodb.access.iam import grants
from keywright.engines.dynamodb.schema.policy import policy

ROOT = Path(__file__).parents[3]
ARNS = {name: f"arn:aws:dynamodb:eu-west-1:1:table/{name}" for name in ("dev-shop", "dev-messaging", "dev-devices")}


@pytest.fixture(scope="module")
def planned() -> dict[str, Planned[Any]]:
    rows = plan_access(compile(load(str(ROOT)), "dev")).rows
    return {row.pattern.name: row.planned for row in rows if row.placed.engine.name == "dynamodb"}


def test_a_reader_may_ask_one_table_by_keys_of_that_form(planned: dict[str, Planned[Any]]) -> None:
    assert grants(planned["orders_of_user"]) == (Grant("dev-shop", None, "dynamodb:Query", "USER#*"),)
    assert policy(grants(planned["orders_of_user"]), ARNS) == {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Action": ["dynamodb:Query"],
                "Resource": [ARNS["dev-shop"]],
                "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["USER#*"]}},
            }
        ],
    }


def test_of_an_index_only_the_index_is_allowed_and_the_table_where_items_are_fetched(
    planned: dict[str, Planned[Any]],
) -> None:
    assert grants(planned["products_of_category"]) == (Grant("dev-shop", "by_category", "dynamodb:Query"),)
    output: Any = policy(grants(planned["orders_of_day"]), ARNS)
    assert [(entry["Action"], entry["Resource"]) for entry in output["Statement"]] == [
        (["dynamodb:Query"], [f"{ARNS['dev-shop']}/index/by_day"]),
        (["dynamodb:BatchGetItem"], [ARNS["dev-shop"]]),
    ]


def test_a_transaction_needs_what_its_writes_need(planned: dict[str, Planned[Any]]) -> None:
    assert grants(planned["place_order"]) == (
        Grant("dev-shop", None, "dynamodb:PutItem", "USER#*"),
        Grant("dev-shop", None, "dynamodb:UpdateItem", "STOCK#*"),
    )


def test_a_key_that_is_one_text_allows_that_one(planned: dict[str, Planned[Any]]) -> None:
    assert grants(planned["settings"]) == (Grant("dev-shop", None, "dynamodb:GetItem", "CONFIG#GLOBAL"),)
    assert grants(planned["change_settings"]) == (Grant("dev-shop", None, "dynamodb:PutItem", "CONFIG#GLOBAL"),)


def test_nobody_may_scan_and_every_pattern_may_do_something(planned: dict[str, Planned[Any]]) -> None:
    everything = [grant for entry in planned.values() for grant in grants(entry)]
    assert "Scan" not in json.dumps(policy(everything, ARNS))
    assert all(grants(entry) for entry in planned.values())


def test_signs_that_stand_for_anything_stand_for_themselves() -> None:
    from keywright.engines.dynamodb.access.iam import _key_pattern

    assert _key_pattern({"S": "A*B?#{id}"}) == "A${*}B${?}#*"
    assert _key_pattern({"S": "{id}#A"}) is None
    assert _key_pattern({"N": ":id"}) is None
