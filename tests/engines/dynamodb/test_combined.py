"""Plans of reads of several entities in one request: the key, the request, the cost, and reasons against them."""

from typing import Any, ClassVar

import pytest
from tests.engines.dynamodb import combined as m
from tests.engines.dynamodb.planning import plans_of
from tests.engines.mongodb import patterned as mongo

from keywright.access.path import NotServed
from keywright.access.search import plan_together
from keywright.engines.contract.stack_tables import Grant
from keywright.engines.dynamodb.access.iam import grants
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.mongodb.engine import ENGINE as MONGODB
from keywright.ir.json import Json
from keywright.record import replace
from keywright.runtime.dynamodb import codec
from keywright.runtime.dynamodb.execute import prepare, together
from keywright.runtime.validate.arguments import Arguments

PLANS = plans_of(m)

RANGES: dict[str, tuple[str, dict[str, str]]] = {
    "everything": ("BETWEEN", {":sk_from": "#ORDER#", ":sk_to": "PAYMENT#{highest}"}),
    "newest_orders": ("BETWEEN", {":sk_from": "#ORDER#", ":sk_to": "CUSTOMER"}),
    "orders_between": ("BETWEEN", {":sk_from": "#ORDER#{placed_at:iso from}", ":sk_to": "CUSTOMER"}),
    "some_payments": ("BETWEEN", {":sk_from": "NOTE#", ":sk_to": "PAYMENT#{number:pad(4) to}"}),
    "feed_of": ("", {}),
    "feed_between": (
        "BETWEEN",
        {
            ":g1sk_from": "{least of {placed_at:iso from}, {paid_at:iso from}}",
            ":g1sk_to": "{greatest of {placed_at:iso to}, {paid_at:iso to}}",
        },
    ),
}


@pytest.mark.parametrize("name", RANGES)
def test_one_range_covers_the_sort_keys_of_all_entities(name: str) -> None:
    request: Any = ENGINE.query(PLANS.plan(name))
    sign, expected = RANGES[name]
    values = request["ExpressionAttributeValues"]
    ends = {word: value["S"] for word, value in values.items() if word not in (":pk", ":g1pk") and "mark" not in word}
    assert ends == expected
    assert ("BETWEEN" in request["KeyConditionExpression"]) == (sign == "BETWEEN")


def test_items_of_other_entities_are_filtered_by_the_server_or_dropped() -> None:
    assert PLANS.path("everything").notes == ()
    assert PLANS.path("around").notes == ('items of "Note" in the same range are read, and filtered out by the server',)
    request: Any = ENGINE.query(PLANS.plan("around"))
    assert request["FilterExpression"] == "#entity_type IN (:mark, :mark1)"
    assert PLANS.path("whole_album").notes == ('items of "Cover" in the same range are read and dropped',)
    assert PLANS.path("orders_between").notes == ("items between the ranges of the entities are read and dropped",)


def test_the_cost_is_that_of_all_items_together_up_to_the_limit() -> None:
    cost = ENGINE.cost(PLANS.plan("everything"))
    assert (cost.units.low, cost.units.high, cost.examined.high, cost.round_trips.high) == (0.5, 3, 50, 1)
    assert ENGINE.cost(PLANS.plan("around")).units.missing == {
        "around: how many items of other entities are in the same range"
    }
    assert ENGINE.cost(PLANS.plan("two_customers")).units.high == 4


def test_a_caller_needs_the_permissions_of_the_requests_that_are_sent() -> None:
    assert grants(PLANS.plan("everything")) == (Grant("crm", None, "dynamodb:Query", "CUSTOMER#*"),)
    assert grants(PLANS.plan("feed_of")) == (Grant("crm", "feed", "dynamodb:Query"),)
    assert grants(PLANS.plan("customer_with_order")) == (Grant("crm", None, "dynamodb:GetItem", "CUSTOMER#*"),)


def test_the_parts_of_a_plan_are_read_by_its_key() -> None:
    planned = PLANS.plan("feed_of")
    assert [str(part.access_path.by) for part in planned.parts] == ["gsi feed", "gsi feed"]


REFUSED = {
    "filtered": "Order: total >= 1 is no condition on the key: filter the page, or declare a kw.Read of its own",
    "two_directions": "some of its reads are ascending and some descending: one Query has one direction",
    "two_tables": '"Album" is in table "alone", and a Query reads one table: declare a kw.Read of its own',
    "narrow_entries": '"Order" and "Reference" are in different partitions: one Query reads one partition',
    "got_by_partition": "Order: a transaction gets each item by its complete key in the table",
}


@pytest.mark.parametrize("name", REFUSED)
def test_reads_that_one_request_cannot_serve_are_refused_with_the_reason(name: str) -> None:
    path = PLANS.plan(name).path
    assert isinstance(path, NotServed)
    assert path.reason == REFUSED[name]


def test_entries_of_an_index_that_lack_a_field_do_not_serve() -> None:
    path = PLANS.plan("narrow_entries").path
    assert isinstance(path, NotServed)
    assert 'Order: the index lacks "placed_at": add it to project=' in [entry.reason for entry in path.rejected]


def test_another_engine_reads_each_entity_with_a_request_of_its_own() -> None:
    parts = (mongo.planned("by_id"), mongo.planned("by_id"))
    pattern = replace(parts[0].pattern, kind="transact_get")
    path = plan_together(MONGODB, mongo.target(), pattern, parts).path
    assert isinstance(path, NotServed)
    assert path.reason == "MongoDB has no request that reads several entities: declare a pattern for each entity"


def test_a_transaction_of_gets_is_repeated_after_a_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "_PAUSE", 0)
    codecs = {name: codec(binding, PLANS.models[name]) for name, binding in PLANS.bindings.items()}
    customer = m.Customer(id="ann", name="Ann")
    (item,) = codecs["Customer"].to_items(customer)
    client = _Conflicting({"Responses": [{"Item": item}]})
    parts = ((Arguments({"id": "ann"}),), (Arguments({"id": "ann"}),))
    assert prepare(PLANS.plan("two_customers"), codecs)(client, Arguments({}, parts=parts)) == (customer, customer)
    assert client.requests == 3


class _Conflict(Exception):
    response: ClassVar[dict[str, Any]] = {
        "Error": {"Code": "TransactionCanceledException"},
        "CancellationReasons": [{"Code": "TransactionConflict"}],
    }


class _Conflicting:
    """A client whose first two requests conflict with another transaction."""

    def __init__(self, answer: dict[str, Json]) -> None:
        self.answer, self.requests = answer, 0

    def transact_get_items(self, **request: Any) -> dict[str, Json]:
        self.requests += 1
        if self.requests < 3:
            raise _Conflict
        return self.answer
