"""Defective forms of well-known patterns, and the planner's result for each."""

from pathlib import Path

import pytest
from tests.projects import a_project, errors_of, imported_alone, with_imports

from keywright import api
from keywright.access.path import AccessPath, NotServed
from keywright.api.check.matrix import lines
from keywright.report.matrix import MatrixRow

ORDER = """
class Order(BaseModel):
    __store__: ClassVar = {store}

    user_id: Annotated[str, Field(pattern=r"^[a-z0-9]+$")]
    order_id: str
    placed_at: datetime
    status: Literal["placed", "paid", "shipped"]
"""


def planned(folder: Path, *sources: str) -> dict[str, MatrixRow]:
    with imported_alone(folder):
        settings = a_project(folder, with_imports(*sources))
        plan = api.plan_access(api.compile(api.load(str(settings.root))))
        return {line.pattern.name: line for line in lines(plan)}


def test_orders_by_number_alone_cannot_be_read_by_date(tmp_path: Path) -> None:
    rows = planned(
        tmp_path,
        'shop = kw.DynamoTable("shop")',
        ORDER.format(store='kw.Item(shop, pk="USER#{user_id}", sk="ORDER#{order_id}")'),
        'by_date = kw.Read(Order, eq="user_id", order="-placed_at", limit=50)\n'
        'in_range = kw.Read(Order, eq="user_id", range="placed_at", order="placed_at", limit=50)\n'
        'one = kw.Get(Order, eq=["user_id", "order_id"])',
    )
    assert {name: line.is_served for name, line in rows.items()} == {"by_date": False, "in_range": False, "one": True}
    assert isinstance(rows["by_date"].path, NotServed)
    assert "placed_at" in rows["by_date"].path.reason


def test_a_status_as_the_key_of_an_index_is_served_from_one_partition(tmp_path: Path) -> None:
    rows = planned(
        tmp_path,
        'by_status = kw.Gsi("by_status", pk="gpk", sk="gsk")\nshop = kw.DynamoTable("shop", gsis=[by_status])',
        ORDER.format(
            store='kw.Item(shop, pk="USER#{user_id}", sk="O#{placed_at:iso}#{order_id}", '
            'gsis=[by_status.key(pk="STATUS#{status}", sk="{placed_at:iso}")])'
        ),
        'shipped = kw.Read(Order, where={"status": "shipped"}, order="placed_at", limit=100)',
    )
    path = rows["shipped"].path
    assert isinstance(path, AccessPath)
    assert (path.by.name, path.fan_out, path.order) == ("by_status", 1, "index")


def test_an_index_on_all_but_one_state_cannot_be_built(tmp_path: Path) -> None:
    errors = errors_of(
        tmp_path,
        with_imports(
            'shop = kw.MongoDatabase("shop")',
            ORDER.format(
                store='kw.Collection(shop, "orders", id="{order_id}", '
                'indexes=[kw.Index("placed_at", where={"status": kw.Not("shipped")})])'
            ),
        ),
    )
    assert [error.code for error in errors] == ["MDB011"]


@pytest.mark.parametrize(
    ("where", "is_served"),
    [
        ("", False),
        (', where={"status": "placed"}', True),
        (', where={"status": kw.OneOf(["placed", "paid"])}', True),
        (', where={"status": kw.OneOf(["placed", "shipped"])}', False),
    ],
)
def test_a_partial_index_serves_only_queries_that_imply_its_filter(tmp_path: Path, where: str, is_served: bool) -> None:
    rows = planned(
        tmp_path,
        'shop = kw.MongoDatabase("shop")',
        ORDER.format(
            store='kw.Collection(shop, "orders", id="{order_id}", indexes=[kw.Index("placed_at", '
            'where={"status": kw.OneOf(["placed", "paid"])})])'
        ),
        f'recent = kw.Read(Order, range="placed_at", order="placed_at", limit=50{where})',
    )
    assert rows["recent"].is_served == is_served


def test_a_series_without_buckets_is_read_by_its_range(tmp_path: Path) -> None:
    rows = planned(
        tmp_path,
        'metrics = kw.Keyspace("metrics")',
        ORDER.format(
            store='kw.CqlTable(metrics, "orders", partition="user_id", clustering=["-placed_at", "order_id"])'
        ),
        'latest = kw.Read(Order, eq="user_id", order="-placed_at", limit=50)\n'
        'oldest = kw.Read(Order, eq="user_id", order="placed_at", limit=50)\n'
        'by_number = kw.Read(Order, eq="order_id", limit=1)\n'
        'by_status = kw.Read(Order, eq=["user_id", "status"], limit=50)',
    )
    assert {name: line.is_served for name, line in rows.items()} == {
        "latest": True, "oldest": True, "by_number": False, "by_status": rows["by_status"].is_served,
    }  # fmt: skip
