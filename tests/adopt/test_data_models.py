"""Schema files that contain entities: of the DynamoDB MCP server, and of OneTable."""

from pathlib import Path
from typing import Any

import pytest
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law
from tests.corpora.modelfile import CORPORA, NEEDED
from tests.projects import codes_of

from keywright.edit.create.model_file import ModelFile, source_of
from keywright.engines.contract.adoption import Adoption, Schema
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.registry import engine_named, part_of

pytestmark = NEEDED

ADOPTION = part_of("dynamodb", "adoption", "ADOPTION", Adoption)
ENGINE = engine_named("dynamodb")
ENVIRONMENT = DynamoEnvironment(flavour="dynamodb")
MCP = CORPORA / "dynamodb" / "mcp"
GOLDENS = Path(__file__).parents[1] / "golden" / "adopted"
VALID = sorted((MCP / "valid_schemas").glob("*/*.json"))
ONETABLE = CORPORA / "dynamodb" / "workbench" / "labs" / "OneTable.json"


def read(path: Path) -> Schema:
    schema = ADOPTION.read_schema({path.name: path.read_text(encoding="utf-8")})
    assert schema is not None
    return schema


@pytest.mark.parametrize("path", [*VALID, ONETABLE], ids=lambda path: path.stem)
def test_every_entity_is_declared(path: Path, tmp_path: Path, is_golden: Any) -> None:
    schema = read(path)
    texts: list[str] = []
    for target in schema.targets:
        tables = schema.adopted[target.name]
        assert_law(ENGINE, target, tables, ENVIRONMENT)
        texts.append(assert_is_as_a_person_writes(tables, tmp_path))
        assert codes_of(tmp_path, source_of(ModelFile("Adopted.", tables.design, tables.comments))) == []
    listed = "".join(f"# {part.reason}\n" for part in schema.not_expressed)
    assert is_golden(GOLDENS / f"{path.stem}.py.txt", "\n\n".join([*texts, *filter(None, [listed])]))


@pytest.mark.parametrize("path", sorted((MCP / "invalid_schemas").glob("*.json")), ids=lambda path: path.stem)
def test_an_invalid_data_model_is_adopted_or_has_a_reason(path: Path, tmp_path: Path) -> None:
    schema = read(path)
    assert schema.not_expressed or schema.adopted
    for target in schema.targets:
        tables = schema.adopted.get(target.name) or ADOPTION.adopt(target, {}, ENVIRONMENT)
        if tables.design.physicals:
            assert_law(ENGINE, target, tables, ENVIRONMENT)
        else:
            assert tables.not_expressed


@pytest.mark.parametrize("path", sorted((MCP / "usage_data").glob("*/*.json")), ids=lambda path: path.stem)
def test_data_alone_are_no_schema(path: Path) -> None:
    assert ADOPTION.read_schema({path.name: path.read_text(encoding="utf-8")}) is None
