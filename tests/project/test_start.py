"""Projects created from the template, or around existing models."""

import tomllib
from pathlib import Path

import pytest
from tests.projects import errors_of

from keywright.errors import UsageError
from keywright.project.start import start


def files_below(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


MODEL = "from pydantic import BaseModel\n\n\nclass {name}(BaseModel):\n    id: str\n"


def test_a_new_project_is_named_like_its_folder(tmp_path: Path) -> None:
    begun = start(tmp_path / "shop")
    assert begun.written == (
        "pyproject.toml", ".gitignore", "models/__init__.py", "models/library.py", "stacks/Pulumi.dev.yaml",
    )  # fmt: skip
    assert tomllib.loads((tmp_path / "shop" / "pyproject.toml").read_text())["project"]["name"] == "shop"


def test_a_new_project_is_legal(tmp_path: Path) -> None:
    start(tmp_path / "shop")
    assert errors_of(tmp_path / "shop", {}) == []


def test_a_folder_with_other_files_gets_the_template_beside_them(tmp_path: Path) -> None:
    put(tmp_path, {"README.md": "mine"})
    start(tmp_path)
    assert files_below(tmp_path)["README.md"] == "mine"


def test_a_project_is_not_begun_twice(tmp_path: Path) -> None:
    start(tmp_path)
    before = files_below(tmp_path)
    with pytest.raises(UsageError, match="is already a project"):
        start(tmp_path)
    assert files_below(tmp_path) == before


@pytest.mark.parametrize("name", ["pyproject.toml", "models/library.py", ".gitignore"])
def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path, name: str) -> None:
    put(tmp_path, {name: "# mine\n"})
    with pytest.raises(UsageError, match=f"already contains {name}"):
        start(tmp_path)
    assert files_below(tmp_path) == {name: "# mine\n"}


def test_models_are_adopted_where_they_are(tmp_path: Path) -> None:
    put(tmp_path, {"library/records.py": MODEL.format(name="Reader") + MODEL.format(name="Entry")})
    begun = start(tmp_path)
    assert [(existing_model.name, existing_model.module) for existing_model in begun.adopted] == [
        ("Reader", "library.records"), ("Entry", "library.records"),
    ]  # fmt: skip
    assert (tmp_path / "pyproject.toml").read_text() == (
        '[tool.keywright]\nmodels = ["library/records.py", "stores.py"]\nimport-roots = ["."]\n'
    )
    assert (tmp_path / "stores.py").read_text().splitlines()[2:] == [
        "import keywright as kw",
        "from library.records import Reader",
        "from library.records import Entry",
        "",
        'app = kw.MongoDatabase("app")',
        "",
        'readers = kw.bind(Reader, kw.Collection(app, "readers"))',
        'entries = kw.bind(Entry, kw.Collection(app, "entries"))',
    ]


def test_an_adopted_project_is_legal(tmp_path: Path) -> None:
    put(tmp_path, {"records.py": MODEL.format(name="Reader")})
    start(tmp_path)
    files = files_below(tmp_path)
    assert errors_of(tmp_path, files) == []


def test_models_below_src_are_imported_from_there(tmp_path: Path) -> None:
    put(tmp_path, {"src/app/models.py": MODEL.format(name="Reader")})
    start(tmp_path)
    settings = tomllib.loads((tmp_path / "pyproject.toml").read_text())["tool"]["keywright"]
    assert settings == {"models": ["src/app/models.py", "stores.py"], "import-roots": ["src", "."]}
    assert "from app.models import Reader\n" in (tmp_path / "stores.py").read_text()


def test_an_adopted_project_keeps_its_settings(tmp_path: Path) -> None:
    put(tmp_path, {"records.py": MODEL.format(name="Reader"), "pyproject.toml": '[project]\nname = "mine"\n'})
    start(tmp_path)
    assert (tmp_path / "pyproject.toml").read_text().startswith('[project]\nname = "mine"\n\n[tool.keywright]\n')


def test_models_that_are_parts_of_others_are_not_stored_alone(tmp_path: Path) -> None:
    outer = "class Reader(BaseModel):\n    id: str\n    address: Address | None\n"
    put(tmp_path, {"records.py": MODEL.format(name="Address") + outer})
    assert [existing_model.name for existing_model in start(tmp_path).adopted] == ["Reader"]


@pytest.mark.parametrize("folder", ["tests", "build", ".venv/lib", "venv", "node_modules"])
def test_models_of_tests_and_libraries_are_not_adopted(tmp_path: Path, folder: str) -> None:
    put(tmp_path, {f"{folder}/records.py": MODEL.format(name="Reader")})
    assert start(tmp_path).adopted == ()


def test_files_that_cannot_be_read_as_python_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path, {"broken.py": "class (", "records.py": MODEL.format(name="Reader")})
    assert [existing_model.name for existing_model in start(tmp_path).adopted] == ["Reader"]


def test_a_base_of_models_is_not_stored_but_its_models_are(tmp_path: Path) -> None:
    base = "import pydantic\n\n\nclass Record(pydantic.BaseModel, Generic[T]):\n    id: str\n"
    put(tmp_path, {"base.py": base, "records.py": "class Reader(base.Record[str]):\n    pass\n"})
    assert [existing_model.name for existing_model in start(tmp_path).adopted] == ["Reader"]


def test_a_model_of_a_package_is_imported_from_the_package(tmp_path: Path) -> None:
    put(tmp_path, {"app/__init__.py": MODEL.format(name="Reader")})
    assert [existing_model.module for existing_model in start(tmp_path).adopted] == ["app"]


def test_files_that_no_module_can_be_called_like_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path, {"my-scripts/records.py": MODEL.format(name="Entry"), "records.py": MODEL.format(name="Reader")})
    assert [existing_model.name for existing_model in start(tmp_path).adopted] == ["Reader"]


def test_a_folder_whose_name_no_package_can_have_gives_the_project_a_near_one(tmp_path: Path) -> None:
    start(tmp_path / "my shop (new)")
    settings = tomllib.loads((tmp_path / "my shop (new)" / "pyproject.toml").read_text())
    assert settings["project"]["name"] == "my-shop-new"


PLURALS = {
    "Reader": "readers",
    "Entry": "entries",
    "Address": "addresses",
    "OrderLine": "order_lines",
    "Day": "days",
    "Batch": "batches",
    "HTTPRequest": "http_requests",
}


@pytest.mark.parametrize("name", PLURALS)
def test_a_collection_has_the_name_of_many(tmp_path: Path, name: str) -> None:
    put(tmp_path, {"records.py": MODEL.format(name=name)})
    start(tmp_path)
    assert f'kw.Collection(app, "{PLURALS[name]}")' in (tmp_path / "stores.py").read_text()


def test_a_model_with_a_store_is_left_as_it_is(tmp_path: Path) -> None:
    store = "import keywright as kw\nfrom pydantic import BaseModel\n\ndb = kw.MongoDatabase('db')\n\n\n"
    own = store + "class Show(BaseModel):\n    __store__ = kw.Collection(db, 'shows')\n    name: str\n"
    page = (
        "from pydantic import BaseModel\nfrom models import Show\n\n\nclass Found(BaseModel):\n    items: list[Show]\n"
    )
    put(tmp_path, {"models.py": own, "app.py": page})
    begun = start(tmp_path)
    assert (begun.adopted, begun.written) == ((), ("pyproject.toml", "stacks/Pulumi.dev.yaml", ".gitignore"))
    assert 'models = ["models.py"]' in (tmp_path / "pyproject.toml").read_text()


def test_a_model_that_only_carries_others_is_not_adopted(tmp_path: Path) -> None:
    page = "\n\nclass ReaderPage(BaseModel):\n    items: list[Reader]\n    cursor: str | None\n"
    put(tmp_path, {"app.py": MODEL.format(name="Reader") + page})
    assert [existing_model.name for existing_model in start(tmp_path).adopted] == ["Reader"]


def test_an_existing_gitignore_gets_the_lines_that_it_lacks(tmp_path: Path) -> None:
    put(tmp_path, {"app.py": MODEL.format(name="Reader"), ".gitignore": "*.pyc\n/build"})
    start(tmp_path)
    assert (tmp_path / ".gitignore").read_text() == "*.pyc\n/build\n/.keywright/\n"
