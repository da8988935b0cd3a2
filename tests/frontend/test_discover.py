"""Finding and importing model files: an error is reported once, and the other files are still checked."""

import os
from pathlib import Path

import pytest
from tests.projects import PYPROJECT, a_project, errors_of, imported_alone, told, with_imports

from keywright.errors import gathering
from keywright.frontend.discover import import_models, model_files

TABLE = with_imports('shop = kw.DynamoTable("shop")')
WRONG = with_imports('shop = kw.DynamoTable("shop", gsi=[])')
WRONG_MESSAGE = 'models/wrong.py:10: error[E0501]: DynamoTable(...) has no option "gsi"\n  help: did you mean "gsis"?\n'


def names_of(folder: Path, files: dict[str, str]) -> list[str]:
    """The dotted names of a project's model files."""
    settings = a_project(folder, files)
    return [file.module for file in model_files(settings.model_paths, settings.root_paths)]


def messages_of(folder: Path, files: dict[str, str]) -> str:
    return told(errors_of(folder, files), folder)


def test_files_are_named_by_their_path_from_the_import_root(tmp_path: Path) -> None:
    files = {"models/shop.py": "", "models/games/__init__.py": "", "models/games/scores.py": ""}
    assert names_of(tmp_path, files) == ["models", "models.games", "models.games.scores", "models.shop"]


def test_hidden_folders_and_caches_hold_no_models(tmp_path: Path) -> None:
    files = {"models/.git/a.py": "", "models/__pycache__/b.py": "", "models/notes.txt": ""}
    assert names_of(tmp_path, files) == ["models"]


def test_the_first_import_root_that_fits_names_a_file(tmp_path: Path) -> None:
    roots = '[tool.keywright]\nmodels = ["src/app", "extra.py"]\nimport-roots = ["src", "."]\n'
    assert names_of(tmp_path, {"pyproject.toml": roots, "src/app/a.py": "", "extra.py": ""}) == ["app.a", "extra"]


def test_relative_imports_work_and_a_class_is_one_class(tmp_path: Path) -> None:
    files = {
        "models/base.py": with_imports("class Line(BaseModel):\n    sku: str"),
        "models/shop.py": "from .base import Line\nfrom models.base import Line as Same\n\nassert Line is Same\n",
    }
    assert messages_of(tmp_path, files) == ""


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    assert messages_of(tmp_path, {"pyproject.toml": '[tool.keywright]\nmodels = ["modles"]\n'}) == (
        'modles: error[E0102]: file or folder "modles" does not exist\n'
        "  help: create it, or correct `models` under [tool.keywright] in pyproject.toml\n"
    )


def test_a_built_in_module_keeps_its_name(tmp_path: Path) -> None:
    table = '[tool.keywright]\nmodels = ["sys.py"]\n'
    assert messages_of(tmp_path, {"pyproject.toml": table, "sys.py": ""}) == (
        'sys.py: error[E0103]: the module name "sys" is already used by a built-in module\n'
        "  help: rename the file, or move it into a package (a folder with an __init__.py) below the import root\n"
    )


def test_a_package_that_hides_the_folder_is_reported_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "elsewhere"
    (other / "hidden").mkdir(parents=True)
    (other / "hidden" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(other))
    project = tmp_path / "project"
    project.mkdir()
    files = {"pyproject.toml": '[tool.keywright]\nmodels = ["hidden"]\n', "hidden/shop.py": TABLE}
    (error,) = errors_of(project, files)
    assert (error.code, "elsewhere/hidden/__init__.py" in error.problem) == ("E0103", True)


def test_one_file_that_fails_does_not_hide_the_others(tmp_path: Path) -> None:
    files = {"models/broken.py": "1 / 0\n", "models/wrong.py": WRONG}
    assert messages_of(tmp_path, files) == (
        "models/broken.py:1: error[E0101]: the file does not import: ZeroDivisionError: division by zero\n"
        "  help: correct that line: the file must be importable on its own, as with `python -c 'import ...'`\n"
        + WRONG_MESSAGE
    )


def test_a_failure_is_reported_once_even_if_several_files_import_it(tmp_path: Path) -> None:
    files = {
        "models/a.py": "import models.broken\n",
        "models/b.py": "import models.broken\n",
        "models/broken.py": "1 / 0\n",
    }
    assert [str(error.at).rpartition("/")[2] for error in errors_of(tmp_path, files)] == ["broken.py:1"]


def test_a_file_that_ends_the_program_is_reported(tmp_path: Path) -> None:
    assert messages_of(tmp_path, {"models/ends.py": "import sys\n\nsys.exit(3)\n"}) == (
        "models/ends.py:3: error[E0101]: the file does not import: SystemExit: 3\n"
        "  help: a model file must only declare: guard code that runs with `if __name__ == '__main__':`\n"
    )


def test_a_module_that_is_not_installed_is_reported_by_name(tmp_path: Path) -> None:
    assert messages_of(tmp_path, {"models/a.py": "import notthere.at.all\n"}) == (
        "models/a.py:1: error[E0101]: the file does not import: ModuleNotFoundError: No module named 'notthere'\n"
        '  help: install "notthere", or add its folder to `import-roots` under [tool.keywright] in pyproject.toml\n'
    )


def test_a_syntax_error_has_its_own_line_also_in_an_imported_file(tmp_path: Path) -> None:
    files = {"models/a.py": "import models.b\n", "models/b.py": "x = 1\n\ndef f(:\n"}
    (error,) = errors_of(tmp_path, files)
    assert (error.code, str(error.at)) == ("E0106", f"{tmp_path.resolve()}/models/b.py:3")


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    a_project(tmp_path, {})
    (tmp_path / "models" / "case.py").write_bytes(b"\xef\xbb\xbf" + TABLE.encode())
    assert messages_of(tmp_path, {}) == ""


@pytest.mark.parametrize("content", [b"name = '\xe9'\n", b"name = 1\n\x00"])
def test_a_file_that_is_not_text_is_reported(tmp_path: Path, content: bytes) -> None:
    a_project(tmp_path, {})
    (tmp_path / "models" / "case.py").write_bytes(content)
    assert messages_of(tmp_path, {}) == (
        "models/case.py: error[E0106]: the file is not text in UTF-8\n  help: save it as UTF-8\n"
    )


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    a_project(tmp_path, {"models/wrong.py": WRONG})
    (tmp_path / "models" / "case.py").symlink_to(tmp_path / "nowhere.py")
    errors = errors_of(tmp_path, {})
    assert [error.code for error in errors] == ["E0106", "E0501"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_read_permission_is_reported(tmp_path: Path) -> None:
    a_project(tmp_path, {"models/case.py": TABLE})
    (tmp_path / "models" / "case.py").chmod(0)
    assert messages_of(tmp_path, {}) == (
        "models/case.py: error[E0106]: the file cannot be read: Permission denied\n"
        "  help: make the file readable for the user that runs keywright\n"
    )


def test_a_link_to_a_file_is_the_file(tmp_path: Path) -> None:
    a_project(tmp_path, {"shared/shop.py": TABLE})
    (tmp_path / "models" / "shop.py").symlink_to(tmp_path / "shared" / "shop.py")
    assert messages_of(tmp_path, {}) == ""


def test_modules_are_imported_once(tmp_path: Path) -> None:
    settings = a_project(tmp_path, {"models/a.py": "", "models/b.py": "import models.a\n"})
    with imported_alone(tmp_path), gathering() as errors:
        files = model_files(settings.model_paths, settings.root_paths)
        first = import_models(files, settings.root_paths)
        assert import_models(files, settings.root_paths) == first
        assert [module.__name__ for module in first] == ["models", "models.a", "models.b"]
    assert errors == []


def test_a_future_import_of_annotations_works(tmp_path: Path) -> None:
    source = "from __future__ import annotations\n\n" + with_imports(
        """
        shop = kw.DynamoTable("shop")


        class User(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="PROFILE")

            user_id: str
            friends: list[User2]


        class User2(BaseModel):
            name: str


        profile = kw.Get(User, eq="user_id")
        """
    )
    assert messages_of(tmp_path, {"pyproject.toml": PYPROJECT, "models/case.py": source}) == ""
