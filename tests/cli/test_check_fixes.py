"""`keywright check --fix`, `--diff`, `baseline.json` and `--git-base`: what is written, and what counts then."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from .conftest import Keywright
from .test_documents import document

SHOP = """\
from typing import ClassVar

from pydantic import BaseModel

import keywright as kw

shop = kw.MongoDatabase("shop")


class Product(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "products", id="{sku}")

    sku: str
    price: float
    tags: list[str]
"""

PROJECT = """\
[tool.keywright]
models = ["models"]
[tool.keywright.rules]
select = ["GEN107", "MDB001"]
"""

STACK = """\
config:
  keywright:environment:
    mode: dev
    mongodb: {flavour: mongodb, version: "6.0"}
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two findings, of which one can be fixed."""
    for path, text in {
        "pyproject.toml": PROJECT, "models/__init__.py": "", "models/shop.py": SHOP,
        "stacks/Pulumi.dev.yaml": STACK,
    }.items():  # fmt: skip
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "models" / "shop.py"


def test_a_diff_shows_fixes_and_writes_nothing(shop: Path, keywright: Keywright) -> None:
    said = keywright("check", "--diff", "--unsafe-fixes")
    assert said.code == 1
    assert [line for line in said.out.splitlines() if line[:1] in "+-"] == [
        "--- a/models/shop.py", "+++ b/models/shop.py", "+from decimal import Decimal", "-    price: float",
        "+    price: Decimal",
    ]  # fmt: skip
    assert said.err == "1 finding would be fixed in 1 file\n"
    assert shop.read_text() == SHOP


def test_an_unsafe_fix_is_written_when_it_is_asked_for_alone(shop: Path, keywright: Keywright) -> None:
    said = keywright("check", "--fix")
    assert shop.read_text() == SHOP
    assert "0 findings were fixed in 0 files; 1 more with --unsafe-fixes" in said.err
    said = keywright("check", "--fix", "--unsafe-fixes")
    assert "from decimal import Decimal" in shop.read_text()
    assert (said.code, "GEN107" in said.out, "MDB001" in said.out) == (1, False, True)
    assert keywright("check", "--select", "GEN107").code == 0


@pytest.mark.usefixtures("shop")
def test_unsafe_fixes_alone_are_refused(keywright: Keywright) -> None:
    said = keywright("check", "--unsafe-fixes")
    assert (said.code, said.err.splitlines()[0]) == (2, 'error: "--unsafe-fixes" requires --diff or --fix')


def test_the_fix_of_a_finding_stands_in_the_document(shop: Path, keywright: Keywright) -> None:
    result = {finding["code"]: finding for finding in document(keywright("check", "--format", "json"))["findings"]}
    assert result["MDB001"]["fix"] is None
    edits = result["GEN107"]["fix"]["edits"]
    assert result["GEN107"]["fix"]["class"] == "unsafe"
    lines = shop.read_text().splitlines(keepends=True)
    for edit in reversed(edits):
        lines[edit["line"] - 1 : edit["end_line"]] = [edit["text"]]
    keywright("check", "--fix", "--unsafe-fixes")
    assert shop.read_text() == "".join(lines)


def test_a_baseline_sets_aside_what_was_there_and_only_shrinks(shop: Path, keywright: Keywright) -> None:
    assert keywright("check", "--update-baseline").code == 0
    file = shop.parents[1] / "baseline.json"
    assert [row["code"] for row in json.loads(file.read_text())["findings"]] == ["GEN107", "MDB001"]
    said = keywright("check")
    assert said == (0, "no errors in 1 entity and 0 access patterns, 2 findings in baseline.json\n", "")
    shop.write_text(SHOP.replace("price: float", "price: int").replace("    tags", "    names: list[str]\n    tags"))
    said = keywright("check")
    assert (said.code, said.out.count("MDB001")) == (1, 1)
    assert "Product.names" in said.out
    assert said.err.endswith("1 finding of baseline.json does not occur any more; --update-baseline removes it\n")
    assert keywright("check", "--update-baseline").code == 1
    assert [row["object"] for row in json.loads(file.read_text())["findings"]] == ["Product.tags"]


def test_what_is_not_asked_stays_in_the_baseline(shop: Path, keywright: Keywright) -> None:
    keywright("check", "--update-baseline")
    file = shop.parents[1] / "baseline.json"
    before = file.read_text()
    assert "does not occur" not in keywright("check", "--select", "MDB").err
    keywright("check", "--select", "MDB", "--update-baseline")
    assert file.read_text() == before


def test_a_baseline_that_is_none_is_told(shop: Path, keywright: Keywright) -> None:
    (shop.parents[1] / "baseline.json").write_text("[]")
    said = keywright("check")
    assert said.code == 2
    assert said.err.splitlines()[0].endswith('baseline.json" is not a baseline')


def test_only_what_a_branch_adds_counts(shop: Path, keywright: Keywright) -> None:
    git = ["git", "-C", str(shop.parents[1]), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *arguments], check=True)
    said = keywright("check", "--git-base", "main")
    assert said == (0, "no errors in 1 entity and 0 access patterns, 2 findings in the merge base\n", "")
    shop.write_text(SHOP + "    names: list[str]\n")
    said = keywright("check", "--git-base", "main", "--format", "concise")
    assert [line.split(": ")[1] for line in said.out.splitlines()] == ["MDB001 Product.names"]


def test_a_configuration_of_the_pack_counts_too(shop: Path, keywright: Keywright) -> None:
    folder = shop.parents[1] / "policies"
    folder.mkdir()
    (folder / "config.dev.json").write_text('{"money-as-float": "mandatory", "unbounded-array": "disabled"}')
    said = keywright("check", "--format", "json")
    assert [(load["code"], load["severity"]) for load in json.loads(said.out)["findings"]] == [("GEN107", "error")]
    (folder / "config.dev.json").write_text('{"money-as-flaot": "mandatory"}')
    said = keywright("check")
    assert (said.code, 'did you mean "money-as-float"?' in said.out + said.err) == (2, True)


def test_a_fix_that_is_interrupted_before_it_is_checked_is_undone(
    shop: Path, keywright: Keywright, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        assert shop.read_text() != SHOP
        raise KeyboardInterrupt

    monkeypatch.setattr("keywright.cli.fixes.subprocess", SimpleNamespace(run=interrupted))
    assert keywright("check", "--fix", "--unsafe-fixes").code == 130
    assert shop.read_text() == SHOP
