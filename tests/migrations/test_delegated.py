"""Steps that somebody else lands, on a store in memory."""

from collections.abc import Callable

import pytest

from keywright.engines.interface import StatementFailed
from keywright.errors import NeedsDecision
from keywright.migrations.run.delegated import DelegatedSteps, delegate
from keywright.migrations.run.runner import ApplyError, Done, Pace

from .store import Store, a_statement

AT_ONCE = Pace(timeout_seconds=600, poll_seconds=0)
THREE = (a_statement("table"), a_statement("index"), a_statement("expiry"))


class Stack:
    """Lands what it is asked for, but for some."""

    def __init__(self, store: Store, *without: str) -> None:
        self.store, self.without, self.asked = store, without, list[list[str]]()

    def land(self, delegated: DelegatedSteps) -> None:
        """See `StepExecutor`."""
        self.asked.append([statement.object[0] for statement in delegated.statements])
        for statement in delegated.statements:
            if statement.object[0] not in self.without:
                self.store.objects.setdefault(statement.target, {})[statement.object[0]] = statement.wants


def landed(stack: Stack, land: Callable[[DelegatedSteps], None] | None = None) -> list[tuple[str, str]]:
    """What is told of three steps that a stack lands."""
    output: list[Done] = []
    delegated = DelegatedSteps(statements=THREE, start="0001/0", end="0001/10", check=lambda: None)
    done = delegate(land or stack.land, delegated, stack.store.driver, tell=output.append, pace=AT_ONCE)
    assert done == output
    return [(entry.statement.object[0], entry.outcome) for entry in done]


def test_what_is_missing_is_landed_by_somebody_else_and_told_as_made() -> None:
    stack = Stack(Store({"shop": {"table": "as declared"}}))
    assert landed(stack) == [("table", "kept"), ("index", "made"), ("expiry", "made")]
    assert stack.asked == [["index", "expiry"]]
    assert stack.store.effects == [], "nothing by the driver"


def test_what_is_there_is_asked_of_nobody() -> None:
    stack = Stack(Store({"shop": {"table": "as declared", "index": "as declared", "expiry": "as declared"}}))
    assert {outcome for _, outcome in landed(stack)} == {"kept"}
    assert stack.asked == []


def test_what_is_left_out_is_for_a_person_and_never_run_here() -> None:
    stack = Stack(Store(), "index")
    with pytest.raises(NeedsDecision, match='lacks its result: create "index"'):
        landed(stack)
    assert stack.store.effects == []


def test_something_else_in_the_place_is_a_conflict_before_anybody_is_asked() -> None:
    stack = Stack(Store({"shop": {"table": "as declared", "index": "another", "expiry": "as declared"}}))
    assert landed(stack)[1] == ("index", "conflict")
    assert stack.asked == []


def test_what_fails_is_the_failure_of_the_first_step_that_is_missing() -> None:
    def fails(delegated: DelegatedSteps) -> None:
        raise StatementFailed("no luck")

    with pytest.raises(ApplyError, match='could not create "table": no luck'):
        landed(Stack(Store()), fails)


def test_what_is_still_built_is_waited_for_first() -> None:
    def finish(store: Store) -> None:
        if store.looks > 1:
            store.objects["shop"]["index"] = "as declared"

    store = Store({"shop": {"table": "as declared", "index": {"building": True}}}, on_look=finish)
    stack = Stack(store)
    assert landed(stack)[1:] == [("index", "kept"), ("expiry", "made")]
    assert stack.asked == [["expiry"]]
