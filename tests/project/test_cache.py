"""What the cache remembers and when it declines to, on plain files."""

import os
import time
from pathlib import Path

import pytest

from keywright.project import build_cache
from keywright.project.build_cache import is_current, path_of, store


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a file that was read, one that was made and one from elsewhere."""
    for name in ("read.py", "made.json", "elsewhere.py"):
        (tmp_path / name).write_text("text")
    return tmp_path


def remembered(root: Path, *, started_ns: int | None = None, artefact: str = "text") -> bool:
    """Cache a compile that began a second after the files were written; returns whether the cache is current."""
    store(
        str(root),
        "dev",
        "1.0",
        started_ns=time.time_ns() + 10**9 if started_ns is None else started_ns,
        read=[str(root / "read.py")],
        artefacts={str(root / "made.json"): artefact},
        libraries=[str(root / "elsewhere.py")],
        folders=[str(root), str(root / "absent")],
    )
    return is_current(str(root), "dev", "1.0")


def test_what_did_not_change_is_fresh(root: Path) -> None:
    assert remembered(root)


def test_what_changed_while_the_compile_ran_is_not_remembered(root: Path) -> None:
    assert not remembered(root, started_ns=(root / "read.py").stat().st_ctime_ns - 1)


def test_what_was_made_and_then_edited_is_not_remembered(root: Path) -> None:
    assert not remembered(root, artefact="other")


def test_what_was_read_and_is_gone_is_not_remembered(root: Path) -> None:
    (root / "elsewhere.py").unlink()
    assert not remembered(root)


@pytest.mark.parametrize("name", ["read.py", "made.json", "elsewhere.py"])
def test_an_edit_that_keeps_size_and_time_is_noticed(root: Path, name: str) -> None:
    assert remembered(root)
    file = root / name
    state = file.stat()
    file.write_text("TEXT")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert not is_current(str(root), "dev", "1.0")


def test_a_file_that_was_touched_but_holds_the_same_is_fresh(root: Path) -> None:
    assert remembered(root)
    os.utime(root / "read.py")
    assert is_current(str(root), "dev", "1.0")


def test_an_old_file_is_taken_by_its_times_and_a_young_one_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert remembered(root)
    read: list[str] = []
    digest = build_cache._digest
    monkeypatch.setattr(build_cache, "_digest", lambda path: read.append(Path(path).name) or digest(path))
    is_current(str(root), "dev", "1.0")
    assert sorted(read) == ["made.json", "read.py"]
    monkeypatch.setattr(build_cache, "RACY_NS", -(10**10))  # as if it had been written ten seconds later
    read.clear()
    assert is_current(str(root), "dev", "1.0")
    assert read == []


def test_a_new_file_in_a_folder_is_noticed(root: Path) -> None:
    assert remembered(root)
    (root / "new.py").touch()
    assert not is_current(str(root), "dev", "1.0")


def test_a_folder_that_was_not_there_is_noticed(root: Path) -> None:
    assert remembered(root)
    (root / ".hidden").mkdir()
    assert is_current(str(root), "dev", "1.0")
    (root / "absent").mkdir()
    assert not is_current(str(root), "dev", "1.0")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", '{"format": 2}', '{"format": 1, "files": []}'])
def test_a_cache_that_cannot_be_read_is_none(root: Path, text: str) -> None:
    assert remembered(root)
    Path(path_of(str(root), "dev")).write_text(text)
    assert not is_current(str(root), "dev", "1.0")


def test_a_cache_of_another_version_is_none(root: Path) -> None:
    assert remembered(root)
    assert not is_current(str(root), "dev", "2.0")


def test_a_folder_in_place_of_a_file_is_noticed(root: Path) -> None:
    assert remembered(root)
    (root / "read.py").unlink()
    (root / "read.py").mkdir()
    assert not is_current(str(root), "dev", "1.0")


def test_a_place_that_cannot_be_written_is_no_error(root: Path) -> None:
    (root / ".keywright").touch()
    assert not remembered(root)
