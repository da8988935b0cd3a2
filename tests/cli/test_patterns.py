"""`keywright patterns` and `keywright prove`, as far as they need no server."""

import json
from pathlib import Path

import pytest

from .conftest import Keywright
from .test_documents import document


@pytest.fixture
def project_with_a_gap(project: Path) -> Path:
    """The small project with one pattern that nothing serves."""
    (file,) = (path for path in (project / "models").glob("*.py") if path.name != "__init__.py")
    text = file.read_text(encoding="utf-8").replace('kw.Index("title")', "")
    file.write_text(f'{text}\n\nby_title = kw.Read(Book, eq="title", limit=10)\n', encoding="utf-8")
    return project


@pytest.mark.usefixtures("project")
def test_the_matrix_fits_a_narrow_terminal_and_counts(keywright: Keywright) -> None:
    said = keywright("patterns")
    assert (said.code, said.err) == (0, "")
    assert max(map(len, said.out.splitlines())) <= 80
    assert said.out.splitlines()[-1] == "1 of 1 pattern served"


@pytest.mark.usefixtures("project_with_a_gap")
def test_what_is_not_served_is_told_with_the_line_to_paste(keywright: Keywright) -> None:
    said = keywright("patterns")
    assert said.code == 1
    assert "NOT SERVED" in said.out
    assert 'kw.Index("title")' in said.out
    assert said.out.splitlines()[-1] == "1 of 2 patterns served"


@pytest.mark.usefixtures("project_with_a_gap")
def test_one_pattern_is_told_whole(keywright: Keywright) -> None:
    said = keywright("patterns", "by_title")
    assert said.code == 1
    assert "not table books: " in said.out


@pytest.mark.usefixtures("project_with_a_gap")
def test_the_matrix_as_a_document(keywright: Keywright) -> None:
    result = document(keywright("patterns", "--format", "json"))
    gap = next(pattern for pattern in result["patterns"] if pattern["name"] == "by_title")
    assert (gap["served"], gap["by"], gap["query"]) == (False, None, None)
    assert gap["fix"]["text"] == 'kw.Index("title")'
    edit = gap["fix"]["edit"]
    assert Path(edit["file"]).is_file()


@pytest.mark.usefixtures("project")
def test_the_matrix_as_markdown_and_as_a_page(keywright: Keywright) -> None:
    assert keywright("patterns", "--format", "markdown").out.startswith("## models")
    page = keywright("patterns", "--format", "html").out
    assert page.startswith("<!doctype html>")
    assert "http" not in page.replace("http-equiv", "")
    assert page == keywright("patterns", "--format", "html").out


@pytest.mark.usefixtures("project")
def test_a_misspelt_pattern_gets_a_suggestion(keywright: Keywright) -> None:
    name = json.loads(keywright("patterns", "--format", "json").out)["patterns"][0]["name"]
    said = keywright("patterns", f"{name}x")
    assert said.code == 2
    assert f'did you mean "{name}"?' in said.err


@pytest.mark.usefixtures("project")
def test_the_plan_is_an_artefact(keywright: Keywright) -> None:
    keywright("compile")
    result = document(type(keywright("patterns"))(0, Path("build/dev/access.json").read_text(), ""))
    assert [pattern["served"] for pattern in result["patterns"]] == [True]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("prove", "prove requires either --local or --endpoint"),
        ("prove --local --endpoint mongodb=x", "prove requires either --local or --endpoint"),
        ("prove --local --load", "--load requires --endpoint"),
        ("prove --endpoint mongodb", '"mongodb" is not ENGINE=URL'),
        ("prove --endpoint oracle=x", '"oracle=x" is not ENGINE=URL'),
        ("prove --local nothing", 'there is no pattern "nothing"'),
    ],
)
@pytest.mark.usefixtures("project")
def test_wrong_ways_to_prove_are_told(keywright: Keywright, words: str, told: str) -> None:
    said = keywright(*words.split())
    assert said.code == 2
    assert told in said.err


@pytest.mark.usefixtures("project")
def test_without_a_server_there_is_no_proof(keywright: Keywright) -> None:
    said = keywright("prove", "--local")
    assert said.code == 3
    assert "start them with `keywright local up`" in said.err


@pytest.mark.usefixtures("project")
def test_an_endpoint_that_does_not_answer_is_told(keywright: Keywright) -> None:
    said = keywright("prove", "--endpoint", "mongodb=mongodb://127.0.0.1:1")
    assert said.code == 3
    assert "127.0.0.1:1" in said.err
