"""Old and new code write while a backfill runs: no item mixes their forms, and no accepted write is lost."""

import itertools
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from tests.live.conftest import Start
from tests.live.drawn import drawn
from tests.live.test_exactly_once import Killed, Run
from tests.live.versioned import STORES, Versioned, versioned

from keywright import runtime
from keywright.api.migrate.backfill import progress_of
from keywright.errors import NeedsDecision
from keywright.record import replace

pytestmark = pytest.mark.live

COUNT = itertools.count()

MODULE = """
READS, WRITES = ("state",), ("state",)

def transform(item):
    return {"state": item["state"] + "!"}
"""
"""The new form ends with one mark; two say that an item went through twice, none that it is of the old form."""

UPGRADES = {1: 'kw.Upgrade(map={"state": {"zz": "yy"}})', 2: 'kw.Upgrade(map={"label": {"zz": "yy"}})'}
"""What the models say that the versions convert."""

KEYS = [f"k{number}" for number in range(9)]


@pytest.fixture(scope="module", params=STORES)
def store(
    request: pytest.FixtureRequest, start: Start, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Versioned]:
    engine = request.param
    server = start(engine, "passes" if engine == "redis" else "")
    with versioned(engine, server, tmp_path_factory.mktemp(engine), UPGRADES) as created:
        yield created


@dataclass
class Expected:
    """What an item must have in the end, by the writes that were accepted."""

    state: str
    label: str = "a"
    count: int = 0


class Writers:
    """Processes of the first and of the second version."""

    def __init__(self, store: Versioned) -> None:
        self.store = store
        self.expected: dict[str, Expected] = {}
        self.refused = 0
        for key in KEYS:
            self(1, "put", key)

    def __call__(self, version: int, call: str, key: str) -> None:
        """One call, with the values of that version's form."""
        app, base, label = self.store.apps[version], f"s{next(COUNT)}", f"l{next(COUNT)}"
        state = base + "!" * (version - 1)
        if call == "put":
            app.put(key, state=state)
            self.expected[key] = Expected(base)
            return
        if not app.serves(call):
            return
        values: dict[str, Any] = {"set_state": {"state": state}, "set_label": {"label": label}, "add": {"by": 3}}
        try:
            app(call, k=key, **values[call])
        except runtime.WrongVersion:
            self.refused += 1
            return
        item = self.expected[key]
        match call:
            case "set_state":
                item.state = base
            case "set_label":
                item.label = label
            case _:
                item.count += 3

    def check(self, *, apart: frozenset[str] = frozenset()) -> None:
        """Compare what is stored; apart: keys in quarantine, whose state is of the old form."""
        for key, item in self.expected.items():
            result = self.store.apps[2]("get", k=key)
            assert (result.label, result.count) == (item.label, item.count), key
            assert result.state == item.state + ("" if key in apart else "!"), key


def quarantined(store: Versioned, run: Run) -> frozenset[str]:
    site: Any = type("Site", (), {"ledger": run.ledger, "store": "s"})
    progress = progress_of(site, run.version, run.stage)
    return frozenset(key[0] for key, _ in progress.quarantine) if progress else frozenset()  # type: ignore[index,misc]


ACTS = st.tuples(
    st.sampled_from((1, 2)), st.sampled_from(("put", "set_state", "set_label", "add")), st.sampled_from(KEYS)
)


@drawn(12, phases=tuple(Phase))
@given(kills=st.lists(st.integers(0, 60), max_size=4), acts=st.dictionaries(st.integers(0, 90), ACTS, max_size=25))
def test_forms_never_mix_whoever_writes_while_a_pass_runs(
    store: Versioned, tmp_path: Path, kills: list[int], acts: dict[int, tuple[int, str, str]]
) -> None:
    writers = Writers(store)
    for key in KEYS:  # a row of an earlier example keeps its version where a put of old code does not take it off
        if store.engine == "cassandra":
            store.client.execute(f"DELETE FROM {store.name}.things WHERE k = %s", (key,))
            writers(1, "put", key)
    run, clock = Run(tmp_path, store, version=2, module=MODULE), itertools.count()  # type: ignore[arg-type]
    for kill in (*kills, None):
        left = itertools.count()

        def hook(call: str, kill: int | None = kill, left: Iterator[int] = left) -> None:
            if doing := acts.get(next(clock)):
                writers(*doing)
            if next(left) == kill:
                raise Killed

        with suppress(Killed, NeedsDecision):
            run(hook)
    run.worker = replace(run.worker, settings=replace(run.worker.settings, restart=True))
    try:
        run()
    except NeedsDecision:
        assert store.engine == "cassandra"
        apart = quarantined(store, run)
        assert apart
        writers.check(apart=apart)
        for key in apart:  # the way out that the quarantine names
            writers(2, "put", key)
        run()
    writers.check()


def test_what_an_old_process_updates_behind_a_pass_is_refused_or_found(store: Versioned, tmp_path: Path) -> None:
    writers = Writers(store)
    writers.expected.clear()
    key = f"straggler{next(COUNT)}"
    writers(1, "put", key)
    run = Run(tmp_path, store, version=2, module=MODULE)  # type: ignore[arg-type]
    for other in KEYS:
        store.apps[2].put(other)
    run()
    writers.check()
    writers(1, "set_state", key)
    if store.engine != "cassandra":
        assert writers.refused == 1
        writers.check()
        return
    assert writers.refused == 0
    writers(2, "set_label", key)  # what no upgrade touches hides nothing
    with pytest.raises(NeedsDecision, match="1 item could not be transformed"):
        run()
    assert quarantined(store, run) == {key}
    writers(2, "put", key)
    run.worker = replace(run.worker, settings=replace(run.worker.settings, restart=True))
    run()
    writers.check()
