"""The cache never contains a partly filled folder."""

import threading
from pathlib import Path

import pytest

from keywright.local.event import Cancelled
from keywright.local.fetch.cache import Fetching, fill
from keywright.local.fetch.command import Ended, run
from keywright.local.lock import file_lock


def unwanted() -> None:
    """A function that must not be called."""
    pytest.fail("unexpected fetch")


def test_a_filled_folder_appears_whole(tmp_path: Path, fetching: Fetching) -> None:
    folder, announced = tmp_path / "cache" / "thing-1", list[str]()

    def work(part: Path) -> str | None:
        (part / "file").write_text("whole")
        assert not folder.exists()
        return None

    assert fill(folder, tmp_path / "lock", fetching, lambda: announced.append("fetch"), work) is None
    assert (folder / "file").read_text() == "whole"
    assert [path.name for path in folder.parent.iterdir()] == ["thing-1"]
    assert announced == ["fetch"]


def test_an_existing_folder_is_not_fetched_again(tmp_path: Path, fetching: Fetching) -> None:
    folder = tmp_path / "thing-1"
    folder.mkdir()
    assert fill(folder, tmp_path / "lock", fetching, unwanted, lambda part: unwanted()) is None


def test_a_failed_fetch_leaves_nothing(tmp_path: Path, fetching: Fetching) -> None:
    folder = tmp_path / "cache" / "thing-1"
    assert fill(folder, tmp_path / "lock", fetching, lambda: None, lambda part: "no network") == "no network"
    assert list(folder.parent.iterdir()) == []


def test_the_temporary_folder_of_a_killed_fetch_is_removed(tmp_path: Path, fetching: Fetching) -> None:
    folder = tmp_path / "cache" / "thing-1"
    leftover = folder.with_name(".thing-1.part") / "half"
    leftover.parent.mkdir(parents=True)
    leftover.write_text("half")
    assert fill(folder, tmp_path / "lock", fetching, lambda: None, lambda part: None) is None
    assert list(folder.iterdir()) == []


def test_a_cancelled_fetch_does_not_wait_for_another(tmp_path: Path, fetching: Fetching) -> None:
    fetching.cancelled.set()
    with file_lock(tmp_path / "lock", "they", wait_seconds=0, waiting=pytest.fail), pytest.raises(Cancelled):
        fill(tmp_path / "thing-1", tmp_path / "lock", fetching, unwanted, lambda part: unwanted())


def test_a_command_ends_with_its_code_and_its_output() -> None:
    assert run(("/bin/sh", "-c", "echo out; echo err >&2; exit 3"), threading.Event()) == Ended(3, "out\nerr\n")


def test_a_cancelled_command_is_ended() -> None:
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(Cancelled):
        run(("/bin/sh", "-c", "exec sleep 600"), cancelled)
