"""Times to live and times of single writes: which writes have them, and which rules take them into account."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from tests.engines.cassandra.designs import a_table
from tests.engines.cassandra.planning import a_pattern, placed, planned, together, verdict
from tests.rules.test_cassandra_rules import codes_in

import keywright as kw
from keywright.errors import UsageError
from keywright.runtime.errors import InvalidValue
from keywright.runtime.prepared import Prepared, arguments_of
from keywright.runtime.validate.checks import NO_CHECKS

NOTES = a_table(
    "notes",
    {"at": datetime, "text": str, "hint": str | None, "moved": datetime | None, "tags": list[str], "fixed": list[str]},
    clustering="at",
    frozen="fixed",
)
ENDING = a_table("ending", {"ends": Annotated[datetime, kw.Ttl()], "hint": str | None})
LOGS = a_table("logs", {"hint": str | None, "text": str}, ttl=timedelta(days=1))
TALLY = a_table("tally", {"hits": int}, counters="hits")

SERVED = "table notes, none, 1"


@pytest.mark.parametrize(
    ("table", "kind", "options", "expected"),
    [
        (NOTES, "put", {"ttl_seconds": 60}, SERVED),
        (NOTES, "put", {"is_ttl_given": True}, SERVED),
        (NOTES, "put", {"ttl_seconds": 60, "if_absent": True}, SERVED),
        (NOTES, "put", {"timestamp": "at"}, SERVED),
        (NOTES, "put", {"timestamp": "at", "if_absent": True},
         "if_absent is a condition, for which the copies agree on the time of the write: remove timestamp="),
        (NOTES, "put", {"timestamp": "moved"},
         '"moved" is not a required field of the model itself: each put needs a time'),
        (NOTES, "put", {"ttl_seconds": 630_720_001},
         "ttl= is longer than the 630,720,000 seconds that Cassandra allows"),
        (NOTES, "update", {"sets": "hint", "ttl_seconds": 60}, SERVED),
        (NOTES, "update", {"pushes": "tags", "is_ttl_given": True}, SERVED),
        (NOTES, "update", {"sets": "tags hint", "ttl_seconds": 60}, SERVED),
        (NOTES, "update", {"sets": "hint text", "ttl_seconds": 60},
         '"text" would be missing after ttl=, and the row would remain: make it optional, or put the item'),
        (LOGS, "put", {"ttl_seconds": 60}, "table logs, none, 1"),
        (LOGS, "update", {"sets": "hint", "ttl_seconds": 60},
         'rows expire, and the changed columns would outlive "text": put the whole item instead'),
        (ENDING, "put", {"ttl_seconds": 60}, 'rows expire at the time in "ends": remove ttl= of the pattern'),
        (TALLY, "put", {"ttl_seconds": 60}, '"hits" is a counter, which cannot be set: use kw.Increment'),
        (TALLY, "update", {"sets": "hits", "ttl_seconds": 60},
         "a counter cannot be set, and its table contains only counters: use kw.Increment"),
    ],
    ids=str,
)  # fmt: skip
def test_a_write_has_a_time_to_live_or_the_reason_why_not(table: Any, kind: Any, options: Any, expected: str) -> None:
    assert verdict(planned(table, kind, **options)) == expected


def test_a_transaction_has_no_argument_for_a_time_to_live() -> None:
    target = placed(NOTES)

    def answer(**options: Any) -> str:
        return verdict(together(target, (NOTES, a_pattern("put", "keep", **options)), (NOTES, a_pattern("put"))))

    assert answer(ttl_seconds=60) == "table notes, none, 2"
    assert answer(timestamp="at") == "table notes, none, 2"
    assert answer(is_ttl_given=True) == '"keep" takes ttl= from its call, which a transaction has not: fix it'
    conditional = together(
        target, (NOTES, a_pattern("put", "keep", timestamp="at")), (NOTES, a_pattern("update", sets="hint"))
    )
    assert verdict(conditional) == '"keep" has timestamp=, and the copies agree on the time of conditions'


@pytest.mark.parametrize(
    ("ttl", "error"),
    [(None, UsageError), (60, InvalidValue), (timedelta(0), InvalidValue), (timedelta(milliseconds=999), InvalidValue)],
)
def test_a_call_passes_a_timedelta_of_a_second_or_more(ttl: Any, error: type[Exception]) -> None:
    note = SimpleNamespace()
    prepared = Prepared(a_pattern("put", is_ttl_given=True), _sends, None, {}, SimpleNamespace, NO_CHECKS)  # type: ignore[arg-type]
    arguments = arguments_of(prepared, (note,), {"ttl": timedelta(seconds=1)}, None, None, None)
    assert (arguments.ttl, arguments.items) == (timedelta(seconds=1), (note,))
    with pytest.raises(error):
        arguments_of(prepared, (note,), {} if ttl is None else {"ttl": ttl}, None, None, None)


_sends: Callable[..., Any] = lambda session, arguments: None  # noqa: E731

SESSION = """
class Session(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "sessions", partition="session_id", {options})

    session_id: str
    name: str
    hint: str | None = None


session = kw.Get(Session, rate="1/s")
put_session = kw.Put(Session, {ttl}rate="1/s")
"""


def test_rules_of_expiry_see_the_time_to_live_of_puts(tmp_path: Path) -> None:
    windows = "compaction=kw.TimeWindow(window=timedelta(days=1))"
    for ttl, expected in (("", {("CAS006", "Session")}), ("ttl=timedelta(days=30), ", set()), ('ttl="given", ', set())):
        (folder := tmp_path / (ttl[:6] or "none")).mkdir()
        assert codes_in(folder, SESSION.format(options=windows, ttl=ttl)) == expected


SERIES = """
class Reading(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "readings", partition="sensor", clustering="-at", kind="reading")

    sensor: Annotated[str, kw.Cardinality(distinct=10)]
    at: datetime
    value: Annotated[str, kw.Size(avg=500)]


newest = kw.Read(Reading, eq="sensor", order="-at", limit=20, rate="1/s")
put_reading = kw.Put(Reading, {ttl}rate="10/s")
"""


@pytest.mark.parametrize(
    ("ttl", "expected"),
    [
        ("", {("CAS029", "Reading")}),
        ("ttl=timedelta(hours=1), ", set()),
        ('ttl="given", ', set()),
        ("ttl=timedelta(days=900), ", {("CAS029", "Reading")}),
    ],
)
def test_the_size_of_a_partition_follows_from_the_time_to_live_of_puts(
    ttl: str, expected: set[tuple[str, str]], tmp_path: Path
) -> None:
    found = codes_in(tmp_path, SERIES.format(ttl=ttl))
    assert {(code, name) for code, name in found if code in ("CAS002", "CAS003", "CAS029", "CAS042")} == expected


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ('kw.Update(Session, sets="hint", rate="1/s")', {("CAS065", "change")}),
        ('kw.Update(Session, sets="hint", ttl=timedelta(hours=1), rate="1/s")', {("CAS065", "change")}),
        ('kw.Update(Session, sets=["name"], rate="1/s")', set()),
    ],
)
def test_an_update_that_leaves_a_required_field_out_outlives_the_row(
    update: str, expected: set[tuple[str, str]], tmp_path: Path
) -> None:
    source = SESSION.format(options='kind="session"', ttl='ttl="given", ') + f"change = {update}\n"
    assert {(code, name) for code, name in codes_in(tmp_path, source) if code == "CAS065"} == expected
