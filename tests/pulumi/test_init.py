"""What `keywright pulumi init` says of the program that is there."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.projects import a_project, imported_alone, with_imports

from keywright.cli.main import run
from keywright.project.additions import additions
from keywright.project.program import find_program
from keywright.project.settings import read_settings

ROOT = Path(__file__).parents[2]

MODELS = """
    content = kw.MongoDatabase("content")

    class Page(BaseModel):
        __store__: ClassVar = kw.Collection(content, "pages", id="{path}")
        path: Annotated[str, Field(max_length=80)]
"""

PROGRAM = """\
name: acme
main: infra
stackConfigDir: stacks
runtime: {name: python, options: {toolchain: uv, virtualenv: .venv}}
"""

FROM_NOTHING = """\
# where the program runs
pip install "keywright[mongodb,pulumi]"

# write Pulumi.yaml
name: shop
runtime: python
main: stacks
stackConfigDir: stacks

# add to Pulumi.yaml
plugins:
  providers:
    - name: keywright
      path: stacks/provider

# write stacks/provider/PulumiPlugin.yaml
runtime: python

# write stacks/provider/__main__.py
from keywright.provider import serve

serve()

# add to stacks/__main__.py
import keywright.pulumi

tables = keywright.pulumi.provision().tables  # or, these alone: Tables("dynamodb")

# exists already: stacks/Pulumi.dev.yaml
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a collection, and no program."""
    path = tmp_path / "shop"
    a_project(path, {"models/shop.py": with_imports(MODELS)})
    monkeypatch.chdir(path)
    return path


def said(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    capsys.readouterr()
    with imported_alone(folder):
        assert run(["--project", str(folder), "pulumi", "init"]) == 0
    return capsys.readouterr()


def test_where_there_is_no_program_all_of_one_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(folder, capsys) == (FROM_NOTHING, "")


def test_to_a_program_that_is_there_only_what_it_lacks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "Pulumi.yaml").write_text(PROGRAM, encoding="utf-8")
    (folder / "infra").mkdir()
    (folder / "infra" / "__main__.py").write_text("from keywright.pulumi import provision\n", encoding="utf-8")
    out, err = said(folder, capsys)
    assert err == 'Pulumi.yaml: "acme", a Python program in infra\n'
    assert "# write Pulumi.yaml" not in out
    assert "      path: infra/provider\n" in out
    assert "    toolchain: uv\n    virtualenv: ../../.venv\n" in out
    assert "# exists already: infra/__main__.py, stacks/Pulumi.dev.yaml\n" in out


def test_the_environment_to_start_from_has_the_engines_of_the_models_only(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "stacks" / "Pulumi.dev.yaml").write_text("config:\n  aws:region: eu-west-1\n", encoding="utf-8")
    out, _ = said(folder, capsys)
    assert out.endswith(
        "# add to stacks/Pulumi.dev.yaml\n"
        'config:\n  keywright:environment:\n    mode: dev\n    mongodb: {flavour: mongodb, version: "8.0"}\n\n'
    )


def test_a_program_elsewhere_is_told_where_the_project_is(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    infra = tmp_path / "infra"
    infra.mkdir()
    (infra / "Pulumi.yaml").write_text("name: acme\nruntime: python\n", encoding="utf-8")
    monkeypatch.chdir(infra)
    out, _ = said(folder, capsys)
    assert f"export KEYWRIGHT_PROJECT={folder}\n" in out
    assert '[tool.keywright]\nenvironments = "../infra"\n' in out, "the files that Pulumi reads are those to be read"
    assert "# add to Pulumi.dev.yaml\n" in out


def test_a_program_in_another_language_is_shown_the_other_way(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "Pulumi.yaml").write_text("name: acme\nruntime: nodejs\n", encoding="utf-8")
    out, err = said(folder, capsys)
    assert out == ""
    assert err.startswith('Pulumi.yaml: "acme" is not a Python program; its runtime is nodejs\n')
    assert "`keywright compile --pulumi-yaml`" in err


def test_a_project_of_our_own_name_is_warned_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "Pulumi.yaml").write_text("name: keywright\nruntime: python\n", encoding="utf-8")
    _, err = said(folder, capsys)
    assert err.startswith('Pulumi.yaml: the project has the name "keywright", so "keywright:..." means its own')


def test_a_program_that_is_no_yaml_is_an_error_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "Pulumi.yaml").write_text("name: acme\nruntime: {\n", encoding="utf-8")
    with imported_alone(folder):
        assert run(["pulumi", "init"]) == 2
    assert "Pulumi.yaml:3: error[E0403]: the file is not valid YAML" in capsys.readouterr().err


def test_the_example_lacks_nothing_and_is_what_would_be_printed() -> None:
    program = find_program(ROOT / "stacks")
    assert program is not None
    result = additions(read_settings(ROOT), program, ("mongodb", "redis"), "prod")
    assert [addition.is_present for addition in result] == [False, True, True, True, True, True], (
        "of packages nobody can tell"
    )
    plugin: Any = next(
        yaml.safe_load(addition.text) for addition in result if addition.where.endswith("PulumiPlugin.yaml")
    )
    assert plugin == yaml.safe_load((ROOT / "stacks" / "provider" / "PulumiPlugin.yaml").read_text(encoding="utf-8"))
    start = (ROOT / "stacks" / "provider" / "__main__.py").read_text(encoding="utf-8")
    assert next(addition.text for addition in result if addition.where.endswith("provider/__main__.py")) in start
    listed: Any = next(yaml.safe_load(addition.text) for addition in result if addition.where.endswith("Pulumi.yaml"))
    own: Any = yaml.safe_load((ROOT / "Pulumi.yaml").read_text(encoding="utf-8"))
    assert listed["plugins"] == own["plugins"]
