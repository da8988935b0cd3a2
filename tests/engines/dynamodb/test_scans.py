"""Plans of patterns that scan: the request, the table or index, the cost, the permissions, and reasons against them."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel
from tests.engines.dynamodb import scanned as m
from tests.engines.dynamodb.planning import plans, plans_of
from tests.projects import a_project, imported_alone

import keywright as kw
from keywright import runtime
from keywright.declare.answers import Page
from keywright.engines.contract.stack_tables import Grant
from keywright.engines.dynamodb.access.iam import grants
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.policy import policy
from keywright.errors import UsageError
from keywright.runtime import InvalidValue

PLANS = plans_of(m)


def test_a_scan_filters_by_the_discriminator_or_by_the_beginning_of_a_key() -> None:
    request: Any = ENGINE.query(PLANS.plan("all_orders"))
    assert (request["operation"], request["FilterExpression"]) == ("Scan", "#entity_type = :mark")
    request = ENGINE.query(PLANS.plan("rights"))
    assert (request["FilterExpression"], request["TotalSegments"]) == ("begins_with(#k, :head)", 2)
    assert "KeyConditionExpression" not in request
    request = ENGINE.query(PLANS.plan("entries"))
    assert "FilterExpression" not in request


def test_a_scan_reads_the_sparse_index_that_contains_its_items() -> None:
    assert PLANS.verdict("open_totals") == ("gsi open", 1, "none", ())
    assert PLANS.path("open_totals").notes == (
        'all pages together read index "open" completely: 128 read units for each MiB',
    )
    assert grants(PLANS.plan("open_totals")) == (Grant("shop", "open", "dynamodb:Scan"),)


def test_a_read_that_no_key_serves_is_not_served_by_a_scan_that_it_does_not_ask_for() -> None:
    assert not PLANS.plan("unserved").is_served
    assert PLANS.plan("large_orders").is_served


def test_an_entity_with_read_copies_is_not_scanned() -> None:
    assert PLANS.verdict("all_offers") == "a scan would return each of the 3 read copies of an item"


def test_entities_that_nothing_distinguishes_are_not_scanned() -> None:
    old = kw.DynamoTable("old", sk=None, discriminator=None)

    class Left(BaseModel):
        __store__: ClassVar = kw.Item(old, pk="A#{number:pad(4)}")

        number: int

    class Right(BaseModel):
        __store__: ClassVar = kw.Item(old, pk="A#X#{number}")

        number: int

    lefts = kw.Read(Left, scan=True, limit=5)
    rights = kw.Read(Right, scan=True, limit=5)
    both = plans(Left=Left, Right=Right, lefts=lefts, rights=rights)
    assert both.verdict("lefts") == "items of other entities are in it, without a discriminator"
    assert both.verdict("rights")[3] == ("pk begins with 'A#X#'",)


def test_the_cost_of_a_page_is_that_of_what_it_examines() -> None:
    cost = ENGINE.cost(PLANS.plan("entries"))
    assert (cost.examined.high, cost.units.expected, cost.round_trips.high) == (100, 1.0, 4)
    assert ENGINE.cost(PLANS.plan("errors")).examined.expected == 90
    count = ENGINE.cost(PLANS.plan("count_of_errors"))
    assert (count.examined.expected, count.units.expected) == (20_000, 118.5)


def test_the_cost_names_the_items_of_other_entities() -> None:
    cost = ENGINE.cost(PLANS.plan("all_customers"))
    assert cost.units.high is None
    assert "all_customers: how many items of other entities are in table shop" in cost.units.missing


def test_policies_allow_scans_by_statements_of_their_own() -> None:
    arn = "arn:aws:dynamodb:eu-west-1:1:table/shop"
    granted = (grant for name in ("all_orders", "put_orders", "open_totals") for grant in grants(PLANS.plan(name)))
    document: Any = policy(granted, {"shop": arn})
    assert [(part.get("Sid"), part["Action"], part["Resource"]) for part in document["Statement"]] == [
        ("DeclaredScan", ["dynamodb:Scan"], [arn]),
        (None, ["dynamodb:PutItem"], [arn]),
        ("DeclaredScan1", ["dynamodb:Scan"], [f"{arn}/index/open"]),
    ]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[ModuleType]:
    """The module of the models, imported as an application does."""
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/things.py": Path(str(m.__file__)).read_text(encoding="utf-8")})
        import sys
        from importlib import import_module

        sys.path.insert(0, str(tmp_path))
        yield import_module("models.things")


class Client:
    """A client that answers each scan with nothing."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []

    def scan(self, **request: Any) -> dict[str, Any]:
        self.requests.append(request)
        return {"Items": [], "Count": 0}


def test_a_call_reads_one_segment_or_all(opened: ModuleType) -> None:
    client = Client()
    db = runtime.open(opened, dynamodb=client)
    assert list(opened.entries.pages(db, segment=3)) == [Page(())]
    assert [request["Segment"] for request in client.requests] == [3]
    assert opened.count_of_errors(db, segment=1) == 0
    assert opened.count_of_errors(db) == 0
    assert [request["Segment"] for request in client.requests] == [3, 1, 0, 1, 2, 3]
    assert {request["TotalSegments"] for request in client.requests} == {4}
    opened.all_orders(db)
    assert "Segment" not in client.requests[-1]


def test_a_segment_that_the_pattern_does_not_have_is_refused(opened: ModuleType) -> None:
    db = runtime.open(opened, dynamodb=Client())
    with pytest.raises(InvalidValue, match="it takes a number from 0 to 3"):
        opened.entries(db, segment=4)
    with pytest.raises(InvalidValue, match="it takes a number from 0 to 0"):
        opened.all_orders(db, segment=True)
    with pytest.raises(UsageError, match='nothing serves "unserved"'):
        opened.unserved(db, total=(1, 2), segment=0)
