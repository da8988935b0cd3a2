"""JSON documents: alone on stdout, and as docs/schemas says."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from .conftest import Keywright, Said

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def document(said: Said) -> Any:
    """What stdout holds, after it was held against the schema that it names."""
    result = json.loads(said.out)
    schema = json.loads((SCHEMAS / f"{result['schema'].partition('/')[0]}.json").read_text())
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(result)
    return result


@pytest.mark.usefixtures("project")
def test_what_a_compile_changed(keywright: Keywright) -> None:
    result = document(keywright("compile", "--check", "--format", "json"))
    assert (result["environment"], result["files"]) == ("dev", 4)
    assert result["changes"][0] == {"path": "access.json", "kind": "new"}


def test_what_is_wrong_with_the_models(keywright: Keywright, project: Path) -> None:
    (project / "models" / "loans.py").write_text("import nothing_of_that_name\n")
    said = keywright("check", "--format", "json")
    assert (said.code, said.err) == (2, "")
    assert document(said)["findings"][0]["at"] == {"file": "models/loans.py", "line": 1, "column": 1}


@pytest.mark.usefixtures("project")
def test_that_nothing_is_wrong_with_the_models(keywright: Keywright) -> None:
    result = document(keywright("check", "--format", "json"))
    assert result["summary"] == {
        "errors": 0,
        "warnings": 0,
        "infos": 0,
        "questions": 0,
        "entities": 2,
        "patterns": 1,
        "missing_facts": [],
    }


@pytest.mark.parametrize("line", ["rules --format json", "rules DDB --asked-of stored --format json"])
def test_the_catalogue_of_rules(keywright: Keywright, line: str) -> None:
    document(keywright(*line.split()))


@pytest.mark.parametrize("line", ["explain --format json", "explain E0303 --format json"])
def test_pages_of_errors(keywright: Keywright, line: str) -> None:
    document(keywright(*line.split()))


@pytest.mark.parametrize("line", ["local status", "local down"])
@pytest.mark.usefixtures("project")
def test_what_runs(keywright: Keywright, line: str) -> None:
    said = keywright(*line.split(), "--format", "json")
    assert (said.code, said.err) == (0, "")
    document(said)


@pytest.mark.usefixtures("project")
def test_the_description_of_the_models(keywright: Keywright) -> None:
    keywright("compile")
    document(Said(0, Path("build/dev/ir.json").read_text(), ""))


@pytest.mark.usefixtures("project")
def test_a_sample_is_one_json_value_in_each_line(keywright: Keywright) -> None:
    said = keywright("sample", "--scale", "3")
    assert (said.code, said.err) == (0, "")
    assert {json.loads(line)["entity"] for line in said.out.splitlines()} == {"Book", "Session"}
