"""Plans of reads with filters of parts, lengths and alternatives: the request, the cost, reasons against them."""

from typing import Any

import pytest
from tests.engines.dynamodb import filtered as m
from tests.engines.dynamodb.planning import plans_of

from keywright.engines.dynamodb.engine import ENGINE

PLANS = plans_of(m)

FILTERS = {
    "urgent": "contains(#note, :note)",
    "tagged": "contains(#tags, :tags)",
    "noted": "begins_with(#note, :note)",
    "with_tags": "size(#tags) >= :tags_least",
    "with_few_words": "(attribute_not_exists(#words) OR size(#words) <= :words_most)",
    "with_words": "size(#words) >= :words_least AND size(#words) <= :words_most",
    "open_or_large": "(#state = :state OR #total >= :total)",
    "extremes": "(#total < :total OR #total > :total_1)",
    "got": "contains(#note, :note)",
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_is_an_expression_of_the_request(name: str) -> None:
    request: Any = ENGINE.query(PLANS.plan(name))
    assert request["FilterExpression"] == FILTERS[name]


def test_the_beginning_of_a_sort_key_is_no_filter() -> None:
    request: Any = ENGINE.query(PLANS.plan("of_may"))
    assert "FilterExpression" not in request
    assert request["ExpressionAttributeValues"][":sk"] == {"S": "ORDER#05"}
    assert PLANS.verdict("of_may") == ("table shop", 1, "index", ())


def test_conditions_are_shown_as_they_are_meant() -> None:
    assert PLANS.verdict("with_tags")[3] == ("length of tags is 2 or more",)
    assert PLANS.verdict("several")[3] == ("(state = 'open' or kind = 'gift')",)


def test_an_alternative_of_a_key_is_no_filter() -> None:
    path: Any = PLANS.plan("by_key").path
    assert path.rejected[-1].reason == '"total" is a part of the key, which a filter cannot test'


def test_the_share_of_alternatives_follows_from_their_shares() -> None:
    cost = ENGINE.cost(PLANS.plan("several"))
    assert (cost.examined.expected, cost.returned.expected) == (100, pytest.approx(100 * (1 - 2 / 3 * 1 / 2)))
    cost = ENGINE.cost(PLANS.plan("urgent"))
    assert cost.examined.high is None
    assert cost.examined.missing == {"urgent: how many items have note contains 'urgent'"}
