"""What `keywright pr` says of a branch of the worked example that heals one flaw, and breaks one access pattern."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.repository import a_repository, commit

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "pr"
PARTS = ("models", "migrations", "stacks", "pyproject.toml")


def edit(root: Path, file: str, old: str, new: str) -> None:
    """Replace a text that stands in a file once."""
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    path.write_text(text.replace(old, new), encoding="utf-8")


def keywright(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "keywright", *words], cwd=root, env={**os.environ, "NO_COLOR": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def branch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The worked example with a price that is a float; a branch that makes it money again, and adds a pattern with its
    index, but drops the index that another pattern needs.
    """
    root = a_repository(tmp_path_factory.mktemp("branch") / "example")
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copyfile
        copy(
            ROOT / part,
            root / part,
            **({"ignore": shutil.ignore_patterns("__pycache__")} if copy is shutil.copytree else {}),
        )
    edit(root, "models/shop.py", "    price: Money\n    ends_at", "    price: float\n    ends_at")
    rules = '[tool.keywright.rules]\nselect = ["GEN004", "GEN107"]  # whatever other rules there will be\n'
    edit(root, "pyproject.toml", "[tool.ruff]\n", f"{rules}\n[tool.ruff]\n")
    commit(root)
    edit(root, "models/shop.py", "    price: float\n    ends_at", "    price: Money\n    ends_at")
    content = "models/content.py"
    edit(root, content, '            kw.Index("tags"),\n', '            kw.Index(["language", "-created_at"]),\n')
    edit(root, content, "    comment_count: int = 0\n", "    comment_count: int = 0\n    language: str | None = None\n")
    pattern = 'posts_in_language = kw.Read(Post, eq="language", order="-created_at", limit=20, rate="5/s", p99_ms=50)\n'
    edit(root, content, "write_post = ", f"{pattern}write_post = ")
    commit(root, branch="topic")
    process = keywright(root, "migrate", "diff", "-m", "posts by language")
    assert process.returncode == 0, process.stderr
    commit(root)
    return root


def test_a_review_in_markdown(branch: Path, is_golden: Callable[[Path, str], bool]) -> None:
    process = keywright(branch, "pr", "--base", "main")
    assert (process.returncode, process.stderr) == (1, "")
    text = re.sub(r"merge base [0-9a-f]{10}", "merge base 0123456789", process.stdout)
    text, places = re.subn(r"(models/\w+\.py(?::|#L))[1-9]\d*", r"\g<1>7", text)  # whatever stands above them
    assert places == 8
    assert is_golden(GOLDEN / "branch.md", text)


def test_a_review_as_a_document(branch: Path) -> None:
    process = keywright(branch, "pr", "--base", "main", "--format", "json")
    assert (process.returncode, process.stderr) == (1, "")
    document = json.loads(process.stdout)
    schema = json.loads((ROOT / "docs" / "schemas" / "pr.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(document)
    assert [(pattern["name"], pattern["became"]) for pattern in document["patterns"]] == [
        ("posts_with_tag", "unserved"), ("posts_in_language", "added"),
    ]  # fmt: skip
    assert [entry["code"] for entry in document["findings"]["added"]] == ["GEN004"]
    assert [entry["code"] for entry in document["findings"]["healed"]] == ["GEN107"]
    assert (document["uncommitted"], document["ahead"]) == (False, [])
