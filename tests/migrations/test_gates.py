"""Gates that open by themselves."""

from datetime import UTC, datetime, timedelta

import pytest

from keywright.migrations.migration import Step
from keywright.migrations.run.gates import awaited, opens, seen_again
from keywright.migrations.run.records import StepRow
from keywright.record import replace

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
WAIT = Step(n=30, phase="contract", by="runner", op="wait", more={"hours": 2})
QUIET = replace(WAIT, op="quiet", store="mongodb/a", object="a/native/indexes/b/c", more={"days": 2, "hours": 1})


def looks(step: Step, *times: tuple[timedelta, int]) -> list[str]:
    """The state of a gate after each look: (time since the first one, uses so far)."""
    row: StepRow | None = None
    states: list[str] = []
    for after, uses in times:
        row = seen_again(step, row, uses, NOW + after)
        states.append(row.state)
    return states


def test_a_wait_opens_once_its_time_has_passed() -> None:
    assert looks(WAIT, (0 * HOUR, 0), (HOUR, 0), (2 * HOUR, 0)) == ["intent", "intent", "done"]
    assert looks(replace(WAIT, more={"hours": 0}), (0 * HOUR, 0)) == ["done"]


def test_every_use_begins_the_quiet_anew() -> None:
    assert looks(QUIET, (0 * HOUR, 5), (48 * HOUR, 5), (49 * HOUR, 5)) == ["intent", "intent", "done"]
    used = looks(QUIET, (0 * HOUR, 5), (48 * HOUR, 6), (49 * HOUR, 6), (96 * HOUR, 6), (97 * HOUR, 6))
    assert used == ["intent"] * 4 + ["done"]


def test_it_is_told_when_a_gate_opens_and_what_it_waits_for() -> None:
    row = seen_again(QUIET, None, 5, NOW)
    assert opens(QUIET, row) == NOW + 49 * HOUR
    assert awaited(QUIET) == '49 hours without any use of "a/native/indexes/b/c"'
    assert awaited(replace(WAIT, text="caches are empty")) == "2 hours: caches are empty"
    assert awaited(replace(WAIT, op="repair_done", text="every node is repaired")) == "a person: every node is repaired"


@pytest.mark.parametrize("hours", [1, 47.5])
def test_a_wait_may_be_a_part_of_an_hour(hours: float) -> None:
    assert replace(WAIT, more={"hours": hours}).hours == hours
