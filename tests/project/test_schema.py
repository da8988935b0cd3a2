"""The JSON Schema of environments: as strict as the reader, and no stricter."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from tests.projects import STACK

from keywright.engines.registry import ENGINES
from keywright.project.environments.environment import KEY
from keywright.project.environments.schema import schema

ROOT = Path(__file__).parents[2]
SCHEMA: Any = schema(ENGINES)


def is_valid(environment: Any) -> bool:
    return Draft202012Validator(SCHEMA).is_valid(environment)


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("file", sorted((ROOT / "stacks").glob("Pulumi.*.yaml")), ids=lambda file: file.stem)
def test_the_environments_of_the_example_are_valid(file: Path) -> None:
    assert is_valid(yaml.safe_load(file.read_text())["config"][KEY])


def test_an_environment_of_every_engine_is_valid() -> None:
    assert is_valid(yaml.safe_load(STACK)["config"][KEY])


VALID = [
    {},
    {"mode": "gated", "tags": {"team": "shop"}, "history": "mongodb/content", "position": "0004"},
    {"redis": {"flavour": "redis", "ram": "4gb"}},
    {"redis": {"flavour": "redis", "ram": 4096}},
    {"redis": {"flavour": "redis", "servers": {"sessions": {"ram": "40 GB"}}}},
]


@pytest.mark.parametrize("environment", VALID, ids=str)
def test_what_the_reader_takes_is_valid(environment: object) -> None:
    assert is_valid(environment)


WRONG = [
    {"mode": "prod"},
    {"tags": {"team": 1}},
    {"postgres": {}},
    {"redis": {"flavour": "redis", "ram": "much"}},
    {"redis": {"flavour": "redis", "memory": "4gb"}},
    {"cassandra": {"flavour": "casandra"}},
    {"dynamodb": {"flavour": "dynamodb", "billing": "sometimes"}},
]


@pytest.mark.parametrize("environment", WRONG, ids=str)
def test_what_the_reader_refuses_is_not_valid(environment: object) -> None:
    assert not is_valid(environment)
