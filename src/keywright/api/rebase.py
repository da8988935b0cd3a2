"""Puts versions of this branch behind those that another branch has meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from keywright.engines.change import Change, path_of
from keywright.engines.change import Path as ChangePath
from keywright.engines.registry import engine_of
from keywright.errors import UsageError
from keywright.history.author import Draft, author
from keywright.history.rendered import rendered
from keywright.history.snapshot import EMPTY, Snapshot, landed
from keywright.history.version import FOLDER, Version
from keywright.history.wording import named
from keywright.ir.json import Json
from keywright.project.files import write
from keywright.project.git import base_branch, files_at
from keywright.project.migrations import own_files, read_loose, write_versions
from keywright.project.settings import Settings


@dataclass(frozen=True, slots=True)
class Rebased:
    """One version that got another place."""

    before: str
    """The name of its folder."""
    version: Version
    """What it is now."""


def rebase(settings: Settings, onto: str | None) -> tuple[str, list[Rebased]]:
    """The branch, and the versions of this one that were put behind its last.

    Raises UsageError where a change of this branch is about something that the other one has taken away.
    """
    reference = base_branch(settings, onto)
    path = settings.root / settings.migrations
    there = {name: files for name, files in files_at(settings, reference).items() if FOLDER.match(name)}
    _bring(path, there)
    here = sorted(entry.name for entry in path.iterdir() if FOLDER.match(entry.name))
    merged, mine = [name for name in here if name in there], [name for name in here if name not in there]
    head = read_loose(settings, merged[-1]) if merged else None
    made: list[tuple[Version, dict[str, str]]] = []
    for name in mine:
        old = read_loose(settings, name)
        version = _behind(head, old)
        before = head.snapshot if head else EMPTY
        made.append((version, {**rendered(version, before, engine_of), **own_files(path / name)}))
        head = version
    write_versions(path, merged, made, gone=mine)
    return reference, [Rebased(name, version) for name, (version, _) in zip(mine, made, strict=True)]


def _bring(path: Path, there: dict[str, dict[str, bytes]]) -> None:
    """Write the versions of the other branch that are not here yet."""
    for name, files in there.items():
        if not (path / name).exists():
            for file, content in files.items():
                write(path / name / file, content.decode())


def _behind(head: Version | None, old: Version) -> Version:
    """A version with the same changes, from where another one ends."""
    before = head.snapshot if head else EMPTY
    changes = [one.change for one in old.landings]
    _check(before, changes, old)
    graves = [grave for grave in old.snapshot.graveyard if grave["dropped_in"] == old.number]
    number = f"{int(head.number if head else 0) + 1:04d}"
    after = Snapshot(
        landed(before.stores, changes),
        (*before.graveyard, *({**grave, "dropped_in": number} for grave in graves)),
        {**before.access, **old.snapshot.access},
        {**before.renamed, **old.snapshot.renamed},
    )
    draft = Draft(before=before, after=after, transforms=_transforms(old))
    made = author(draft, engine_of, number=number, slug=old.slug, parent=head.number if head else None)
    return replace(made, ignore=old.ignore)


def _check(before: Snapshot, changes: Sequence[Change], old: Version) -> None:
    """Each change must still be about something that is there."""
    for change in changes:
        holder: Any = before.stores.get(change.store, {})
        for part in change.path[:-1]:
            holder = holder.get(part) if isinstance(holder, dict) else None
        if holder is None and change.before is not None:
            problem = f"{old.folder}: cannot {named(change)}: the other branch has taken away what it is in"
            raise UsageError(problem, "remove that folder, correct the models, and run `keywright migrate diff` again")


def _transforms(old: Version) -> dict[tuple[str, ChangePath], list[Mapping[str, Json]]]:
    found: dict[tuple[str, ChangePath], list[Mapping[str, Json]]] = {}
    for stage in old.stages:
        if stage.op == "backfill":
            found.setdefault((stage.store, path_of(stage.object)), []).append(stage.more)
    return found
