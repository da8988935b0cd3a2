"""Migrations on a real server: from one target to another, and from every place where one may have been broken off."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from keywright.engines.contract.diff import differences
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Driver, Engine
from keywright.migrations.run.runner import Done, Pace, run

PACE = Pace(timeout_seconds=60, poll_seconds=0.01)


def done(statements: Sequence[Statement], driver: Driver) -> list[Done]:
    """What became of each step."""
    return run(statements, driver, pace=PACE)


def outcomes(statements: Sequence[Statement], driver: Driver) -> Counter[str]:
    """How many steps had each outcome."""
    return Counter(entry.outcome for entry in done(statements, driver))


def remaining(engine: Engine[Any, Any], target: Any, driver: Driver) -> list[Any]:
    """What differs between a target and the live store, in the native half."""
    description = driver.introspect([target.name])[target.name]
    assert description is not None
    native = engine.describe(engine.around(engine.parse(description), target))["native"]
    return list(differences(engine.describe(target)["native"], native))


def becomes(engine: Engine[Any, Any], before: Any, after: Any, driver: Driver, *, kept: int = 0) -> tuple[str, ...]:
    """Make a target, then another of it; what the steps between say that they do.

    kept: how many steps may find their object as they want it. Afterwards the store holds the other target, and a
    second run makes nothing.
    """
    outcomes(engine.create(before), driver)
    assert remaining(engine, before, driver) == []
    statements = engine.migrate(before, after)
    result = outcomes(statements, driver)
    assert result["made"] + min(result["kept"], kept) == len(statements)
    assert remaining(engine, after, driver) == []
    assert outcomes(statements, driver) == Counter({"kept": len(statements)})
    return tuple(statement.summary for statement in statements)


def survives(
    engine: Engine[Any, Any], before: Any, after: Any, driver: Driver, fresh: Callable[[], object]
) -> list[Counter[str]]:
    """The same, broken off after no step, after one and so on, and run again from the beginning.

    fresh: empties the store. Returns the outcomes of each second run.
    """
    result: list[Counter[str]] = []
    statements = engine.migrate(before, after)
    for stop in range(len(statements) + 1):
        fresh()
        outcomes(engine.create(before), driver)
        outcomes(statements[:stop], driver)
        result.append(outcomes(statements, driver))
        assert remaining(engine, after, driver) == []
    assert result == [Counter({"kept": stop, "made": len(statements) - stop}) for stop in range(len(statements) + 1)]
    return result
