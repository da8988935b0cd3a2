"""The whole example by the real command line on four real engines, from an empty folder of state to the end."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.pulumi.world import World

pytestmark = pytest.mark.live

CHANGED = {
    "shop": {"attributes": "add", "globalSecondaryIndexes": "add"},
    "content.posts": {"indexes": "add"},
    "netflix.viewing_history": {"columns": "add"},
    "sessions": {"settings": "update"},
}
"""What `change` changes: of each resource the inputs, and how."""


def change(world: World) -> None:
    """Edit the models: something new in each engine."""
    world.edit(
        "models/shop.py",
        "\nshop = kw.",
        '\nby_brand = kw.Gsi("by_brand", pk="brand", sk="sku", project="keys")\n\nshop = kw.',
    )
    world.edit("models/shop.py", "by_day, by_category]", "by_day, by_category, by_brand]")
    world.edit("models/content.py", 'kw.Index("tags"),', 'kw.Index("tags"),\n            kw.Index("comment_count"),')
    world.edit("models/viewing.py", "    completed: bool\n", "    completed: bool\n    rating: int | None = None\n")
    world.edit("models/sessions.py", 'kw.Aof(fsync="everysec"), kw.Rdb()', 'kw.Aof(fsync="always"), kw.Rdb()')


def changed(steps: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """What a preview changes, in the form of `CHANGED`."""
    return {
        step["urn"].split("::")[-1]: {
            path.partition("[")[0].partition(".")[0]: output["kind"] for path, output in step["detailedDiff"].items()
        }
        for step in steps
        if step["op"] == "update"
    }


def test_development_follows_the_models(world: World, mongodb: Any) -> None:
    posts = mongodb.dev_content.posts
    assert world.pulumi("stack", "init", "dev").code == 0
    assert {entry["op"] for entry in world.preview("dev")} == {"create"}
    world.up("dev")
    world.up("dev", "--expect-no-changes")
    change(world)
    steps = world.preview("dev")
    assert changed(steps) == CHANGED
    assert len(steps) == len(CHANGED)
    world.up("dev")
    world.up("dev", "--expect-no-changes")

    posts.drop_index("comment_count_1")
    posts.create_index("body")
    world.dynamodb.update_table(
        TableName="dev-shop", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_brand"}}]
    )
    assert world.pulumi("refresh", "--yes", "-s", "dev").code == 0
    assert changed(world.preview("dev")) == {
        "shop": {"attributes": "add", "globalSecondaryIndexes": "add"},
        "content.posts": {"indexes": "add"},
    }
    world.up("dev")
    assert {"comment_count_1", "tags_1", "body_1"} < set(posts.index_information()), "what no model declares stays"
    assert "by_brand" in world.indexes("dev-shop")
    assert world.pulumi("destroy", "--yes", "-s", "dev").code == 0
    assert world.dynamodb.list_tables()["TableNames"] == []
    assert posts.database.list_collection_names(filter={"name": {"$not": {"$regex": "^_"}}}) == []


def test_production_is_made_by_approval_and_destroyed_by_nobody(world: World, mongodb: Any) -> None:
    say_local(world.root / "stacks" / "Pulumi.prod.yaml")
    assert world.pulumi("stack", "init", "prod").code == 0
    approve(world, "prod")
    world.up("prod", "--expect-no-changes")
    said = world.pulumi("destroy", "--yes", "-s", "prod")
    assert said.code != 0
    assert "protect" in said.text
    assert "slug_1" in mongodb.content.posts.index_information()


def test_a_gated_stack_is_changed_by_approval_and_by_nothing_else(world: World, mongodb: Any) -> None:
    stack, posts = "staging", mongodb.staging_content.posts
    say_local(world.root / "stacks" / f"Pulumi.{stack}.yaml")
    assert world.pulumi("stack", "init", stack).code == 0
    assert "is not applied here yet" in world.up(stack)
    assert world.dynamodb.list_tables()["TableNames"] == []
    approve(world, stack)
    world.up(stack, "--expect-no-changes")
    assert {"tags_1", "slug_1"} < set(posts.index_information())

    change(world)
    said = world.pulumi("up", "--yes", "--skip-preview", "-s", stack)
    assert said.code != 0
    assert f'"{stack}" is gated, and its migrations lack' in said.text
    assert world.keywright("migrate", "diff", "-m", "brands").code == 0
    said = world.up(stack, "--expect-no-changes")
    assert "_brands is not applied here yet" in said
    assert f"keywright --env {stack} migrate plan" in said
    assert "comment_count_1" not in posts.index_information()
    approve(world, stack)
    world.up(stack, "--expect-no-changes")
    assert "comment_count_1" in posts.index_information()
    assert "by_brand" in world.indexes("staging-shop")

    posts.drop_index("tags_1")
    assert world.pulumi("refresh", "--yes", "-s", stack).code == 0
    assert changed(world.preview(stack)) == {"content.posts": {"indexes": "add"}}
    said = world.pulumi("up", "--yes", "--skip-preview", "-s", stack)
    assert said.code != 0
    assert f"`keywright --env {stack} migrate apply` applies the missing migrations" in said.text


def say_local(file: Path) -> None:
    """Of DynamoDB, what its stand-in shows to who looks at it past Pulumi."""
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    part = document["config"]["keywright:environment"]["dynamodb"]
    kept = {key: part[key] for key in ("name-prefix", "protect") if key in part}
    document["config"]["keywright:environment"]["dynamodb"] = {"flavour": "dynamodb-local", **kept}
    file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")


def approve(world: World, stack: str) -> None:
    """What a pipeline does: plan, have the hash approved, apply."""
    planned = world.keywright("--env", stack, "migrate", "plan")
    assert planned.code == 1, planned.text
    assert "by pulumi" in planned.text
    hash = planned.text.split("--approved ")[1].split()[0]
    done = world.keywright("--env", stack, "migrate", "apply", "--approved", hash)
    assert done.code == 0, done.text
