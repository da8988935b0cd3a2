"""Transforms that do harm when they are applied twice: each item goes through once, whatever happens on the way."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from tests.live.backfill_worlds import WORLDS, World
from tests.live.drawn import drawn

from keywright.api.migrate.backfill import Worker
from keywright.engines.contract.ledger import Ledger
from keywright.engines.contract.pages import Pages, Work
from keywright.errors import NeedsDecision
from keywright.local import Running
from keywright.migrations.backfill.settings import BackfillSettings
from keywright.migrations.lock.lock import Lease, locking, new_owner
from keywright.migrations.migration import Migration, Step
from keywright.migrations.snapshot import Snapshot
from keywright.record import replace

pytestmark = pytest.mark.live

COUNT = itertools.count()

MODULE = """
READS, WRITES = ("a",), ("a",)

def transform(item):
    return {"a": item["a"] + "!"}
"""
"""What it does shows how often it was done."""

KEYS = [str(entry) for entry in range(12)]


class Killed(BaseException):
    """The process is gone; nobody catches it."""


@pytest.fixture(scope="module", params=sorted(WORLDS))
def world(request: pytest.FixtureRequest, start: Callable[..., Running]) -> Iterator[World]:
    with WORLDS[request.param](start(request.param)) as world:
        yield world


class Run:
    """A version with one backfill in Python, carried out as often as it is told to, in a world of its own name."""

    def __init__(self, root: Path, world: World, version: int | None = None, module: str = MODULE) -> None:
        slug = f"bump{next(COUNT)}"
        more = {"module": "backfill.py"} | ({"version": version} if version else {})
        self.stage = Step(
            n=20, phase="backfill", by="runner", op="backfill", store="s", object="t/shape/Thing", more=more
        )
        self.version = Migration(
            number="0002", slug=slug, parent="0001", base="", to="", changes=(), steps=(self.stage,),
            snapshot=Snapshot({"s": {"t": {}}}),
        )  # fmt: skip
        (root / self.version.folder).mkdir()
        (root / self.version.folder / "backfill.py").write_text(module, encoding="utf-8")
        self.worker = Worker(root, BackfillSettings(segments=3, workers=1, page=3, poll_seconds=0.1))
        self.world = world
        self.ledger = world.driver.ledger(f"{world.home}_{slug}", "s")
        self.ledger.prepare()

    def __call__(self, hook: Callable[[str], None] = lambda call: None) -> None:
        """hook: called before and after whatever reaches a server."""

        def hooked(call: Callable[..., Any]) -> Callable[..., Any]:
            def made(*arguments: Any) -> Any:
                hook("before")
                answer = call(*arguments)
                hook("after")
                return answer

            return made

        def pages(work: Work) -> Pages:
            created = self.world.driver.pages(work)
            marks = replace(created.marks, admit=hooked(created.marks.admit), clear=hooked(created.marks.clear),
                            dismiss=hooked(created.marks.dismiss))  # fmt: skip
            return replace(
                created, page=hooked(created.page), write=hooked(created.write), find=hooked(created.find), marks=marks
            )

        ledger: Ledger = replace(self.ledger, put=hooked(self.ledger.put), replace=hooked(self.ledger.replace))
        site: Any = SimpleNamespace(
            store="s", ledger=ledger, driver=SimpleNamespace(pages=pages), place=lambda target, description: None,
            engine=SimpleNamespace(work=lambda placed, entity: self.world.work(reads=(), writes=())),
        )  # fmt: skip
        with locking(self.ledger, new_owner(), Lease(600), wait_seconds=5, tell=lambda waiting: None) as holding:
            self.worker(site, self.version, self.stage, SimpleNamespace(
                fence=holding.fence, check=holding.check, put=lambda key, row: hooked(holding.put)(key, row)
            ))  # fmt: skip


def scores(world: World) -> dict[str, str]:
    """What each item has, which must be nothing else."""
    result = world.read()
    assert {tuple(sorted(entry)) for entry in result.values()} <= {("a",), ("a", "note")}
    return {key: entry["a"] for key, entry in result.items()}


def test_it_is_applied_once_and_leaves_nothing_behind(world: World, tmp_path: Path) -> None:
    world.load({key: {"a": key} for key in KEYS})
    run = Run(tmp_path, world)
    run()
    assert scores(world) == {key: f"{key}!" for key in KEYS}
    run()
    run.worker = replace(run.worker, settings=replace(run.worker.settings, restart=True))
    run()
    assert scores(world) == {key: f"{key}!" for key in KEYS}
    rows: Any = run.ledger.rows("0002/00020/marks")
    assert rows["0002/00020/marks"]["state"] == "cleared"


def test_a_version_is_the_mark_where_there_is_one(world: World, tmp_path: Path) -> None:
    world.load({key: {"a": key} for key in KEYS})
    run = Run(tmp_path, world, version=2)
    run()
    run.worker = replace(run.worker, settings=replace(run.worker.settings, restart=True))
    run()
    assert {key: entry["a"] for key, entry in world.read().items()} == {key: f"{key}!" for key in KEYS}
    assert {str(entry[world.version]) for entry in world.read().values()} == {"2"}


def test_another_transform_is_refused_once_all_items_are_through(world: World, tmp_path: Path) -> None:
    world.load({"1": {"a": "x"}})
    run = Run(tmp_path, world)
    run()
    file = tmp_path / run.version.folder / "backfill.py"
    file.write_text(MODULE.replace('"!"', '"?"'), encoding="utf-8")
    with pytest.raises(
        NeedsDecision, match=r"^0002/20: the transform has changed, and the former one has been applied"
    ):
        run()
    assert scores(world) == {"1": "x!"}


ACTS = st.tuples(st.sampled_from(("put", "change", "note", "delete")), st.sampled_from(KEYS))


@drawn(12, phases=tuple(Phase))
@given(
    kills=st.lists(st.integers(0, 60), max_size=5),
    acts=st.dictionaries(st.integers(0, 80), ACTS, max_size=10),
)
def test_each_item_goes_through_once_whatever_happens(
    world: World, tmp_path: Path, kills: list[int], acts: dict[int, tuple[str, str]]
) -> None:
    """A process dies at any call, others write between any two; marks and their end included."""
    written = {key: [key] for key in KEYS}
    world.load({key: {"a": key} for key in KEYS})
    run, clock = Run(tmp_path, world), itertools.count()

    def act(what: str, key: str) -> None:
        value = f"{key}-{next(COUNT)}"
        match what:
            case "delete":
                world.delete(key)
                written[key] = []
            case "note":
                world.change(key, {"note": value})
            case "change":
                world.change(key, {"a": value})
                written[key].append(value)
            case _:
                world.put(key, {"a": value})
                written[key] = [value]

    for kill in kills:
        left = itertools.count()

        def hook(call: str, kill: int | None = kill, left: Iterator[int] = left) -> None:
            if doing := acts.get(next(clock)):
                act(*doing)
            if next(left) == kill:
                raise Killed

        with suppress(Killed, NeedsDecision):
            run(hook)
    run()
    untouched = {key for key in KEYS if key not in {key for what, key in acts.values() if what != "note"}}
    for key, value in scores(world).items():
        assert value.count("!") <= 1, (key, value)
        assert value.rstrip("!") in written[key], (key, value)
        assert key not in untouched or value == f"{key}!", (key, value)
