"""Laws that hold for every DynamoDB table and environment."""

from hypothesis import given, settings
from tests.properties.dynamodb import targets

from keywright.engines.dynamodb.migrate.create import create
from keywright.engines.dynamodb.schema.target import TableTarget

few = settings(max_examples=50, deadline=None)


@few
@given(targets())
def test_a_definition_is_made_for_exactly_the_attributes_of_keys(table: TableTarget) -> None:
    statement = create(table)[0].native
    assert isinstance(statement, dict)
    created = statement["input"]
    assert isinstance(created, dict)
    keys = [table.keys, *(index.keys for index in (*table.indexes, *table.local_indexes))]
    expected = {part.attribute: part.type for parts in keys for part in parts}
    assert created["AttributeDefinitions"] == [
        {"AttributeName": name, "AttributeType": expected[name]} for name in sorted(expected)
    ]
