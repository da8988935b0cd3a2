"""Files are written atomically."""

import os
from pathlib import Path

import pytest

from keywright.errors import UsageError
from keywright.project.files import write


def test_a_file_is_written_with_the_folders_that_it_needs(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b" / "file.json", "text\n")
    assert (tmp_path / "a" / "b" / "file.json").read_bytes() == b"text\n"


def test_an_older_file_gives_way_and_nothing_else_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("before")
    write(tmp_path / "file", "after")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"file": "after"}


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_what_breaks_off_leaves_the_older_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def replace(before: str, after: Path) -> None:
        raise error

    (tmp_path / "file").write_text("before")
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises((KeyboardInterrupt, UsageError)):
        write(tmp_path / "file", "after")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"file": "before"}


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError) as error:
        write(tmp_path / "taken" / "file", "text")
    assert error.value.problem == f'cannot write "{tmp_path / "taken" / "file"}": not a directory'
