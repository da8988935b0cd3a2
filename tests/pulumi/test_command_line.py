"""Stacks of the example by the real command line, on a file of state and tables in DynamoDB Local."""

import pytest
from tests.pulumi.world import World

pytestmark = pytest.mark.live

POSITION = "KEYWRIGHT_POSITION"


def add_an_index(world: World) -> None:
    """Edit the models."""
    world.edit(
        "models/shop.py",
        "\nshop = kw.",
        '\nby_brand = kw.Gsi("by_brand", pk="brand", sk="sku", project="keys")\n\nshop = kw.',
    )
    world.edit("models/shop.py", "by_day, by_category]", "by_day, by_category, by_brand]")


def test_a_change_of_the_models_is_one_change_of_one_table(world: World) -> None:
    assert world.pulumi("stack", "init", "dev").code == 0
    made = world.preview("dev")
    assert {(one["op"], one["urn"].split("::")[-1]) for one in made if "dynamodb" in one["urn"].split("::")[2]} == {
        ("create", "dynamodb"), ("create", "shop"), ("create", "messaging"), ("create", "devices"),
    }  # fmt: skip
    said = world.pulumi("up", "--yes", "-s", "dev")
    assert said.code == 0, said.text
    assert world.indexes("dev-shop") == ["by_category", "by_day", "lookup", "open_orders"]
    again = world.pulumi("up", "--yes", "-s", "dev", "--expect-no-changes")
    assert again.code == 0, again.text

    add_an_index(world)
    (step,) = world.preview("dev")
    assert (step["op"], step["urn"].split("::")[-1]) == ("update", "shop")
    assert {path.partition("[")[0]: one["kind"] for path, one in step["detailedDiff"].items()} == {
        "attributes": "add", "globalSecondaryIndexes": "add",
    }  # fmt: skip
    assert "globalSecondaryIndexes[4]" in step["detailedDiff"], "behind those that are there"
    said = world.pulumi("up", "--yes", "-s", "dev")
    assert said.code == 0, said.text
    assert "by_brand" in world.indexes("dev-shop")

    change = [{"Delete": {"IndexName": "by_brand"}}]
    world.dynamodb.update_table(TableName="dev-shop", GlobalSecondaryIndexUpdates=change)
    assert world.pulumi("refresh", "--yes", "-s", "dev").code == 0
    (step,) = world.preview("dev")
    assert "globalSecondaryIndexes[4]" in step["detailedDiff"]
    assert world.pulumi("up", "--yes", "-s", "dev").code == 0
    assert world.pulumi("destroy", "--yes", "-s", "dev").code == 0
    assert world.dynamodb.list_tables()["TableNames"] == []


def test_a_gated_stack_follows_its_position_and_nothing_replaces_or_destroys_its_tables(world: World) -> None:
    assert world.pulumi("stack", "init", "prod").code == 0
    said = world.pulumi("up", "--yes", "-s", "prod", **{POSITION: "0002"})
    assert said.code == 0, said.text
    assert "by_day" not in world.indexes("shop")
    said = world.pulumi("up", "--yes", "-s", "prod", **{POSITION: "0003"})
    assert said.code == 0, said.text
    assert "by_day" in world.indexes("shop")

    said = world.pulumi("destroy", "--yes", "-s", "prod", **{POSITION: "0003"})
    assert said.code != 0
    assert "protect" in said.text
    assert sorted(world.dynamodb.list_tables()["TableNames"]) == ["devices", "messaging", "shop"]

    add_an_index(world)
    said = world.pulumi("preview", "-s", "prod", **{POSITION: "0003"})
    assert said.code != 0
    assert '"prod" is changed by migrations only, and the models are ahead of them by' in said.text
    assert "Traceback" not in said.text


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("stacks/Pulumi.dev.yaml", "mode: dev", "moode: dev", 'an environment has no setting "moode"'),
        ("models/shop.py", "USER#{user_id}", "USER#{user_idd}", 'pk names the unknown field "user_idd"'),
    ],
)
def test_what_is_wrong_with_a_project_is_said_with_its_place(
    world: World, file: str, old: str, new: str, words: str
) -> None:
    assert world.pulumi("stack", "init", "dev").code == 0
    world.edit(file, old, new)
    said = world.pulumi("preview", "-s", "dev")
    assert said.code != 0
    assert f"{world.root / file}:" in said.text
    assert words in said.text
    assert "Traceback" not in said.text


def test_a_stack_that_is_no_environment_says_so(world: World) -> None:
    assert world.pulumi("stack", "init", "qa").code == 0
    said = world.pulumi("preview", "-s", "qa")
    assert 'the file has no "keywright:environment" below "config"' in said.text
    assert "Traceback" not in said.text
