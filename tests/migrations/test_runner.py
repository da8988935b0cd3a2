"""The runner of steps, on a store in memory."""

from collections.abc import Callable

import pytest

from keywright.engines.interface import StatementFailed, TooSoon
from keywright.migrations.run.runner import ApplyError, Done, Pace, run
from keywright.record import replace

from .store import Crash, Store, a_statement

AT_ONCE = Pace(timeout_seconds=600, poll_seconds=0)
THREE = (a_statement("table"), a_statement("index"), a_statement("expiry"))


def outcomes(done: list[Done]) -> dict[str, str]:
    return {".".join((*entry.statement.target.split("/"), *entry.statement.object)): entry.outcome for entry in done}


def refuse(*names: str) -> Callable[[str], None]:
    """Fails the statements that make these."""

    def before(call: str) -> None:
        if call in names:
            raise StatementFailed(f"no {call} today")

    return before


def test_what_is_missing_is_made_in_order() -> None:
    store = Store()
    assert outcomes(run(THREE, store.driver)) == {
        "shop.table": "made", "shop.index": "made", "shop.expiry": "made",
    }  # fmt: skip
    assert store.effects == ["table", "index", "expiry"]


def test_what_is_there_is_kept_and_looked_at_once() -> None:
    store = Store({"shop": {"table": "as declared", "index": "as declared", "expiry": "as declared"}})
    assert set(outcomes(run(THREE, store.driver)).values()) == {"kept"}
    assert (store.effects, store.looks) == ([], 1)


def test_a_half_created_set_is_completed() -> None:
    store = Store({"shop": {"table": "as declared", "expiry": "as declared"}})
    assert outcomes(run(THREE, store.driver)) == {
        "shop.table": "kept", "shop.index": "made", "shop.expiry": "kept",
    }  # fmt: skip


def test_what_differs_is_a_conflict_that_blocks_the_later_steps_of_its_target_only() -> None:
    store = Store({"shop": {"table": "as declared", "index": "another"}})
    statements = (*THREE, a_statement("table", target="log"))
    assert outcomes(run(statements, store.driver)) == {
        "shop.table": "kept", "shop.index": "conflict", "log.table": "made",
    }  # fmt: skip
    assert store.objects["shop"] == {"table": "as declared", "index": "another"}


def test_each_step_is_told_after_its_turn() -> None:
    output: list[Done] = []
    assert run(THREE, Store().driver, tell=output.append) == output


def test_what_is_still_built_is_waited_for() -> None:
    store = Store({"shop": {"table": {"building": True}}})

    def finish(store: Store) -> None:
        if store.looks == 4:
            store.objects["shop"]["table"] = "as declared"

    store.on_look = finish
    assert outcomes(run(THREE[:1], store.driver, pace=AT_ONCE)) == {"shop.table": "kept"}
    assert (store.looks, store.effects) == (4, [])


def test_what_was_made_but_is_not_yet_seen_is_waited_for() -> None:
    store, hidden = Store(), {}

    def hide(store: Store) -> None:
        if store.looks == 2:
            hidden.update(store.objects.pop("shop"))
        if store.looks == 4:
            store.objects["shop"] = hidden

    store.on_look = hide
    assert outcomes(run(THREE[:1], store.driver, pace=AT_ONCE)) == {"shop.table": "made"}
    assert (store.looks, store.effects) == (4, ["table"])


def test_a_build_that_ends_otherwise_than_wanted_is_a_conflict() -> None:
    store = Store({"shop": {"table": {"building": True}}})
    store.on_look = lambda store: store.objects["shop"].update(
        table={"building": True} if store.looks < 3 else "another"
    )
    assert outcomes(run(THREE, store.driver, pace=AT_ONCE)) == {"shop.table": "conflict"}


def test_what_somebody_else_takes_away_is_made_when_it_is_gone() -> None:
    store = Store({"shop": {"table": {"building": True}}})

    def finish(store: Store) -> None:
        if store.looks == 3:
            del store.objects["shop"]["table"]

    store.on_look = finish
    assert outcomes(run(THREE[:1], store.driver, pace=AT_ONCE)) == {"shop.table": "made"}
    assert store.effects == ["table"]


def test_a_statement_that_fails_while_something_is_in_the_making_is_tried_again() -> None:
    store, refusals = Store(), iter([True])

    def busy(call: str) -> None:
        if call == "table" and next(refusals, False):
            store.objects["shop"] = {"building": True}
            raise StatementFailed("the table is being updated")

    def finish(store: Store) -> None:
        if store.looks == 4:
            del store.objects["shop"]

    store.before, store.on_look = busy, finish
    assert outcomes(run(THREE[:1], store.driver, pace=AT_ONCE)) == {"shop.table": "made"}
    assert store.effects == ["table"]


def test_a_build_that_never_ends_is_an_error() -> None:
    store = Store({"shop": {"table": "as declared", "index": {"building": True}}})
    with pytest.raises(ApplyError) as error:
        run(THREE, store.driver, pace=Pace(timeout_seconds=0, poll_seconds=0))
    assert error.value.problem == 'store/shop: could not create "index": not finished after 0 s (partial)'
    assert [entry.statement for entry in error.value.done] == [THREE[0]]


def test_a_statement_that_fails_since_somebody_else_was_first_is_no_error() -> None:
    store = Store()

    def first(call: str) -> None:
        if call == "table":
            store.objects["shop"] = {"table": "as declared"}

    store.before = first
    assert outcomes(run(THREE[:1], store.driver)) == {"shop.table": "kept"}
    assert store.effects == []


def test_a_statement_that_fails_since_somebody_else_made_another_is_a_conflict() -> None:
    store = Store()

    def first(call: str) -> None:
        if call == "table":
            store.objects["shop"] = {"table": "another"}

    store.before = first
    assert outcomes(run(THREE, store.driver)) == {"shop.table": "conflict"}


def test_a_statement_that_fails_and_has_no_effect_is_an_error_that_carries_what_is_done() -> None:
    store = Store(before=refuse("index"))
    with pytest.raises(ApplyError) as error:
        run(THREE, store.driver)
    assert str(error.value) == (
        'store/shop: could not create "index": no index today\n'
        "  help: 1 step is done; correct the cause and run the same command again, which continues from there"
    )
    assert (error.value.exit_code, error.value.statement, outcomes(list(error.value.done))) == (
        3, THREE[1], {"shop.table": "made"},
    )  # fmt: skip


def test_a_store_that_is_lost_is_an_error_that_carries_what_is_done() -> None:
    store = Store()

    def lost(call: str) -> None:
        if call == "look" and store.effects == ["table", "index"]:
            raise StatementFailed("could not reach it")

    store.before = lost
    with pytest.raises(ApplyError) as error:
        run(THREE, store.driver)
    assert (error.value.statement, outcomes(list(error.value.done))) == (THREE[1], {"shop.table": "made"})


def test_after_an_error_the_same_command_goes_on_from_there() -> None:
    store = Store(before=refuse("index"))
    with pytest.raises(ApplyError):
        run(THREE, store.driver)
    store.before = refuse()
    assert outcomes(run(THREE, store.driver)) == {
        "shop.table": "kept", "shop.index": "made", "shop.expiry": "made",
    }  # fmt: skip


CALLS = 2 * (1 + 2 * len(THREE))
"""Moments at which a run can be broken off: before and after the first look, each statement and the look after it."""


@pytest.mark.parametrize("moment", range(CALLS))
def test_a_run_that_is_broken_off_anywhere_ends_the_same_when_it_is_run_again(moment: int) -> None:
    store, moments = Store(), iter(range(CALLS))

    def crash(call: str) -> None:
        if next(moments) == moment:
            raise Crash

    store.before = store.after = crash
    with pytest.raises(Crash):
        run(THREE, store.driver)
    store.before = store.after = lambda call: None
    run(THREE, store.driver)
    assert store.effects == ["table", "index", "expiry"]
    assert store.objects == {"shop": {"table": "as declared", "index": "as declared", "expiry": "as declared"}}


def test_the_moments_of_a_run_are_all_of_them() -> None:
    calls: list[str] = []
    store = Store(before=calls.append, after=calls.append)
    run(THREE, store.driver)
    assert len(calls) == CALLS


def test_a_statement_that_comes_too_soon_is_repeated_within_its_patience() -> None:
    rejections = iter([True, True])

    def early(call: str) -> None:
        if call == "expiry" and next(rejections, False):
            raise TooSoon("the expiry was changed within the last hour")

    patient = replace(a_statement("expiry"), patience_seconds=60)
    assert outcomes(run([patient], Store(before=early).driver, pace=AT_ONCE)) == {"shop.expiry": "made"}
    rejections = iter([True, True])
    with pytest.raises(ApplyError):
        run([a_statement("expiry")], Store(before=early).driver, pace=AT_ONCE)
