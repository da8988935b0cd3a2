"""`keywright init`: what it says, and that what it wrote works."""

from pathlib import Path

import pytest

from .conftest import Keywright


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_new_project_compiles_and_the_next_commands_are_told(
    keywright: Keywright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert keywright("init", "shop") == (
        0,
        "  wrote pyproject.toml\n  wrote .gitignore\n  wrote models/__init__.py\n  wrote models/library.py\n"
        "  wrote stacks/Pulumi.dev.yaml\n"
        "\nnext:\n  cd shop\n  keywright check\n  keywright compile\n  keywright local up && keywright apply --local\n",
        "",
    )
    monkeypatch.chdir(tmp_path / "shop")
    for profile in ("default", "strict"):
        assert keywright("check", "--profile", profile).out == "no errors in 4 entities and 10 access patterns\n"
    assert keywright("compile").code == 0


def test_a_folder_that_is_a_project_is_left_alone(keywright: Keywright) -> None:
    keywright("init", "shop")
    assert keywright("init", "shop") == (
        2, "", 'error: "shop" is already a project\n  help: run `keywright check` in it\n',
    )  # fmt: skip


def test_a_folder_with_models_is_adopted_and_compiles(keywright: Keywright, tmp_path: Path) -> None:
    (tmp_path / "records.py").write_text(
        "from pydantic import BaseModel\n\n\nclass Reader(BaseModel):\n    name: str\n"
    )
    said = keywright("init")
    assert said.code == 0
    assert said.out.splitlines()[0] == "adopted 1 model; declare the stores in stores.py"
    assert "  cd " not in said.out
    assert keywright("compile", "--check", "-q").out == "new  access.json\nnew  ir.json\nnew  mongodb/app.js\n"


def test_quiet_means_without_a_word(keywright: Keywright, tmp_path: Path) -> None:
    assert keywright("init", "shop", "-q") == (0, "", "")
    assert (tmp_path / "shop" / "pyproject.toml").is_file()
