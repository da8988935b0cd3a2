"""Laws that hold for every DynamoDB table and environment."""

import json

from hypothesis import given, settings
from tests.properties.dynamodb import environments, targets

from keywright.engines.dynamodb.codec import describe, parse
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.migrate import create
from keywright.engines.dynamodb.place import place, unplace
from keywright.engines.dynamodb.render import render
from keywright.engines.dynamodb.settings import DynamoEnvironment
from keywright.engines.dynamodb.target import TableTarget
from keywright.engines.plan import State

few = settings(max_examples=50, deadline=None)


@few
@given(targets())
def test_a_described_table_is_read_back_as_it_was(table: TableTarget) -> None:
    assert parse(json.loads(json.dumps(describe(table)))) == table


@few
@given(targets(), environments())
def test_a_placed_table_is_read_back_as_it_was(table: TableTarget, environment: DynamoEnvironment) -> None:
    placed = place(table, environment)
    assert parse(json.loads(json.dumps(describe(placed)))) == placed


@few
@given(targets(), environments())
def test_what_an_environment_adds_can_be_taken_off(table: TableTarget, environment: DynamoEnvironment) -> None:
    assert unplace(place(table, environment), environment) == table


@few
@given(targets(), environments())
def test_artefacts_are_the_same_each_time(table: TableTarget, environment: DynamoEnvironment) -> None:
    placed = place(table, environment)
    assert render(table, placed, environment) == render(table, placed, environment)


@few
@given(targets(), environments())
def test_every_step_finds_what_it_makes_in_the_description(table: TableTarget, environment: DynamoEnvironment) -> None:
    placed = place(table, environment)
    for step in create(placed):
        assert ENGINE.probe(step, None) is State.ABSENT
        assert ENGINE.probe(step, describe(placed)) is State.PRESENT


@few
@given(targets())
def test_a_definition_is_made_for_exactly_the_attributes_of_keys(table: TableTarget) -> None:
    statement = create(table)[0].statement
    assert isinstance(statement, dict)
    made = statement["input"]
    assert isinstance(made, dict)
    keys = [table.keys, *(index.keys for index in (*table.indexes, *table.local_indexes))]
    wanted = {part.attribute: part.type for parts in keys for part in parts}
    assert made["AttributeDefinitions"] == [
        {"AttributeName": name, "AttributeType": wanted[name]} for name in sorted(wanted)
    ]
