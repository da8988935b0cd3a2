"""One store under chaos: what is done to it round by round, and what it must hold after each."""

import signal
import subprocess
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from .histories import backup
from .project import LEASE_SECONDS, Broken, Project
from .shape import Shape

ITEMS = 40
ATTEMPTS = 12
"""Applies until a migration must have ended."""

BUMP = '''"""Add one."""

READS, WRITES = ("score",), ("score",)


def transform(item):
    """One more; Redis keeps numbers as text."""
    score = item["score"]
    return {"score": type(score)(int(score) + 1)}
'''
"""A transform that must be applied to each item exactly once."""

APPLY = ("migrate", "apply", "--local")


class World:
    """A project, its model and its items, as they should be."""

    def __init__(self, root: Path, engine: str, url: str, seed: int) -> None:
        self.project, self.rng = Project(root, engine, url), Random(f"{engine}{seed}")
        self.shape = Shape(engine)
        self.items: dict[str, dict[str, Any]] = {}
        self.counts: Counter[str] = Counter()
        self._label = 0
        self._applying_seconds = 2.0
        self.project.write(self.shape)
        self._diff("base")
        self.project.commit("base")
        self.settle()
        self.put([f"k{number}" for number in range(ITEMS)])

    # What an application does.

    def put(self, keys: list[str]) -> None:
        """Write items with the code of the work tree."""
        with self.project.application() as (models, database):
            for key in keys:
                values = {name: self.rng.choice((None, f"v{self.rng.randrange(9)}")) for name in self.shape.optional}
                thing = models.Thing(key=key, score=self.rng.randrange(100), **values)
                models.put(database, thing)
                self.items[key] = thing.model_dump()

    def live(self) -> None:
        """Some writes, increments and deletes between two migrations."""
        keys = self.rng.sample(sorted(self.items), min(6, len(self.items)))
        with self.project.application() as (models, database):
            for key in keys[:2]:
                models.delete(database, key=key)
                del self.items[key]
            for key in keys[2:4]:
                self.items[key]["score"] += 1
                named = {"score": self.items[key]["score"]} if self.shape.engine == "cassandra" else {}
                models.add(database, key=key, **named)
        self._label += 1
        self.put([*keys[4:], *(f"n{self._label}x{number}" for number in range(2))])

    # What a developer does.

    def change(self) -> str:
        """Change the model and write the migration; the change in words."""
        self._label += 1
        before = self.shape
        self.shape, words = before.grown(self.rng, str(self._label))
        self.project.write(self.shape)
        self._diff(f"c{self._label}")
        self.project.commit(words)
        self._fill(before)
        return words

    def bump(self) -> str:
        """Write a migration whose Python transform is not idempotent."""
        self._label += 1
        name = f"bump{self._label}"
        self.project.keywright("migrate", "new", name, "--store", self.project.store, "--entity", "Thing")
        (file,) = (self.project.root / "migrations").glob(f"*_{name}/backfill_*.py")
        file.write_text(BUMP, encoding="utf-8")
        self.project.keywright("migrate", "diff", "--amend")
        self.project.commit(name)
        self._bump_items()
        return "add one to every score"

    def _bump_items(self) -> None:
        for item in self.items.values():
            item["score"] += 1

    def branches(self) -> str:
        """Two branches from one commit, each with a change; the second is rebased onto the first."""
        base, shapes, words = self.shape, [], []
        self.project.git("checkout", "-q", "-b", "theirs")
        for branch in ("theirs", "ours"):
            if branch == "ours":
                self.project.git("checkout", "-q", "-b", "ours", "main")
            self._label += 1
            shape, change = base.grown(self.rng, str(self._label))
            while any(self._clash(base, shape, other) for other in shapes):
                shape, change = base.grown(self.rng, str(self._label))
            self.project.write(shape)
            self._diff(f"b{self._label}")
            self.project.commit(change)
            shapes.append(shape)
            words.append(change)
        self.project.git("merge", "-q", "theirs", codes=(0, 1))
        self.shape = base.merged(shapes[1], shapes[0])
        self.project.write(self.shape)
        self.project.git("checkout", "--theirs", "migrations/keywright.sum", codes=(0, 1))
        self.project.keywright("migrate", "rebase", "--onto", "theirs")
        self.project.keywright("migrate", "diff", "--check")
        self.project.keywright("migrate", "lint", codes=(0, 1))
        self.project.commit("merge")
        self.project.git("checkout", "-q", "main")
        self.project.git("merge", "-q", "--ff-only", "ours")
        self.project.git("branch", "-q", "-D", "theirs", "ours")
        self._fill(base)
        return f"two branches: {' and '.join(words)}"

    @staticmethod
    def _clash(base: Shape, shape: Shape, other: Shape) -> bool:
        """Whether both sides change the same thing: two schema versions, or one index."""
        return min(shape.version, other.version) > base.version or bool(
            set(shape.indexes) ^ set(base.indexes) and set(other.indexes) ^ set(base.indexes)
        )

    def _diff(self, slug: str) -> None:
        self.project.keywright("migrate", "diff", "-m", slug)

    def _fill(self, before: Shape) -> None:
        """What a change does to the items that are there."""
        for item in self.items.values():
            item.update({name: name for name in self.shape.filled if name not in before.filled})
            item.update({name: None for name in self.shape.optional if name not in before.optional})

    # What happens to a run.

    def settle(self) -> None:
        """Apply until everything is done, and compare the store with what it must be."""
        began = time.monotonic()
        for _ in range(ATTEMPTS):
            # 3 is a server that was too busy to answer: as it says, run again.
            code, out = self.project.keywright(*APPLY, *self.project.gates(), codes=(0, 3, 4, 5))
            if code == 0:
                break
            if code == 5:
                raise Broken(out)
        else:
            raise Broken(f"apply does not end: {out}")
        self._applying_seconds = max(0.5, time.monotonic() - began)
        self.compare()

    def kill(self) -> None:
        """Kill the run, somewhere."""
        process = self._begun()
        process.kill()
        process.communicate()

    def interrupt(self) -> None:
        """End the run as Ctrl-C does."""
        process = self._begun()
        process.send_signal(signal.SIGINT)
        process.communicate()

    def stop(self) -> None:
        """Stop the run for longer than its lease, let another one do the work, and wake it up."""
        process = self._begun()
        process.send_signal(signal.SIGSTOP)
        time.sleep(2 * LEASE_SECONDS)
        try:
            self.settle()
        finally:
            process.send_signal(signal.SIGCONT)
            process.communicate(timeout=60)

    def _begun(self) -> "subprocess.Popen[str]":
        process = self.project.begin(*APPLY, *self.project.gates())
        time.sleep(self.rng.uniform(0.2, self._applying_seconds))
        return process

    def restored(self) -> str:
        """Restore a backup from before a round: of the history alone, or with the items.

        A history that is restored alone has forgotten changes of the schema, which the store shows and `resolve` takes
        down again; a forgotten transform of items shows nowhere, so items are restored with the history then.
        """
        with_items = self.rng.random() < 0.5
        restore, items = backup(self.project, with_items=with_items), deepcopy(self.items)
        if with_items:
            words = self.round((self.bump,))
            self.items = items
            self._bump_items()
        else:
            words = self.round((self.change,))
        restore()
        if not with_items:
            newest = max(folder.name for folder in (self.project.root / "migrations").glob("[0-9]*"))
            number = newest.partition("_")[0]
            self.project.keywright("migrate", "resolve", number, "--as", "applied", "--local", "--reason", "restored")
        self.counts[f"restored {'everything' if with_items else 'history'}"] += 1
        self.settle()
        return f"{words}; then the {'store' if with_items else 'history'} of before restored"

    # A round.

    def round(self, changes: Sequence[Callable[[], str]] = ()) -> str:
        """Change something, disturb the run, and see that all is as it should be."""
        if not changes:
            self.live()
        words = self.rng.choice(changes or (self.change, self.change, self.bump, self.branches))()
        disturbed = []
        for _ in range(self.rng.randrange(4)):
            disturbance = self.rng.choice((self.kill, self.kill, self.interrupt, self.stop))
            disturbance()
            disturbed.append(disturbance.__name__)
        self.counts.update(disturbed)
        self.counts["rounds"] += 1
        self.settle()
        return f"{words}; {', '.join(disturbed) or 'undisturbed'}"

    def compare(self) -> None:
        """Hold store and history against the model, and every item against its last write."""
        self.project.keywright("drift", "--local")
        self.project.keywright("migrate", "status", "--local")
        result = self.project.items([f"k{number}" for number in range(ITEMS)] + sorted(self.items))
        expected = {key: {**dict.fromkeys(self.shape.optional), **item} for key, item in self.items.items()}
        wrong = {key for key in {**result, **expected} if result.get(key) != expected.get(key)}
        if wrong:
            key = min(wrong)
            raise Broken(f"{len(wrong)} items differ, such as {key}: {result.get(key)}, should be {expected.get(key)}")


def run(engine: str, url: str, folder: Path, seed: int, ends: float) -> bool:
    """Go from round to round; False as soon as something is wrong."""
    log = folder / f"{engine}.log"
    url = url.replace("://", "://chaos@") if engine == "dynamodb" else url

    def tell(text: str) -> None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
        print(f"{engine}: {text}", flush=True)

    world = None
    try:
        world = World(folder / engine, engine, url, seed)
        while time.time() < ends:
            tell(world.round() if world.rng.random() < 0.8 else world.restored())
    except Exception:  # noqa: BLE001  # whatever goes wrong ends this engine and is shown
        tell(traceback.format_exc())
        return False
    finally:
        if world is not None:
            tell(f"in all: {dict(world.counts)}")
    return True
