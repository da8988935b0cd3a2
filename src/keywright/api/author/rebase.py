"""Moves migrations of this branch after those of another branch, by a three-way merge."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from keywright.engines.contract.change import Path as ChangePath
from keywright.engines.contract.change import path_of
from keywright.engines.registry import engine_of
from keywright.errors import UsageError, quoted
from keywright.ir.json import Json
from keywright.migrations.author.draft import Draft
from keywright.migrations.author.planner import author
from keywright.migrations.checksums import is_summed
from keywright.migrations.fold import folded
from keywright.migrations.merge import Clash, merge
from keywright.migrations.migration import FOLDER, Migration
from keywright.migrations.rendered import rendered
from keywright.migrations.snapshot import EMPTY, Snapshot
from keywright.project.files import write
from keywright.project.migrations.folder import files_of, own_files, read_alone, write_migrations
from keywright.project.migrations.git import base_branch, files_at
from keywright.project.settings import Settings
from keywright.record import Record, replace


class Rebased(Record):
    """A migration that was moved."""

    before: str
    """Former name of its folder."""
    migration: Migration | None
    """The moved migration; None if the other branch already has all its changes."""


def rebase(settings: Settings, onto: str | None) -> tuple[str, list[Rebased]]:
    """Move the migrations of this branch after those of the other branch; returns that branch and the moved migrations.

    Each is merged three ways: the snapshot before it, the last snapshot of the other branch, its own snapshot. Raises
    UsageError, and moves nothing, if both branches change the same part differently.
    """
    reference = base_branch(settings, onto)
    path = settings.root / settings.migrations
    other_files = {name: files for name, files in files_at(settings, reference).items() if FOLDER.match(name)}
    _bring(path, other_files)
    names = sorted(entry.name for entry in path.iterdir() if FOLDER.match(entry.name))
    merged, own_names = (
        [name for name in names if name in other_files],
        [name for name in names if name not in other_files],
    )
    bases = {EMPTY.fingerprint: EMPTY}
    branch = _Branch(settings, reference, tuple(_chain(settings, reference, merged, bases)))
    head = branch.migrations[-1] if merged else None
    moved: list[tuple[str, Migration | None]] = []
    written: list[tuple[Migration, dict[str, str]]] = []
    for name in own_names:
        old, own = read_alone(settings, name, bases), own_files(path / name)
        if old is None:
            problem = f'"{name}" does not start where a migration of this branch or of {reference} ends'
            raise UsageError(problem, branch.way_out(name))
        base = bases[old.base]
        bases[old.to] = old.snapshot
        migration = branch.behind(head, base, old, has_python=bool(own))
        moved.append((name, migration))
        if migration is not None:
            before = head.snapshot if head else EMPTY
            written.append((migration, {**rendered(migration, before, engine_of), **own}))
            head = migration
    write_migrations(path, merged, written, removed=own_names)
    return reference, [Rebased(name, migration) for name, migration in moved]


def _chain(settings: Settings, reference: str, names: Sequence[str], bases: dict[str, Snapshot]) -> Iterator[Migration]:
    """The other branch's migrations in order; the snapshot of each is added to `bases`."""
    for name in names:
        migration = read_alone(settings, name, bases)
        if migration is None:
            problem = f'"{name}" of {reference} does not start where the migration before it ends'
            raise UsageError(problem, f"repair {reference} first: `keywright migrate lint` there reports the cause")
        bases[migration.to] = migration.snapshot
        yield migration


def _bring(path: Path, other_files: Mapping[str, Mapping[str, bytes]]) -> None:
    """Write the migrations of the other branch; a migration of this branch with the same name is renamed first."""
    for name, files in other_files.items():
        if (path / name).exists():
            if _checksummed(files_of(path / name)) == _checksummed(files):
                continue
            (path / name).rename(path / _free(path, name))
        for file, content in files.items():
            write(path / name / file, content.decode())


def _checksummed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Files of a migration, without its tests."""
    return {name: content.replace(b"\r\n", b"\n") for name, content in files.items() if is_summed(name)}


def _free(path: Path, name: str) -> str:
    """Free name for a folder whose name is taken."""
    return next(free for number in range(2, 1000) if not (path / (free := f"{name}_{number}")).exists())


class _Branch(Record):
    """The other branch."""

    settings: Settings
    """Settings of the project."""
    name: str
    """Name of the branch in git."""
    migrations: tuple[Migration, ...]
    """Migrations of the branch, in order."""

    def behind(self, head: Migration | None, base: Snapshot, old: Migration, *, has_python: bool) -> Migration | None:
        """A migration of this branch moved after `head`; None if no change is left."""
        before = head.snapshot if head else EMPTY
        result = merge(base.stores, before.stores, old.snapshot.stores, engine_of)
        if result.clashes:
            raise self._refused(old, base, result.clashes)
        if twice := next(self._upgraded_twice(old, base), None):
            raise self._refused(old, base, (twice,))
        number = f"{int(head.number if head else 0) + 1:04d}"
        after = folded(replace(before, stores=result.stores), number, (), old.notes)
        draft = Draft(before=before, after=after, hints=_hints(old), transforms=_transforms(old))
        migration = author(draft, engine_of, number=number, slug=old.slug, parent=head.number if head else None)
        return self._carried(old, base, replace(migration, ignore=old.ignore), has_python=has_python)

    def _carried(self, old: Migration, base: Snapshot, migration: Migration, *, has_python: bool) -> Migration | None:
        """The migration with its hand-written steps; UsageError if they no longer fit."""
        changes = [
            (numbered_change.change.kind, numbered_change.change.store, numbered_change.change.path)
            for numbered_change in migration.changes
        ]
        if changes == [
            (numbered_change.change.kind, numbered_change.change.store, numbered_change.change.path)
            for numbered_change in old.changes
        ]:
            ids = [numbered_change.id for numbered_change in old.changes]
            numbered_changes = tuple(
                replace(numbered_change, id=id) for numbered_change, id in zip(migration.changes, ids, strict=True)
            )
            return replace(migration, changes=numbered_changes, steps=old.steps)
        draft = Draft(before=base, after=old.snapshot, hints=_hints(old), transforms=_transforms(old))
        written = author(draft, engine_of, number=old.number, slug=old.slug, parent=old.parent)
        if written.steps != old.steps or (has_python and not migration.changes):
            problem = f'"{old.folder}" has steps written by hand, and after {self.name} its changes differ'
            raise UsageError(problem, f"{self.way_out(old.folder)}; then add your steps again")
        return migration if migration.changes else None

    def _upgraded_twice(self, old: Migration, base: Snapshot) -> Iterator[Clash]:
        """Entities whose items both branches upgrade differently to the same schema version."""
        other_passes = {
            (step.store, step.object, step.more.get("version")): step.more
            for migration in self._since(base)
            for step in migration.steps
            if step.op == "backfill" and "version" in step.more
        }
        for step in old.steps:
            if step.op == "backfill" and "version" in step.more:
                other = other_passes.get((step.store, step.object, step.more["version"]))
                if other is not None and other != step.more:
                    path = (*path_of(step.object), "schema_version")
                    yield Clash(step.store, path, path)

    def _since(self, base: Snapshot) -> Iterator[Migration]:
        """Migrations of the branch after a common snapshot."""
        ends = [migration.to for migration in self.migrations]
        start = ends.index(base.fingerprint) + 1 if base.fingerprint in ends else 0
        yield from self.migrations[start:]

    def _refused(self, old: Migration, base: Snapshot, clashes: Sequence[Clash]) -> UsageError:
        """Error with both sides of each clash, by their folders."""
        problems: list[str] = []
        for clash in clashes[:5]:
            folders = [migration.folder for migration in self._since(base) if _meets(migration, clash)]
            theirs = f"{quoted(folders)} of {self.name}" if folders else self.name
            about = f'{clash.store} "{"/".join(clash.ours)}"'
            if clash.ours == clash.theirs:
                problems.append(f'"{old.folder}" and {theirs} both change {about}')
            else:
                problems.append(
                    f'"{old.folder}" changes {about}, and {theirs} changes "{"/".join(clash.theirs)}", which it needs'
                )
        more = f" (and {len(clashes) - 5} more)" if len(clashes) > 5 else ""
        return UsageError(f"{'; '.join(problems)}{more}", self.way_out(old.folder))

    def way_out(self, name: str) -> str:
        """Commands that write a migration of this branch again from merged models.

        name: of its folder.
        """
        folder, slug = f"{self.settings.migrations.rstrip('/')}/{name}", name.partition("_")[2]
        return (
            f"merge the models so that they contain both changes, remove {folder}, run "
            f"`keywright migrate rebase --onto {self.name}`, then `keywright migrate diff -m {slug}`"
        )


def _meets(migration: Migration, clash: Clash) -> bool:
    """Whether a migration changes the other side's part of a clash."""
    path = clash.theirs
    return any(
        numbered_change.change.store == clash.store
        and (
            numbered_change.change.path[: len(path)] == path
            or path[: len(numbered_change.change.path)] == numbered_change.change.path
        )
        for numbered_change in migration.changes
    )


def _hints(old: Migration) -> dict[tuple[str, ChangePath], str]:
    """Former names of the parts that a migration renames."""
    changes = (numbered_change.change for numbered_change in old.changes)
    return {(change.store, change.path): str(change.before) for change in changes if change.kind.startswith("Rename")}


def _transforms(old: Migration) -> dict[tuple[str, ChangePath], list[Mapping[str, Json]]]:
    transforms: dict[tuple[str, ChangePath], list[Mapping[str, Json]]] = {}
    for step in old.steps:
        if step.op == "backfill":
            transforms.setdefault((step.store, path_of(step.object)), []).append(step.more)
    return transforms
