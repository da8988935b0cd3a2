"""`keywright check --live`: its options, and what it says; servers are asked by tests/live/test_check_live.py."""

from collections.abc import Callable

import pytest

from keywright import api
from keywright.api.check.evaluate import context_of
from keywright.api.live.connect import StoreSelector
from keywright.api.live.observe import LiveCheck, LiveCheckOptions
from keywright.cli import live_check
from keywright.engines.findings.observation import Items, LiveTarget, Observation, SampleSize
from keywright.errors import Unavailable

from .conftest import Keywright

WRONG = {
    ("--local",): '"--local" requires --live',
    ("--sample", "9"): '"--sample" requires --live',
    ("--live",): "no stores selected: add --local, or --env ENV",
    ("--live", "--local", "--update-baseline"): "--update-baseline does not work with --live: ",
    ("--live", "--local", "--sample", "0"): "",
}


@pytest.mark.parametrize("options", WRONG)
@pytest.mark.usefixtures("project")
def test_options_that_do_not_go_together_are_told(options: tuple[str, ...], keywright: Keywright) -> None:
    said = keywright("check", *options)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"error: {WRONG[options]}")


def sessions(observation: Observation) -> Callable[..., LiveCheck]:
    """Looks at one server only, where this is seen."""

    def observe(
        where: StoreSelector, project: api.Project, compiled: api.Compiled, look: LiveCheckOptions
    ) -> LiveCheck:
        look.notify("look at redis/sessions")
        context = context_of(compiled)
        target = next(
            target_in_environment
            for target_in_environment in context.targets
            if target_in_environment.declared.name == "sessions"
        )
        return LiveCheck(
            (LiveTarget(context=context, target=target, observation=observation),),
            ("mongodb/catalogue: it does not run",),
        )

    return observe


SEEN = Observation(
    items={"Session": Items(sample=SampleSize(10, 900, "key"), expiries={"missing": 3, "seconds": 7})},
    unseen=("figures of redis/sessions: NOPERM",),
)


@pytest.mark.usefixtures("project")
def test_findings_of_live_stores_stand_among_the_others(keywright: Keywright, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_check, "observe", sessions(SEEN))
    said = keywright("check", "--live", "--local", "--format", "concise")
    assert said.out.splitlines() == [
        "models/library.py:21: RED004 Session: 3 of 10 keys sampled (of about 900) never expire, and all should",
        "models/library.py:9: MON005 sessions: it could not be observed completely: figures of redis/sessions: NOPERM",
    ]
    looked, *rest = said.err.splitlines()
    assert looked.startswith("observed 1 store: 10 items sampled, 0 patterns explained in ")
    assert rest[:2] == [
        "not observed: mongodb/catalogue: it does not run",
        "not observed: figures of redis/sessions: NOPERM",
    ]


@pytest.mark.usefixtures("project")
def test_the_next_check_without_live_stores_does_not_remember_them(
    keywright: Keywright, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_check, "observe", sessions(Observation()))
    first = keywright("check", "--live", "--local", "-q")
    monkeypatch.setattr(live_check, "observe", sessions(SEEN))
    assert first == (0, "", "not observed: mongodb/catalogue: it does not run\n")
    assert "RED004" in keywright("check", "--live", "--local", "-q").out
    assert "RED004" not in keywright("check", "-q").out


@pytest.mark.usefixtures("project")
def test_a_server_that_is_down_ends_the_check(keywright: Keywright, monkeypatch: pytest.MonkeyPatch) -> None:
    def observe(*_: object) -> LiveCheck:
        raise Unavailable("redis/sessions: could not reach it: connection refused", "see whether it runs")

    monkeypatch.setattr(live_check, "observe", observe)
    assert keywright("check", "--live", "--local") == (
        3, "", "error: redis/sessions: could not reach it: connection refused\n  help: see whether it runs\n",
    )  # fmt: skip


@pytest.mark.usefixtures("project")
def test_who_interrupts_it_is_told_so(keywright: Keywright, monkeypatch: pytest.MonkeyPatch) -> None:
    def observe(*_: object) -> LiveCheck:
        raise KeyboardInterrupt

    monkeypatch.setattr(live_check, "observe", observe)
    said = keywright("check", "--live", "--local")
    assert (said.code, said.out) == (130, "")
