"""The cache never shows a folder that is only half filled."""

import threading
from pathlib import Path

import pytest

from keywright.local.cache import Fetching, fill
from keywright.local.cancel import Cancelled
from keywright.local.command import Ended, run
from keywright.local.lock import held


@pytest.fixture
def fetching(tmp_path: Path) -> Fetching:
    """A fetch that tells nobody."""
    return Fetching(tmp_path / "cache", lambda phase, text: None, threading.Event())


def unwanted() -> None:
    """What must not be called."""
    pytest.fail("nothing is to be fetched")


def test_a_filled_folder_appears_whole(tmp_path: Path, fetching: Fetching) -> None:
    folder, told = tmp_path / "cache" / "thing-1", list[str]()

    def work(part: Path) -> str | None:
        (part / "file").write_text("whole")
        assert not folder.exists()
        return None

    assert fill(folder, tmp_path / "lock", fetching, lambda: told.append("fetch"), work) is None
    assert (folder / "file").read_text() == "whole"
    assert [path.name for path in folder.parent.iterdir()] == ["thing-1"]
    assert told == ["fetch"]


def test_what_is_there_is_not_fetched_again(tmp_path: Path, fetching: Fetching) -> None:
    folder = tmp_path / "thing-1"
    folder.mkdir()
    assert fill(folder, tmp_path / "lock", fetching, unwanted, lambda part: unwanted()) is None


def test_a_failed_fetch_leaves_nothing(tmp_path: Path, fetching: Fetching) -> None:
    folder = tmp_path / "cache" / "thing-1"
    assert fill(folder, tmp_path / "lock", fetching, lambda: None, lambda part: "no network") == "no network"
    assert list(folder.parent.iterdir()) == []


def test_the_rest_of_a_killed_fetch_is_removed(tmp_path: Path, fetching: Fetching) -> None:
    folder = tmp_path / "cache" / "thing-1"
    rest = folder.with_name(".thing-1.part") / "half"
    rest.parent.mkdir(parents=True)
    rest.write_text("half")
    assert fill(folder, tmp_path / "lock", fetching, lambda: None, lambda part: None) is None
    assert list(folder.iterdir()) == []


def test_a_cancelled_fetch_does_not_wait_for_another(tmp_path: Path, fetching: Fetching) -> None:
    fetching.cancelled.set()
    with held(tmp_path / "lock", "they", wait_seconds=0, waiting=pytest.fail), pytest.raises(Cancelled):
        fill(tmp_path / "thing-1", tmp_path / "lock", fetching, unwanted, lambda part: unwanted())


def test_a_command_ends_with_its_code_and_its_output() -> None:
    assert run(("/bin/sh", "-c", "echo out; echo err >&2; exit 3"), threading.Event()) == Ended(3, "out\nerr\n")


def test_a_cancelled_command_is_ended() -> None:
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(Cancelled):
        run(("/bin/sh", "-c", "exec sleep 600"), cancelled)
