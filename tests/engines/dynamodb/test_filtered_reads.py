"""How many items a request with a filter looks at, and how many requests an unexpected filter takes."""

import pytest

from keywright.engines.contract.shape import Discriminator
from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.access.cost.read import items_examined
from keywright.engines.dynamodb.schema.capabilities import PAGE_BYTES
from keywright.runtime.dynamodb.execute.spans import Key, KeyRange
from keywright.runtime.dynamodb.execute.streams import NativeItem, page


@pytest.mark.parametrize(
    ("wanted", "share", "looked"),
    [(10, 1 / 2, 20), (1, 1 / 49, 49), (5, 1 / 300, 1500), (5, None, 100), (200, None, 200), (7, 1.0, 7),
     (50, 1e-9, PAGE_BYTES.value)],
)  # fmt: skip
def test_as_many_are_looked_at_as_usually_hold_what_is_wanted(wanted: int, share: float | None, looked: int) -> None:
    assert items_examined(wanted, share) == looked


@pytest.mark.parametrize(("share", "sizes"), [(1 / 2, [20, 40, 80, 160, 320, 640]), (None, [100] * 10)])
def test_where_fewer_pass_than_declared_each_request_looks_at_twice_as_many(
    share: float | None, sizes: list[int]
) -> None:
    """Of a thousand items every hundredth passes, and a page of ten is wanted."""
    requests: list[int] = []

    def send(spot: KeyRange, begin: Key | None, size: int | None) -> tuple[list[NativeItem], Key | None]:
        assert size is not None
        requests.append(size)
        first = int(begin["id"]["N"]) + 1 if begin else 1
        numbers = range(first, min(first + size, 1001))
        passed = [{"id": {"N": str(at)}} for at in numbers if at % 100 == 0]
        return passed, {"id": {"N": str(numbers[-1])}} if numbers[-1] < 1000 else None

    query = QueryItems("table", "", (), share=share, discriminator=Discriminator("kind", "x"), keys=("id",), limit=10)
    result, _ = page(query, [KeyRange(key={"pk": {"S": "a"}})], send, 10, None)
    assert [item["id"]["N"] for item in result] == [str(at) for at in range(100, 1001, 100)]
    assert requests == sizes
