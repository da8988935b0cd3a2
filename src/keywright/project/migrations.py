"""The folder of migrations: versions in order, each read whole and checked, and written whole or not at all."""

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from keywright.errors import KeywrightError, UsageError
from keywright.history import sums, version
from keywright.history.snapshot import dump, load
from keywright.history.sums import Sums, sums_of
from keywright.history.version import FOLDER, Version, document

from .files import write
from .settings import Settings

MIGRATION, SNAPSHOT = "migration.yaml", "snapshot.json"


class Edited(KeywrightError):
    """The folder is not as it was written: a file was edited, is missing, or two branches met."""

    exit_code = 1

    def __init__(self, code: str, problem: str, help: str, folder: str = "") -> None:
        super().__init__(problem, help)
        self.code = code
        """Code of its page."""
        self.folder = folder
        """Name of the version's folder; empty where it is about the sum file."""


@dataclass(frozen=True, slots=True)
class Folder:
    """All versions of a project."""

    path: Path
    """Where they are."""
    versions: tuple[Version, ...]
    """In order."""
    sums: Sums
    """What the sum file says."""

    @property
    def head(self) -> Version | None:
        """The last version; None if there is none."""
        return self.versions[-1] if self.versions else None

    def hash_of(self, one: Version) -> str:
        """The cumulative hash of a version: it stands for all before it too."""
        return dict(self.sums.entries)[one.folder]


def read_folder(settings: Settings, *, is_amended: bool = False) -> Folder:
    """The versions of a project; Edited if they are not what the sum file says, UsageError if one cannot be read.

    is_amended: the last version may have been edited, because it is about to be written anew.
    """
    path = settings.root / settings.migrations
    names = sorted(entry.name for entry in path.iterdir() if FOLDER.match(entry.name)) if path.is_dir() else []
    contents = [(name, _files(path / name)) for name in names]
    found = sums_of(contents)
    _check(path, found, is_amended=is_amended)
    versions = tuple(_version(path / name, files) for name, files in contents)
    _check_chain(path, versions)
    return Folder(path, versions, found)


Files = Mapping[str, str]
"""Texts of files by their paths in a version's folder."""


def write_versions(
    path: Path, kept: Sequence[str], made: Sequence[tuple[Version, Files]], *, gone: Sequence[str] = ()
) -> list[Path]:
    """Write versions behind those that are kept, and the sum file; whatever fails, all is as it was.

    gone: folders in whose place they are written.
    """
    for one, _ in made:
        if (path / one.folder).exists() and one.folder not in gone:
            raise UsageError(f'"{path / one.folder}" is there already', "remove it, or choose another -m TEXT")
    with ExitStack() as undo:
        beside = [_beside(path, one, others, undo) for one, others in made]
        names = [one.folder for one, _ in made]
        contents = [(name, _files(path / name)) for name in kept]
        found = sums_of([*contents, *((name, _files(at)) for name, at in zip(names, beside, strict=True))])
        old = [_set_aside(path / name, undo) for name in gone]
        for name, at in zip(names, beside, strict=True):
            os.rename(at, path / name)
            undo.callback(shutil.rmtree, path / name, ignore_errors=True)
        write(path / sums.FILE, found.text)
        _attributes(path)
        undo.pop_all()
    for aside in old:
        shutil.rmtree(aside, ignore_errors=True)
    return [path / name for name in names]


def _beside(path: Path, made: Version, others: Files, undo: ExitStack) -> Path:
    """A version's folder under a name that nobody reads."""
    beside = path / f".{made.folder}.{os.getpid()}"
    undo.callback(shutil.rmtree, beside, ignore_errors=True)
    for name, text in {MIGRATION: to_yaml(made), SNAPSHOT: dump(made.snapshot), **others}.items():
        write(beside / name, text)
    return beside


def _set_aside(path: Path, undo: ExitStack) -> Path:
    aside = path.with_name(f".{path.name}.old.{os.getpid()}")
    os.rename(path, aside)
    undo.callback(os.rename, aside, path)
    return aside


def own_files(path: Path) -> dict[str, str]:
    """What people wrote in a version's folder: its Python files, byte for byte."""
    return {name: content.decode() for name, content in _files(path).items() if name.endswith(".py")}


def read_loose(settings: Settings, name: str) -> Version:
    """One version by itself, wherever it stands."""
    path = settings.root / settings.migrations / name
    return _version(path, _files(path))


def _attributes(path: Path) -> None:
    """Let git never merge two sum files: parallel versions are to be seen."""
    file = path / ".gitattributes"
    if not file.exists():
        write(file, f"{sums.FILE} -merge\n")


def _files(path: Path) -> dict[str, bytes]:
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


def _check(path: Path, found: Sums, *, is_amended: bool) -> None:
    """Compare with the sum file, and tell the first version that differs."""
    file = path / sums.FILE
    try:
        said = sums.read(file.read_text(encoding="utf-8")) if file.exists() else Sums(())
    except ValueError as error:
        help = f"{_MET}; else restore it from git"
        raise Edited("NL101", f'"{file}" cannot be trusted: {error}', help) from None
    if said == found or (is_amended and said.entries[:-1] == found.entries[:-1]):
        return
    for here, there in zip(found.entries, said.entries, strict=False):
        if here[0] != there[0]:
            is_missing = there[0] not in dict(found.entries)
            problem = f'"{path / here[0]}" stands where the sum file has "{there[0]}"'
            raise Edited("NL103" if is_missing else "NL101", problem, _RESTORE if is_missing else _MET, here[0])
        if here != there:
            problem = f'"{path / here[0]}" is not what it was when it was written'
            raise Edited("NL102", problem, _LAST if here == found.entries[-1] else _RESTORE, here[0])
    if len(found.entries) > len(said.entries):
        name = found.entries[len(said.entries)][0]
        raise Edited("NL101", f'"{path / name}" is not in the sum file', "it was not written by `keywright migrate`: "
                     "remove it, or `keywright migrate rebase` if another branch brought it", name)  # fmt: skip
    missing = said.entries[len(found.entries)][0]
    raise Edited("NL103", f'"{path / missing}" is missing', _RESTORE, missing)


_MET = "two branches met: `keywright migrate rebase` puts yours behind the other"

_RESTORE = "restore it from git: a version is never edited once it is written; a further change is a further version"

_LAST = (
    "restore it from git; or, if nobody else has this version yet, `keywright migrate diff --amend` takes the edit over"
)


def _check_chain(path: Path, versions: tuple[Version, ...]) -> None:
    before: Version | None = None
    for one in versions:
        parent = before.number if before else None
        base = before.to if before else None
        if one.parent != parent or (base is not None and one.base != base):
            said = f'follows "{one.parent}"' if one.parent else "is a first version"
            raise Edited("NL101", f'"{path / one.folder}" {said}, and stands behind "{parent}"', _MET, one.folder)
        before = one


def _version(path: Path, files: Mapping[str, bytes]) -> Version:
    """One version; UsageError names the file that cannot be read, and the line where YAML knows it."""
    match = FOLDER.match(path.name)
    assert match is not None
    with _readable(path / SNAPSHOT):
        snapshot = load(_text(files, SNAPSHOT))
    with _readable(path / MIGRATION):
        told = yaml.load(_text(files, MIGRATION), Loader=yaml.CSafeLoader if _HAS_C else yaml.SafeLoader)
        found = version.read(told, match[2], snapshot)
        if found.number != match[1]:
            raise ValueError(f'it says version "{found.number}"')
        if found.to != snapshot.fingerprint:
            raise ValueError(f"it leads to {found.to}, and {SNAPSHOT} is {snapshot.fingerprint}")
    return found


_HAS_C = hasattr(yaml, "CSafeLoader")


def _text(files: Mapping[str, bytes], name: str) -> str:
    if name not in files:
        raise ValueError("it is missing")
    return files[name].decode()


@contextlib.contextmanager
def _readable(file: Path) -> Iterator[None]:
    """Within the block, whatever is wrong with a file's content is an error of that file."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(f"{file}:{line}: {error.problem}", _RESTORE) from None
    except (KeyError, TypeError, ValueError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{file}: {why}", _RESTORE) from None


def to_yaml(made: Version) -> str:
    """The text of `migration.yaml`: a line for each change and step, as far as it fits."""
    told = document(made)
    head = {key: value for key, value in told.items() if not isinstance(value, list)}
    parts = [_dumped(head, is_flow=False)]
    for key in ("changes", "steps", "ignore"):
        rows: Any = told.get(key)
        if rows is not None:
            parts.append(f"{key}:\n" + "".join(_row(row) for row in rows) if rows else f"{key}: []\n")
    return "".join(parts)


def _row(row: Any) -> str:
    """A mapping in braces, broken between its entries where it is too long."""
    lines, line = list[str](), "  - {"
    for at, (key, value) in enumerate(row.items()):
        entry = _dumped({key: value}, is_flow=True).strip()[1:-1] + ("}" if at == len(row) - 1 else ",")
        if len(line) + 1 + len(entry) > _WIDTH and line.strip():
            lines.append(line)
            line = f"     {entry}"
        else:
            line += entry if line.endswith("{") else f" {entry}"
    return "\n".join((*lines, line)) + "\n"


_WIDTH = 118
"""Columns of a line, unless one entry alone has more."""


def _dumped(value: Any, *, is_flow: bool) -> str:
    text: str = yaml.safe_dump(
        value, default_flow_style=is_flow, sort_keys=False, width=10_000, allow_unicode=True, line_break="\n"
    )
    return text
