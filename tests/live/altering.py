"""Migrations on a real server: from one target to another, and from every place where one may have been broken off."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from keywright.engines.compare import differences
from keywright.engines.interface import Driver, Engine
from keywright.engines.plan import Step
from keywright.history.runner import Done, Pace, run

PACE = Pace(timeout_seconds=60, poll_seconds=0.01)


def done(steps: Sequence[Step], driver: Driver) -> list[Done]:
    """What became of each step."""
    return run(steps, driver, pace=PACE)


def outcomes(steps: Sequence[Step], driver: Driver) -> Counter[str]:
    """How many steps had each outcome."""
    return Counter(one.outcome for one in done(steps, driver))


def remaining(engine: Engine[Any, Any], target: Any, driver: Driver) -> list[Any]:
    """What differs between a target and the live store, in the native half."""
    description = driver.introspect([target.name])[target.name]
    assert description is not None
    found = engine.describe(engine.managed(engine.parse(description), target))["native"]
    return list(differences(engine.describe(target)["native"], found))


def becomes(engine: Engine[Any, Any], before: Any, after: Any, driver: Driver, *, kept: int = 0) -> tuple[str, ...]:
    """Make a target, then another of it; what the steps between say that they do.

    kept: how many steps may find their object as they want it. Afterwards the store holds the other target, and a
    second run makes nothing.
    """
    outcomes(engine.create(before), driver)
    assert remaining(engine, before, driver) == []
    steps = engine.migrate(before, after)
    found = outcomes(steps, driver)
    assert found["made"] + min(found["kept"], kept) == len(steps)
    assert remaining(engine, after, driver) == []
    assert outcomes(steps, driver) == Counter({"kept": len(steps)})
    return tuple(step.summary for step in steps)


def survives(
    engine: Engine[Any, Any], before: Any, after: Any, driver: Driver, fresh: Callable[[], object]
) -> list[Counter[str]]:
    """The same, broken off after no step, after one and so on, and run again from the beginning.

    fresh: empties the store. Returns the outcomes of each second run.
    """
    found: list[Counter[str]] = []
    steps = engine.migrate(before, after)
    for stop in range(len(steps) + 1):
        fresh()
        outcomes(engine.create(before), driver)
        outcomes(steps[:stop], driver)
        found.append(outcomes(steps, driver))
        assert remaining(engine, after, driver) == []
    assert found == [Counter({"kept": stop, "made": len(steps) - stop}) for stop in range(len(steps) + 1)]
    return found
