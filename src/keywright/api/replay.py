"""Versions carried out one after the other on servers of their own, which are gone afterwards."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from keywright import local
from keywright.history.version import Version
from keywright.local import Event, Running
from keywright.project.migrations import Folder, read_folder

from .live import instance_named
from .locked import Order, Watcher
from .migrate import apply
from .position import stores_of
from .sites import Where


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay did."""

    versions: tuple[str, ...]
    """Folders of the versions, in order; each was compared with its snapshot after every stage."""
    steps: int
    """Native steps that were carried out."""
    skipped: tuple[str, ...]
    """Servers that could not be had, with the reason."""


def verify(where: Where, *, engines: Iterable[str] = (), tell: Callable[[Event], None], watcher: Watcher) -> Replayed:
    """Replay all versions on servers of their own, and compare them with what each stage leads to.

    engines: only stores of these; all by default. Raises Unavailable where none of the servers can be had,
    NeedsDecision where a store is not what its version says.
    """
    folder = read_folder(where.settings)
    with servers(where, folder, tell) as (own, skipped):
        steps = 0
        for version in folder.versions:
            made = apply(own, everything(version), watcher)
            steps += sum(len(one.steps) for one in made.due)
        return Replayed(tuple(one.folder for one in folder.versions), steps, skipped)


def everything(version: Version) -> Order:
    """An order for one version, whose gates are all open: nobody else uses the servers."""
    gates = {f"{version.number}/{stage.n}": "replayed" for stage in version.stages if stage.is_gate}
    return Order(to=version.number, acknowledged=gates, is_replayed=True)


@contextmanager
def servers(where: Where, folder: Folder, tell: Callable[[Event], None]) -> Iterator[tuple[Where, tuple[str, ...]]]:
    """The same project on new servers of its own, which are stopped and removed at the end."""
    state = Path(tempfile.mkdtemp(prefix="keywright-"))
    settings = replace(where.settings, state_folder=str(state))
    wanted = sorted({instance_named(store) for store in stores_of(folder)}, key=str)
    try:
        answers = local.up(state / "local", wanted, required=local.required_engines(local.RECIPES), tell=tell)
        skipped = tuple(f"{one}: {answer.reason}" for one, answer in zip(wanted, answers, strict=True)
                        if not isinstance(answer, Running))  # fmt: skip
        yield Where(settings, where.environment, is_local=True), skipped
    finally:
        local.down(state / "local", tell=lambda event: None)
        shutil.rmtree(state, ignore_errors=True)
