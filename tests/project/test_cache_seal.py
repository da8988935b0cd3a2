"""An answer that came with a repository is not believed, whoever wrote it."""

import json
import os
import stat
import time
from pathlib import Path

import pytest

from keywright.project import build_cache


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path / "home"))
    return tmp_path / "home"


def a_cache(root: Path, answer: str = "nothing found") -> Path:
    """What was remembered of a project with one file."""
    file = root / "models.py"
    file.write_text("x = 1\n", encoding="utf-8")
    started_ns = time.time_ns() + 10**9
    build_cache.store(
        str(root),
        "check",
        "1",
        started_ns=started_ns,
        read=[str(file)],
        artefacts={},
        libraries=[],
        folders=[],
        answer=answer,
    )
    return Path(build_cache.path_of(str(root), "check"))


def test_what_this_user_remembered_is_believed(home: Path, tmp_path: Path) -> None:
    a_cache(tmp_path)
    assert build_cache.cached_answer(str(tmp_path), "check", "1") == "nothing found"
    assert stat.S_IMODE(os.stat(home / "key").st_mode) == 0o600


def test_what_somebody_else_wrote_is_not(home: Path, tmp_path: Path) -> None:
    a_cache(tmp_path)
    (home / "key").write_bytes(os.urandom(32))
    assert build_cache.cached_answer(str(tmp_path), "check", "1") is None


def test_what_was_edited_is_not(home: Path, tmp_path: Path) -> None:
    file = a_cache(tmp_path, answer="1 error")
    seal, _, text = file.read_text(encoding="utf-8").partition("\n")
    document = json.loads(text) | {"said": "nothing found", "files": []}
    for forged in (f"{seal}\n{json.dumps(document)}", json.dumps(document), f"\n{json.dumps(document)}"):
        file.write_text(forged, encoding="utf-8")
        assert build_cache.cached_answer(str(tmp_path), "check", "1") is None


def test_a_home_that_cannot_be_written_remembers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path / "file" / "home"))
    a_cache(tmp_path)
    assert build_cache.cached_answer(str(tmp_path), "check", "1") is None
