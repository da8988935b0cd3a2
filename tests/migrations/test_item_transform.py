"""Transforms in Python: what they see, and what they may say."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.history.items import Items
from tests.history.memory import MemoryLedger

from keywright.engines.pages import Work
from keywright.errors import UsageError
from keywright.history import backfill
from keywright.history.backfill import Settings
from keywright.history.segments import Counts
from keywright.history.transforming import code

TEXT = """
READS, WRITES = ("status",), ("day", "status")


def transform(item):
    {body}
"""


def python(body: str) -> Iterator[Any]:
    module = code(TEXT.format(body=body), "backfill_thing.py")
    work = Work(object="things", reads=module.reads, writes=module.writes)
    items = Items(work, {key: {"status": "new", "at": "5"} for key in ("0000", "0001")})
    yield items
    settings = Settings(segments=1, workers=1)
    ledger = MemoryLedger(is_prepared=True).ledger
    yield backfill.run(ledger, "0001/20", items.pages, work, code=module, settings=settings)


@pytest.mark.parametrize(
    ("body", "counts", "after"),
    [
        ("return None", Counts(2, unchanged=2), {"status": "new", "at": "5"}),
        ("return dict(day=item['status'].upper())", Counts(2, 2), {"status": "new", "at": "5", "day": "NEW"}),
        ("return dict(status=None)", Counts(2, 2), {"at": "5"}),
        ("return {'status': 'new'}", Counts(2, unchanged=2), {"status": "new", "at": "5"}),
        ("return {'day': item['at']}", Counts(2, rejected=2), {"status": "new", "at": "5"}),
    ],
)
def test_python_sees_what_it_reads_and_writes_what_it_says(body: str, counts: Counts, after: dict[str, Any]) -> None:
    items, report = python(body)
    assert report.counts == counts
    assert items.stored["0000"] == after


def test_a_field_that_python_does_not_declare_is_named() -> None:
    with pytest.raises(UsageError, match='"at", which is not in WRITES'):
        tuple(python("return dict(at=1)"))


def test_a_module_without_its_names_is_refused() -> None:
    with pytest.raises(UsageError, match='"WRITES", "transform"'):
        code('READS = ("a",)', "backfill_thing.py")
