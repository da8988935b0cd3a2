"""Searches of the nearest vectors: what serves them, what refuses them, and which vectors have no similarity."""

from typing import Annotated, Any

import pytest
from pydantic import BaseModel
from tests.engines.cassandra.designs import PRODUCTION, a_table
from tests.engines.cassandra.planning import a_pattern, placed, planned, verdict

import keywright as kw
from keywright.access.path import AccessPath
from keywright.access.search import smallest_fix
from keywright.engines.cassandra.adopt.key_orders import key_orders
from keywright.engines.cassandra.engine import ENGINE
from keywright.frontend.lower import binding_of
from keywright.record import replace
from keywright.runtime.cassandra.limits import limit_of
from keywright.runtime.errors import InvalidValue
from keywright.runtime.validate.call import PatternSubject, instance_of, values_of

Shape = Annotated[list[float], kw.Vector(3)]

FIELDS: dict[str, Any] = {
    "at": int, "owner": str, "kind": str, "pages": int, "tags": set[str], "name": str, "shape": Shape, "size": Shape,
}  # fmt: skip
INDEXES = [
    kw.CqlIndex("shape"), kw.CqlIndex("size", similarity_function="dot_product"), kw.CqlIndex("kind"),
    kw.CqlIndex("pages"), kw.CqlIndex("tags"), kw.CqlIndex("name", case_sensitive=False),
]  # fmt: skip
DRAWN = a_table("drawn", FIELDS, partition=["sensor", "kind"], clustering="at", indexes=INDEXES)
STATIC = a_table("static", FIELDS, clustering="at", static="owner", indexes=INDEXES)
PLAIN = a_table("plain", FIELDS, clustering="at")

ALL_NODES = "every node is queried, because an index does not contain the partitions of its rows"
APPROXIMATE = "approximate: the index may miss some of the nearest rows"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "index drawn_shape_idx, index, 1"),
        ({"eq": "sensor kind"}, "index drawn_shape_idx, index, 1"),
        ({"eq": "sensor kind at"}, "index drawn_shape_idx, index, 1"),
        ({"eq": "sensor kind", "range": "at"}, "index drawn_shape_idx, index, 1"),
        ({"eq": "kind"}, "index drawn_shape_idx, index, 1"),
        ({"eq": "kind", "range": "pages", "contains": "tags"}, "index drawn_shape_idx, index, 1"),
        ({"where": {"pages": ("at_least", 3)}}, "index drawn_shape_idx, index, 1"),
        ({"near": "size"}, "index drawn_size_idx, index, 1"),
        ({"eq": "sensor"}, '"sensor" has no storage-attached index that answers the condition'),
        ({"eq": "name"}, '"name" has no storage-attached index that answers the condition'),
        ({"one_of": "pages"}, '"pages" has no storage-attached index that answers the condition'),
        ({"eq": "sensor", "one_of": "kind"},
         "a search of the nearest vectors reads one partition, or all of them: remove the others"),
        ({"order": "at"}, 'results are in the order of similarity, not of "at"'),
        ({"limit": None}, "a search of the nearest vectors needs limit="),
        ({"limit": 1001}, "a search finds up to 1,000 rows, and the pattern has limit=1001"),
        ({"consistency": "strong"}, 'a search reads one copy, and the read requires consistency "strong"'),
        ({"near": "pages"}, 'Cassandra has no search by distance from "pages": use a RedisGeo, or MongoDB'),
    ],
    ids=str,
)  # fmt: skip
def test_a_search_is_served_by_the_index_of_its_vector(options: dict[str, Any], expected: str) -> None:
    assert verdict(planned(DRAWN, "read", **{"near": "shape", "limit": 5, **options})) == expected


def test_a_count_or_another_table_has_no_search() -> None:
    assert verdict(planned(DRAWN, "count", near="shape")) == "the nearest vectors are read, and the pattern is a count"
    reason = 'no storage-attached index contains "shape": declare kw.CqlIndex("shape")'
    assert verdict(planned(PLAIN, "read", near="shape", limit=5)) == reason
    reason = '"tags" has no storage-attached index that answers the condition'
    assert verdict(planned(STATIC, "read", near="shape", contains="tags", limit=5)) == reason
    assert verdict(planned(STATIC, "read", near="shape", eq="pages", limit=5)) == "index static_shape_idx, index, 1"


def test_the_proposed_index_serves() -> None:
    result = planned(PLAIN, "read", near="shape", limit=5)
    fix = smallest_fix(ENGINE, result)
    assert fix is not None
    assert fix.text == 'kw.CqlIndex("shape")'
    assert fix.target == placed(a_table("plain", FIELDS, clustering="at", indexes=[kw.CqlIndex("shape")]))


def test_a_vector_without_an_angle_is_not_proposed_an_index() -> None:
    single = a_table(
        "single", {"one": Annotated[list[float], kw.Vector(1)], "whole": Annotated[list[int], kw.Vector(2)]}
    )
    assert smallest_fix(ENGINE, planned(single, "read", near="one", limit=5)) is None
    assert smallest_fix(ENGINE, planned(single, "read", near="whole", limit=5)) is None


def test_a_search_of_all_partitions_asks_every_node() -> None:
    everywhere = planned(DRAWN, "read", near="shape", limit=5).path
    inside = planned(DRAWN, "read", near="size", eq="sensor kind", limit=5).path
    assert isinstance(everywhere, AccessPath)
    assert isinstance(inside, AccessPath)
    assert everywhere.notes == (APPROXIMATE, ALL_NODES)
    unreliable = "by the dot product, vectors of a length other than one are found unreliably"
    assert inside.notes == (APPROXIMATE, unreliable)
    assert (everywhere.similarity, inside.similarity) == ("cosine", "dot_product")


def test_a_search_examines_the_rows_that_it_returns() -> None:
    cost = ENGINE.cost(planned(DRAWN, "read", near="shape", limit=5))
    assert (cost.examined.high, cost.returned.high, cost.units.high) == (5, 5, 10)


def test_older_versions_and_other_products_refuse_the_index() -> None:
    for version, flavour in (("4.1", "cassandra"), (None, "scylla")):
        environment = replace(PRODUCTION, version=version, flavour=flavour)
        problems = [rejection.problem for rejection in ENGINE.refuse(placed(DRAWN), environment)]
        assert any('"drawn_shape_idx" is a storage-attached index, which' in problem for problem in problems)


def test_adopting_an_index_of_vectors_proposes_a_search() -> None:
    orders = list(key_orders(placed(DRAWN), DRAWN))
    assert [(order.index, order.equal, order.near) for order in orders if order.near] == [
        ("drawn_shape_idx", (), "shape"),
        ("drawn_size_idx", (), "size"),
    ]


TOO_LARGE = "the numbers of an indexed vector are finite, and at most 100,000,000,000,000,000"


class Sketch(BaseModel):
    sketch_id: str
    shape: Shape | None = None
    size: Shape = [1.0, 2.0, 3.0]
    plain: Shape = [0.0, 0.0, 0.0]


SKETCH = kw.bind(
    Sketch,
    kw.CqlTable(
        kw.Keyspace("metrics"),
        "sketches",
        partition="sketch_id",
        indexes=[kw.CqlIndex("shape"), kw.CqlIndex("size", similarity_function="euclidean")],
    ),
)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("shape", [0.0, 0.0, 0.0], "a vector of zeros has no angle, by which its index finds vectors"),
        ("shape", [1e-30, 0.0, 0.0], "a vector of zeros has no angle, by which its index finds vectors"),
        ("size", [0.0, 0.0, 0.0], ""),
        ("size", [2e17, 0.0, 0.0], TOO_LARGE),
        ("size", [float("nan"), 0.0, 0.0], TOO_LARGE),
        ("plain", [2e17, 0.0, 0.0], ""),
    ],
)  # fmt: skip
def test_vectors_that_the_server_cannot_index_are_rejected(field: str, value: list[float], problem: str) -> None:
    binding = binding_of("Sketch", SKETCH)
    assert binding is not None
    pattern = a_pattern("read", near=field, limit=5)
    subject = PatternSubject(pattern, binding, Sketch, limit_of, ("sketch_id",))
    search, write = values_of(subject), instance_of(subject)
    calls: list[Any] = [lambda: search({field: value}), lambda: write(Sketch.model_construct(
        **{**Sketch(sketch_id="a").model_dump(), field: value}))]  # fmt: skip
    for call in calls:
        if not problem:
            call()
            continue
        with pytest.raises(InvalidValue, match=problem):
            call()


def test_a_copy_of_another_store_has_a_search() -> None:
    binding = binding_of("Sketch", SKETCH)
    assert binding is not None
    assert verdict(planned(binding, "read", near="shape", limit=5)) == "index sketches_shape_idx, index, 1"
