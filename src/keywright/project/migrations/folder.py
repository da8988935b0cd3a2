"""Reads and checks the folder of migrations, in order, and writes migrations atomically."""

import contextlib
import json
import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

from keywright.errors import KeywrightError, UsageError
from keywright.ir.json import pretty
from keywright.migrations import checksums as sums
from keywright.migrations.checksums import Checksums, checksums_of
from keywright.migrations.migration import FOLDER, Migration, check_head, delta, read
from keywright.migrations.snapshot import EMPTY, NewerFormat, Snapshot
from keywright.record import Record

from ..files import write
from ..settings import Settings
from .leftovers import clear
from .migration_yaml import to_yaml

MIGRATION, DELTA = "migration.yaml", "delta.json"


class Edited(KeywrightError):
    """The folder does not match its checksums: a file was edited or removed, or two branches added migrations."""

    exit_code = 1

    def __init__(self, code: str, problem: str, help: str, folder: str = "") -> None:
        super().__init__(problem, help)
        self.code = code
        """Code of its page."""
        self.folder = folder
        """Name of the migration's folder; empty for an error of the checksum file."""


class Folder(Record):
    """All migrations of a project."""

    path: Path
    """Path of the folder."""
    migrations: tuple[Migration, ...]
    """The migrations, in order."""
    checksums: Checksums
    """The checksums of the migrations."""

    @property
    def head(self) -> Migration | None:
        """The last migration; None if there is none."""
        return self.migrations[-1] if self.migrations else None

    def hash_of(self, migration: Migration) -> str:
        """The cumulative hash of a migration and all migrations before it."""
        return dict(self.checksums.entries)[migration.folder]


def read_folder(settings: Settings, *, is_amended: bool = False) -> Folder:
    """The migrations of a project; raises Edited if one differs from its checksum, UsageError if one is invalid.

    is_amended: the last migration may have been edited, because it is about to be replaced.
    """
    path = settings.root / settings.migrations
    names = sorted(entry.name for entry in path.iterdir() if FOLDER.match(entry.name)) if path.is_dir() else []
    contents = [(name, files_of(path / name)) for name in names]
    checksums = checksums_of(contents)
    _check(path, checksums, is_amended=is_amended)
    return Folder(path, tuple(_read_in_order(path, contents)), checksums)


def _read_in_order(path: Path, contents: Iterable[tuple[str, Mapping[str, bytes]]]) -> list[Migration]:
    """Migrations in order, each with the snapshot of the migration before it and its own changes."""
    migrations: list[Migration] = []
    for name, files in contents:
        last = migrations[-1] if migrations else None
        document = _document(path / name, files)
        _check_follows(path / name, last, document)
        migrations.append(_migration(path / name, files, document, last.snapshot if last else EMPTY))
    # The last fingerprint depends on all migrations; each migration is checked only if that fingerprint is wrong.
    if migrations and migrations[-1].to != migrations[-1].snapshot.fingerprint:
        for migration in migrations:
            _check_leads(path, migration)
    return migrations


Files = Mapping[str, str]
"""Texts of files by their paths in a migration's folder."""


def write_migrations(
    path: Path, existing: Sequence[str], added: Sequence[tuple[Migration, Files]], *, removed: Sequence[str] = ()
) -> list[Path]:
    """Write migrations after the existing ones, and the checksum file; a failure leaves the folder unchanged.

    existing: folders that stay, in order. removed: folders that the added migrations replace.
    """
    for migration, _ in added:
        if (path / migration.folder).exists() and migration.folder not in removed:
            raise UsageError(f'"{path / migration.folder}" already exists', "remove it, or choose another -m TEXT")
    with ExitStack() as undo:
        temporary = [_write_temporary(path, migration, files, undo) for migration, files in added]
        names = [migration.folder for migration, _ in added]
        contents = [(name, files_of(path / name)) for name in existing]
        contents += [(name, files_of(written)) for name, written in zip(names, temporary, strict=True)]
        checksums = checksums_of(contents)
        replaced = [_hide(path / name, undo) for name in removed]
        for name, written in zip(names, temporary, strict=True):
            os.rename(written, path / name)
            undo.callback(shutil.rmtree, path / name, ignore_errors=True)
        write(path / sums.FILE, checksums.text)
        _attributes(path)
        undo.pop_all()
    for folder in replaced:
        shutil.rmtree(folder, ignore_errors=True)
    clear(path)
    return [path / name for name in names]


def _write_temporary(path: Path, migration: Migration, files: Files, undo: ExitStack) -> Path:
    """Write a migration into a hidden folder, which no command reads; returns its path."""
    folder = path / f".{migration.folder}.{os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)  # of an earlier process with this number
    undo.callback(shutil.rmtree, folder, ignore_errors=True)
    shape_changes = delta(migration)
    written = {MIGRATION: to_yaml(migration)} | (
        {DELTA: pretty(shape_changes, sort_keys=True)} if shape_changes else {}
    )
    for name, text in {**written, **files}.items():
        write(folder / name, text)
    return folder


def _hide(path: Path, undo: ExitStack) -> Path:
    hidden = path.with_name(f".{path.name}.old.{os.getpid()}")
    shutil.rmtree(hidden, ignore_errors=True)
    os.rename(path, hidden)
    undo.callback(os.rename, hidden, path)
    return hidden


def own_files(path: Path) -> dict[str, str]:
    """A migration's files that people write: its Python files, byte for byte."""
    return {name: content.decode() for name, content in files_of(path).items() if name.endswith(".py")}


def read_alone(settings: Settings, name: str, bases: Mapping[str, Snapshot]) -> Migration | None:
    """One migration, whatever its place in the order; None if none of the snapshots is its base.

    bases: snapshots by their fingerprints.
    """
    path = settings.root / settings.migrations
    files = files_of(path / name)
    document = _document(path / name, files)
    base = bases.get(document["from"])
    if base is None:
        return None
    migration = _migration(path / name, files, document, base)
    _check_leads(path, migration)
    return migration


def _attributes(path: Path) -> None:
    """Disable git's merge of the checksum file, so that parallel migrations cause a conflict."""
    file = path / ".gitattributes"
    if not file.exists():
        write(file, f"{sums.FILE} -merge\n")


def files_of(path: Path) -> dict[str, bytes]:
    """The files of a folder by their paths in it."""
    return dict(sorted(_files_in(str(path), "")))


def _files_in(folder: str, prefix: str) -> Iterator[tuple[str, bytes]]:
    """Each file by its path with the prefix; `Path.rglob` takes three times as long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files_in(entry.path, f"{prefix}{entry.name}/")
            elif entry.is_file():
                with open(entry.path, "rb") as file:
                    yield f"{prefix}{entry.name}", file.read()


def _check(path: Path, actual: Checksums, *, is_amended: bool) -> None:
    """Compare with the checksum file; raises Edited for the first migration that differs."""
    file = path / sums.FILE
    try:
        recorded = sums.read(file.read_text(encoding="utf-8")) if file.exists() else Checksums(())
    except ValueError as error:
        help = f"{_PARALLEL}; otherwise restore the file from git"
        raise Edited("NL101", f'"{file}" is invalid: {error}', help) from None
    if recorded == actual or (is_amended and recorded.entries[:-1] == actual.entries[:-1]):
        return
    for current, expected in zip(actual.entries, recorded.entries, strict=False):
        if current[0] != expected[0]:
            is_missing = expected[0] not in dict(actual.entries)
            problem = f'"{path / current[0]}" is in the place of "{expected[0]}" in the checksum file'
            help = _how_to_restore(path, expected[0]) if is_missing else _PARALLEL
            raise Edited("NL103" if is_missing else "NL101", problem, help, current[0])
        if current != expected:
            problem = f'"{path / current[0]}" has been edited since it was written'
            raise Edited("NL102", problem, _AMEND if current == actual.entries[-1] else _RESTORE, current[0])
    if len(actual.entries) > len(recorded.entries):
        name = actual.entries[len(recorded.entries)][0]
        problem = f'"{path / name}" is not in the checksum file'
        help = (
            "it was not written by `keywright migrate`, or the command was killed: remove it; if it is from another "
            "branch, run `keywright migrate rebase`"
        )
        raise Edited("NL101", problem, help, name)
    missing = recorded.entries[len(actual.entries)][0]
    raise Edited("NL103", f'"{path / missing}" is missing', _how_to_restore(path, missing), missing)


def _how_to_restore(path: Path, name: str) -> str:
    """How to restore a missing folder: a killed command has left it under another name, or git has it."""
    hidden = next(iter(sorted(path.glob(f".{name}.old.*"))), None)
    if hidden is None:
        return _RESTORE
    move = f"mv {shlex.quote(str(hidden))} {shlex.quote(str(path / name))}"
    return f"a command was killed while writing: restore it with `{move}`"


_PARALLEL = "two branches added migrations: `keywright migrate rebase` moves yours after the other branch's"

_RESTORE = "restore it from git: a written migration is never edited; make further changes in a further migration"

_UPGRADE = "upgrade keywright to the version that wrote it"

_AMEND = (
    "restore it from git; or, if nobody else has this migration yet, keep the edit with "
    "`keywright migrate diff --amend`"
)


def _check_follows(path: Path, before: Migration | None, head: Any) -> None:
    parent = before.number if before else None
    if head["parent"] != parent or (before is not None and head["from"] != before.to):
        recorded = f'was written after "{head["parent"]}"' if head["parent"] else "was written as the first migration"
        raise Edited("NL101", f'"{path}" {recorded}, but follows "{parent}"', _PARALLEL, path.name)


def _check_leads(path: Path, migration: Migration) -> None:
    if migration.to != (fingerprint := migration.snapshot.fingerprint):
        problem = f"{path / migration.folder / MIGRATION}: its changes result in {fingerprint}, not in {migration.to}"
        raise UsageError(problem, _RESTORE)


def _migration(path: Path, files: Mapping[str, bytes], document: Any, before: Snapshot) -> Migration:
    """One migration; UsageError names the file that cannot be read.

    document: its `migration.yaml`. before: the snapshot that it changes.
    """
    match = FOLDER.match(path.name)
    assert match is not None
    with _naming(path / DELTA):
        details = json.loads(_text(files, DELTA)) if DELTA in files else {}
    with _naming(path / MIGRATION):
        migration = read(document, match[2], details, before)
        if migration.number != match[1]:
            raise ValueError(f'it contains the number "{migration.number}", and its folder has "{match[1]}"')
    return migration


def _document(path: Path, files: Mapping[str, bytes]) -> Any:
    """The contents of `migration.yaml`, with its required keys; UsageError names the line if YAML knows it."""
    with _naming(path / MIGRATION):
        document: Any = yaml.load(_text(files, MIGRATION), Loader=yaml.CSafeLoader if _HAS_C else yaml.SafeLoader)
        check_head(document)
        return document


_HAS_C = hasattr(yaml, "CSafeLoader")


def _text(files: Mapping[str, bytes], name: str) -> str:
    if name not in files:
        raise ValueError("it is missing")
    return files[name].decode()


@contextlib.contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Turn errors about a file's content, within the block, into a UsageError that names the file."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(f"{file}:{line}: {error.problem}", _RESTORE) from None
    except (KeyError, TypeError, ValueError) as error:
        why = f"it has no key {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{file}: {why}", _UPGRADE if isinstance(error, NewerFormat) else _RESTORE) from None
