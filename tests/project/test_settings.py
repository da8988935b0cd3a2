"""The [tool.keywright] table of pyproject.toml."""

from pathlib import Path

import pytest

from keywright.errors import DeclarationError, UsageError
from keywright.project.settings import Settings, find_root, read_settings
from keywright.record import replace


def read(folder: Path, text: str | bytes) -> Settings:
    (folder / "pyproject.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_settings(folder)


def refused(folder: Path, text: str | bytes) -> str:
    with pytest.raises(DeclarationError) as error:
        read(folder, text)
    return str(error.value).replace(f"{folder}/", "")


def test_an_empty_table_has_the_defaults(tmp_path: Path) -> None:
    assert read(tmp_path, "[tool.keywright]\n") == Settings(tmp_path)


def test_every_setting_is_read(tmp_path: Path) -> None:
    text = """
    [tool.keywright]
    models = ["src/shop", "extra.py"]
    migrations = "changes"
    build = "out"
    environments = "envs"
    default-environment = "local"
    import-roots = ["src", "."]
    lease-seconds = 1.5
    documentation = "https://docs.example.com/keywright"
    [tool.keywright.rules]
    """
    settings = read(tmp_path, text)
    expected = Settings(tmp_path, ("src/shop", "extra.py"), "changes", "out", "envs", "local", ("src", "."))
    assert settings == replace(expected, lease_seconds=1.5, documentation="https://docs.example.com/keywright")
    assert settings.model_paths == (tmp_path / "src/shop", tmp_path / "extra.py")
    assert settings.root_paths == (tmp_path.resolve() / "src", tmp_path.resolve())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[tool.keywright]\nmodel = ["models"]\n',
            'pyproject.toml:2: error[E0401]: [tool.keywright] has no setting "model"\n  help: did you mean "models"?',
        ),
        (
            '[tool.keywright]\n\nmodels = "models"\n',
            "pyproject.toml:3: error[E0402]: \"models\" is 'models', it takes a list of text\n"
            '  help: such as models = ["."]',
        ),
        (
            "[tool.keywright]\nbuild = 3\n",
            'pyproject.toml:2: error[E0402]: "build" is 3, it takes text\n  help: such as build = "name"',
        ),
        (
            "[tool.keywright]\nlease-seconds = 0\n",
            'pyproject.toml:2: error[E0402]: "lease-seconds" is 0, it takes seconds\n'
            "  help: such as lease-seconds = 60",
        ),
        *(
            (
                f"[tool.keywright]\ndocumentation = '{address}'\n",
                f'pyproject.toml:2: error[E0402]: "documentation" is {address!r}, it takes an http or https address\n'
                '  help: such as documentation = "https://keywright.dev/codes/"',
            )
            for address in ("javascript:alert(1)", "https://a.example/) [x](https://b.example", "docs")
        ),
        (
            "[tool]\nkeywright = 3\n",
            'pyproject.toml:2: error[E0402]: "tool.keywright" is a value, it takes a table\n'
            "  help: write [tool.keywright]",
        ),
        (
            "[tool.keywright]\nbuild = \n",
            "pyproject.toml:2: error[E0403]: the file is not valid TOML: invalid value\n"
            "  help: correct the quotes, brackets or names",
        ),
        (b"\xff", "pyproject.toml: error[E0403]: the file is not text in UTF-8\n  help: save it as UTF-8"),
    ],
)
def test_what_is_wrong_has_its_line(tmp_path: Path, text: str | bytes, message: str) -> None:
    assert refused(tmp_path, text) == message


def test_the_nearest_folder_with_the_table_is_the_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.keywright]\n")
    inner = tmp_path / "service"
    (inner / "deep").mkdir(parents=True)
    (inner / "pyproject.toml").write_text("[project]\n")
    assert find_root(inner / "deep") == tmp_path


def test_without_such_a_folder_there_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no project found"):
        find_root(tmp_path)


def test_a_folder_without_the_file_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a project"):
        read_settings(tmp_path)
    with pytest.raises(UsageError, match="is not a project"):
        read_settings(tmp_path / "gone")


def test_a_variable_names_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.keywright]\n")
    monkeypatch.setenv("KEYWRIGHT_PROJECT", str(tmp_path))
    assert read_settings().root == tmp_path
