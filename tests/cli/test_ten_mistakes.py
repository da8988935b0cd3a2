"""Ten mistakes in a copy of the worked example: each is named at its line, and what is said heals it."""

import json
import shutil
import subprocess
import sys
from difflib import ndiff
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from .conftest import Keywright, Said

ROOT = Path(__file__).parents[2]
RUFF = str(Path(sys.executable).parent / "ruff")
PROJECT = """\
[tool.keywright]
models = ["models"]
[tool.ruff]
line-length = 120
[tool.ruff.lint]
select = ["I", "F401"]
[tool.ruff.lint.isort]
known-first-party = ["keywright"]
"""


class Mistake(NamedTuple):
    """One edit of the example."""

    code: str
    """What it raises."""
    file: str
    """Where it is made."""
    before: str
    """What stands there, once."""
    after: str
    """What stands there then."""
    named: str
    """The beginning of the line at which it is named."""
    fix: str | None
    """Whether a program heals it: `safe`, `unsafe`, or None."""


MISTAKES = (
    Mistake("DDB008", "shop.py", '{"status": "placed"}, order="placed_at", limit=100, fan_out=8,',
            '{"status": "placed"}, order="placed_at", limit=100,', "pending_orders", "safe"),
    Mistake("CAS011", "viewing.py", "gc_grace=timedelta(days=10)", "gc_grace=timedelta(hours=1)", "__store__", "safe"),
    Mistake("MDB106", "content.py", '            kw.Index("tags"),\n',
            '            kw.Index("tags"),\n            kw.Index("author_id"),\n', 'kw.Index("author_id")', "safe"),
    Mistake("GEN021", "content.py", 'order="-created_at", limit=20,', 'order="-created_at",', "posts_of_author",
            "unsafe"),
    Mistake("GEN010", "shop.py", 'eq="user_id", consistency="strong", reads_back=[charge_account], ',
            'eq="user_id", ', "balance", "unsafe"),
    Mistake("RED002", "sessions.py", 'role="sessions", owner="identity",',
            'role="sessions", eviction="allkeys-lru", owner="id",', "sessions", "unsafe"),
    Mistake("DDB019", "shop.py", ", cache_ttl=timedelta(minutes=1))", ")", "settings", "unsafe"),
    Mistake("CAS009", "viewing.py", "kw.TimeWindow(window=timedelta(days=30))",
            "kw.TimeWindow(window=timedelta(days=1))", "__store__", None),
    Mistake("MDB001", "content.py", 'tags: Annotated[list[str], Field(max_length=20)] = []', "tags: list[str] = []",
            "tags", None),
    Mistake("RED004", "sessions.py", 'ttl=timedelta(hours=24), ', "", "__store__", None),
)  # fmt: skip


@pytest.fixture
def careless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example with all of them, in which the test stands."""
    for folder in ("models", "stacks"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "provider"))
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    for mistake in MISTAKES:
        replace_once(tmp_path / "models" / mistake.file, mistake.before, mistake.after)
    subprocess.run([RUFF, "format", "--no-cache", "--quiet", "models"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_is_named_at_its_line_and_healed_by_what_is_said(careless: Path, keywright: Keywright) -> None:
    result = findings(keywright("check", "--format", "json"))
    named = {(entry["code"], line(careless, entry["at"]).split()[0].rstrip(":,")) for entry in result}
    assert {(mistake.code, mistake.named) for mistake in MISTAKES} <= named
    assert {entry["code"]: entry["fix"] and entry["fix"]["class"] for entry in result} == {
        mistake.code: mistake.fix for mistake in MISTAKES
    }
    assert all(entry["help"] for entry in result)

    before = texts(careless)
    said = keywright("check", "--format", "json", "--fix")
    assert said.code == 1
    assert {finding["code"] for finding in findings(said)} == {
        mistake.code for mistake in MISTAKES if mistake.fix != "safe"
    }
    changed = [
        row
        for name, text in texts(careless).items()
        for row in ndiff(before[name].splitlines(), text.splitlines())
        if row[0] in "+-"
    ]
    assert len(changed) == 7  # one line is another, one has become three, and one is gone
    assert formatted(careless)

    said = keywright("check", "--format", "json", "--fix", "--unsafe-fixes")
    assert {finding["code"] for finding in findings(said)} == {
        mistake.code for mistake in MISTAKES if mistake.fix is None
    }
    assert formatted(careless)

    for mistake in MISTAKES:
        if mistake.fix is None:
            file = careless / "models" / mistake.file
            file.write_text(
                file.read_text().replace(mistake.after, mistake.before)
                if mistake.after
                else ORIGINAL[mistake.file](file)
            )
    assert findings(keywright("check", "--format", "json")) == []


ORIGINAL = {
    "sessions.py": lambda file: file.read_text().replace(
        'key="session:{token}", expected', 'key="session:{token}", ttl=timedelta(hours=24), expected'
    )
}
"""How a mistake is undone that has left nothing behind."""


def replace_once(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert text.count(before) == 1, (file.name, before, text.count(before))
    file.write_text(text.replace(before, after))


def findings(said: Said) -> list[dict[str, Any]]:
    assert said.code in (0, 1), said
    result: list[dict[str, Any]] = json.loads(said.out)["findings"]
    return result


def texts(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted((folder / "models").glob("*.py"))}


def line(folder: Path, at: dict[str, Any]) -> str:
    return (folder / at["file"]).read_text().splitlines()[at["line"] - 1].strip()


def formatted(folder: Path) -> bool:
    """Whether a formatter and a sorter of imports have nothing to change."""
    checked = subprocess.run([RUFF, "check", "--no-cache", "models"], cwd=folder, capture_output=True, check=False)
    process = subprocess.run(
        [RUFF, "format", "--no-cache", "--diff", "models"], cwd=folder, capture_output=True, check=False
    )
    return (checked.returncode, process.returncode) == (0, 0)
