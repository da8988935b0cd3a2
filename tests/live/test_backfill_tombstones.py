"""What a backfill takes away in Cassandra leaves tombstones, of which the server meets only so many in one read."""

from collections.abc import Callable

import pytest
from tests.live.backfill_worlds import WORLDS
from tests.migrations.memory import MemoryLedger

from keywright.ir.transform import parse
from keywright.local import Running
from keywright.migrations.backfill import backfill
from keywright.migrations.backfill.backfill import BackfillSettings
from keywright.migrations.backfill.segments import Counts

pytestmark = pytest.mark.live

SPLIT = parse({"split": {"name": {"on": " ", "into": ["first", "last"]}}, "unset": ["name"], "set": {"tier": "free"}})
ROWS = 1500
"""The local server fails above a thousand tombstones, others above a hundred thousand."""


def test_a_pass_looks_again_at_more_rows_than_a_server_meets_tombstones(start: Callable[..., Running]) -> None:
    with WORLDS["cassandra"](start("cassandra")) as world:
        rows = [{"part": f"p{at}", "place": at, "name": f"Ada L{at}"} for at in range(ROWS)]
        world.driver.load(world.place["object"], rows)
        work, ledger = world.work(SPLIT, version=2), MemoryLedger(is_prepared=True).ledger
        pages, together = world.driver.pages(work), BackfillSettings(segments=1)
        assert backfill.run(ledger, "0001/20", pages, work, settings=together).counts == Counts(ROWS, ROWS)
        assert backfill.verify(ledger, "0001/20", pages, work, settings=together).counts == Counts(
            read=ROWS, already_new=ROWS
        )
