"""What the server's evidence may be, and what disagrees with a plan; the events are as a recorded client gives them."""

from typing import Any

import pytest
from tests.engines.mongodb.patterned import planned

from keywright.engines.mongodb.engine import ENGINE


def found(collection: str = "things", **changes: Any) -> dict[str, Any]:
    """A find by an index that returned 25 documents and examined no other."""
    event: dict[str, Any] = {
        "command": "find", "collection": collection, "request": {"find": collection, "filter": {}}, "returned": 25,
        "stages": ["LIMIT", "FETCH", "IXSCAN"], "indexes": ["group_1_moment_-1"], "scans": 1, "keys": 25,
        "documents": 25,
    }  # fmt: skip
    return event | changes


def said(name: str, *events: dict[str, Any], returned: int = 25) -> list[str]:
    return list(ENGINE.verify_evidence(planned(name), events, returned))


def test_evidence_as_planned_says_nothing() -> None:
    assert said("of_group", found()) == []
    assert said("of_group", found(keys=26)) == []  # it stops at the first entry of another group


RESUMED = {"filter": {"$and": [{"$nor": [{"moment": 1, "_id": {"$in": [7, 8]}}]}]}}

MERGED = {"filter": {"group": {"$in": ["a", "b"]}}}

DISAGREES: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "of_group",
        found(stages=["SORT", "FETCH", "IXSCAN"]),
        ['stage "SORT" sorted in memory, although index group_1_moment_-1 has the order'],
    ),
    (
        "of_group",
        found(stages=["COLLSCAN"], indexes=[], keys=0, documents=25),
        [
            'find scanned the collection "things"',
            'the server used no index instead of index "group_1_moment_-1"',
        ],
    ),
    ("of_group", found(stages=["$lookup COLLSCAN", "FETCH", "IXSCAN"]), ["find scanned the collection that it joins"]),
    ("of_group", found(indexes=["other"]), ['the server used index "other" instead of index "group_1_moment_-1"']),
    (
        "of_group",
        found(documents=40, keys=40),
        [
            "40 documents were examined for 25 that are returned, without a residual filter",
            "40 index entries were examined for 25 that are returned",
        ],
    ),
    ("of_group", found("others"), ['find was sent to "others", not to "things"']),
    ("of_group", found(failed="NoQueryExecutionPlans"), ["find failed: NoQueryExecutionPlans"]),
    (
        "session_things",
        found(request={"find": "things", "readConcern": {"level": "local"}}),
        ['find was sent with readConcern "local" instead of "majority"'],
    ),
    (
        "nearby",
        found(command="aggregate", indexes=["place_2dsphere"]),
        ["no stage found the nearest: LIMIT, FETCH, IXSCAN"],
    ),
]


@pytest.mark.parametrize(("name", "event", "problems"), DISAGREES)
def test_what_disagrees_is_said(name: str, event: dict[str, Any], problems: list[str]) -> None:
    assert said(name, event) == problems


def test_a_call_that_sent_nothing_is_found() -> None:
    assert said("of_group") == ["the client sent nothing"]
    assert said("of_groups", returned=0) == []  # of no values, nothing needs to be asked


def test_what_an_earlier_page_had_may_be_read_again() -> None:
    assert said("of_group", found(request=RESUMED, documents=27, keys=27)) == []
    assert said("of_group", found(request=RESUMED, documents=28, keys=28)) != []


def test_each_listed_value_may_be_looked_for() -> None:
    merged = found(stages=["LIMIT", "FETCH", "SORT_MERGE", "IXSCAN"], request=MERGED, scans=2, keys=29)
    assert said("of_groups", merged) == []


def test_what_is_judged_afterwards_may_be_read_in_vain() -> None:
    assert said("of_group_flagged", found(documents=80, keys=80)) == []


def test_in_place_of_a_partial_index_the_server_may_take_another() -> None:
    other = {"indexes": ["group_1_moment_-1"], "documents": 60, "keys": 60}
    assert said("large", found(**other)) == []
    assert said("large", found(stages=["COLLSCAN"], indexes=[])) != []


def test_a_write_is_judged_by_its_plan_and_its_durability() -> None:
    request = {"update": "things", "writeConcern": {"w": "majority"}}
    event = found(command="update", request=request, stages=["UPDATE", "IDHACK"], indexes=[])
    assert said("set_number", event) == []
    assert said("set_number", event | {"request": {"update": "things"}}) == [
        'update was sent with writeConcern "None" instead of "majority"'
    ]
    assert said("set_number", event | {"stages": ["UPDATE", "COLLSCAN"]})[0] == 'update scanned the collection "things"'


def test_a_transaction_is_one() -> None:
    insert = found(command="insert", request={"insert": "things", "txnNumber": 1})
    change = found("buckets", command="findAndModify", request={"txnNumber": 1}, stages=["UPDATE", "IDHACK"])
    commit = {"command": "commitTransaction", "collection": "", "request": {}}
    assert said("both", insert, change, commit) == []
    assert said("both", insert, change | {"request": {}}, commit) == [
        "findAndModify was sent outside of the transaction"
    ]
    assert said("both", insert, change) == ["the transaction ended 0 times"]
