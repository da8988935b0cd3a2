"""Transforms in Python: what they see, and what they may say."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.migrations.items import Items
from tests.migrations.memory import MemoryLedger

from keywright.engines.contract.pages import Work
from keywright.engines.mongodb.migrate import transform as mongodb
from keywright.errors import UsageError
from keywright.ir.apply_transform import Poison, apply
from keywright.ir.transform import parse
from keywright.migrations.backfill import backfill
from keywright.migrations.backfill.backfill import BackfillSettings
from keywright.migrations.backfill.item_transform import code
from keywright.migrations.backfill.segments import Counts

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
    settings = BackfillSettings(segments=1, workers=1)
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


SECRET = "hunter2-pL4nted"


@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError(item)",
        "raise KeyError(item['status'])",
        "return {item['status']: 1}",
        "return item['status']",
        "return {'day': object(), 'status': [item, object()]}",
        "return {'day': int(item['status'])}",
    ],
)
def test_nothing_of_an_item_is_told_or_kept(body: str) -> None:
    module = code(TEXT.format(body=body), "backfill_thing.py")
    work = Work(object="things", reads=module.reads, writes=module.writes)
    items, ledger = Items(work, {"0000": {"status": SECRET}}), MemoryLedger(is_prepared=True)
    output = ""
    try:
        report = backfill.run(
            ledger.ledger, "0001/20", items.pages, work, code=module, settings=BackfillSettings(workers=1)
        )
        assert report.quarantined == 1
    except UsageError as error:
        output = f"{error} {error.help}"
    assert SECRET not in output
    assert SECRET not in str(ledger.texts)


@pytest.mark.parametrize(("path", "type", "value"), [
    ("n", "int", SECRET), ("at", "date", SECRET), ("d", "decimal", SECRET),
])  # fmt: skip
def test_a_value_that_a_store_does_not_hold_is_not_quoted(path: str, type: str, value: Any) -> None:
    def form(path: str, value: Any) -> Any:
        return mongodb.form(path, value, type)

    with pytest.raises(Poison) as poison:
        apply(parse({"copy": {path: "from"}}), {"from": value}, form)
    assert str(value) not in str(poison.value)
