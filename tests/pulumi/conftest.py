"""The example as stacks of the real command line, with tables in DynamoDB Local."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.pulumi import program
from tests.pulumi.world import World

from keywright import local
from keywright.local import Instance, Running


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """DynamoDB Local."""
    folder = tmp_path_factory.mktemp("servers")
    required = local.required_engines(local.RECIPES) & {"dynamodb"}
    (answer,) = local.up(folder, [Instance("dynamodb", "dynamodb")], required=required, tell=lambda event: None)
    if not isinstance(answer, Running):
        pytest.skip(f"DynamoDB Local: {answer.reason}")
    yield answer.url
    local.down(folder, tell=lambda event: None)


@pytest.fixture
def world(endpoint: str, tmp_path: Path) -> Iterator[World]:
    """A copy of the example, without any stack."""
    programs = program.found()
    if programs is None:
        is_required = os.environ.get("KEYWRIGHT_REQUIRE_ENGINES") == "all"
        pytest.fail(program.HINT) if is_required else pytest.skip(program.HINT)
    made = World(tmp_path / "shop", programs, endpoint)
    made.prepare()
    yield made
    for table in made.dynamodb.list_tables()["TableNames"]:
        made.dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
        made.dynamodb.delete_table(TableName=table)
