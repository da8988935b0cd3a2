"""`migrate apply` landing what a stack owns, by the real command line, on tables in DynamoDB Local."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.pulumi.cleaning import emptied
from tests.pulumi.shop import CONTENT, NOTES, Shop

pytestmark = pytest.mark.live


@pytest.fixture
def shop(programs: Path, endpoint: str, addresses: dict[str, str], tmp_path: Path) -> Iterator[Shop]:
    """The project with its first version, and without a stack."""
    created = Shop(tmp_path / "shop", programs, endpoint, addresses)
    created.prepare()
    assert created.migrate("diff", "-m", "orders").code == 0
    with emptied(created.dynamodb, addresses):
        yield created


@pytest.fixture
def made(shop: Shop) -> Shop:
    """Its first version is there."""
    assert shop.pulumi("stack", "init", "prod").code == 0
    said = shop.migrate("apply")
    assert said.code == 0, said.text
    return shop


def unchanged(shop: Shop) -> None:
    """A bare update has nothing to do."""
    said = shop.pulumi("up", "--yes", "--skip-preview", "-s", "prod", "--expect-no-changes")
    assert said.code == 0, said.text


def test_an_update_that_is_killed_is_cancelled_and_gone_on_with(made: Shop) -> None:
    made.index("by_day", "day")
    with made.applying("Table shop updating") as applying:
        applying.kill_child()
        ended = applying.ended()
    assert ended.code == 5, ended.text
    assert "`pulumi up` failed: it was terminated by signal 9" in ended.text
    ended = made.migrate("apply")
    assert ended.code == 4, ended.text
    assert 'the stack "prod" is locked: created by' in ended.text
    assert "run `pulumi cancel --stack prod`" in ended.text
    assert made.pulumi("cancel", "--yes", "-s", "prod").code == 0
    ended = made.migrate("apply")
    assert ended.code == 0, ended.text
    assert made.indexes("shop") == ["by_day"]
    unchanged(made)


def test_an_interruption_is_passed_on_and_waited_for(made: Shop) -> None:
    made.index("by_day", "day")
    with made.applying("Table shop updating") as applying:
        applying.interrupt()
        ended = applying.ended()
    assert ended.code == 130, ended.text
    assert "Traceback" not in ended.text
    ended = made.migrate("apply")
    assert ended.code == 0, ended.text
    assert made.indexes("shop") == ["by_day"]
    unchanged(made)


def test_indexes_of_one_version_come_by_an_update_each(made: Shop) -> None:
    made.edit("models/shop.py", "gsis=[", 'gsis=[kw.Gsi("by_day", pk="day"), kw.Gsi("by_brand", pk="brand")')
    made.diff("two")
    said = made.migrate("apply")
    assert said.code == 0, said.text
    assert said.text.count("aws:dynamodb:Table shop updated") == 2
    assert made.indexes("shop") == ["by_brand", "by_day"]
    unchanged(made)


SECOND = """
import pulumi
import pulumi_aws as aws

us = aws.Provider("us", region="us-east-1", skip_credentials_validation=True, skip_requesting_account_id=True)
keywright.pulumi.Tables("us", environment="prod", opts=pulumi.ResourceOptions(providers=[us]))
"""
"""The same tables, by the same names, in another region."""


def test_tables_of_one_name_in_two_regions_follow_together(made: Shop) -> None:
    program = made.root / "stacks" / "__main__.py"
    program.write_text(program.read_text() + SECOND)
    made.index("by_day", "day")
    said = made.migrate("apply")
    assert said.code != 0
    assert 'which the program names "us-shop" and gives its own provider, is not in the stack "prod"' in said.text
    assert made.indexes("shop") == []
    (position,) = re.findall(r"`KEYWRIGHT_POSITION=(\S+) pulumi up --stack prod`", said.text)
    made.up("prod", KEYWRIGHT_POSITION=position)
    said = made.migrate("apply")
    assert said.code == 0, said.text
    assert "Table shop updated" in said.text
    assert "Table us-shop updated" in said.text
    assert made.indexes("shop") == ["by_day"]
    unchanged(made)


def test_tables_that_were_there_before_their_stack_are_taken_in(shop: Shop) -> None:
    shop.edit("stacks/Pulumi.prod.yaml", "dynamodb-local", "dynamodb-local, managed-by: keywright")
    said = shop.migrate("apply")
    assert said.code == 0, said.text
    assert "pulumi" not in said.text
    shop.edit("stacks/Pulumi.prod.yaml", ", managed-by: keywright", "")
    assert shop.pulumi("stack", "init", "prod").code == 0
    said = shop.migrate("apply")
    assert said.code == 0, said.text
    assert "aws:dynamodb:Table shop imported" in said.text
    unchanged(shop)
    said = shop.pulumi("destroy", "--yes", "-s", "prod")
    assert said.code != 0
    assert "protect" in said.text


def test_a_table_that_goes_is_unprotected_first_and_dropped_then(made: Shop) -> None:
    models = made.root / "models" / "shop.py"
    before = models.read_text()
    models.write_text(before + NOTES)
    made.diff("notes")
    assert made.migrate("apply").code == 0
    made.edit("models/shop.py", "gone: Annotated[datetime | None, kw.Ttl()]", "gone: datetime | None")
    made.edit("models/shop.py", "over: datetime | None", "over: Annotated[datetime | None, kw.Ttl()]")
    made.diff("expiry")
    said = made.migrate("apply", "--ack", "0003/10")
    assert said.code == 0, said.text
    timetolivedescription = made.dynamodb.describe_time_to_live(TableName="notes")["TimeToLiveDescription"]
    assert timetolivedescription["AttributeName"] == "over"

    models.write_text(before)
    made.diff("no notes")
    said = made.migrate("apply")
    assert said.code == 4, said.text
    said = made.pulumi("up", "--yes", "--skip-preview", "-s", "prod")
    assert said.code != 0
    assert "0004_no_notes is running in" in said.text
    said = made.migrate("apply", "--ack", "0004/10")
    assert said.code == 0, said.text
    assert "aws:dynamodb:Table notes deleted" in said.text
    assert made.dynamodb.list_tables()["TableNames"] == ["kw-history", "shop"]
    unchanged(made)


OWN = """
import pulumi_aws as aws

aws.dynamodb.Table(
    "own", name="own", hash_key="{0}", billing_mode="PAY_PER_REQUEST", attributes=[{{"name": "{0}", "type": "S"}}]
)
"""
"""A table of the user's, beside those of the models."""


def test_an_update_that_would_do_more_is_refused_before_it_does_anything(made: Shop) -> None:
    program = made.root / "stacks" / "__main__.py"
    text = program.read_text()
    program.write_text(text + OWN.format("a"))
    assert made.pulumi("up", "--yes", "--skip-preview", "-s", "prod").code == 0
    made.index("by_day", "day")
    program.write_text(text + OWN.format("b"))
    said = made.migrate("apply")
    assert said.code == 5, said.text
    assert '"own" is replaced' in said.text
    assert "Updating" not in said.text
    assert made.indexes("shop") == []
    program.write_text(text + OWN.format("a"))
    said = made.migrate("apply")
    assert said.code == 0, said.text
    assert made.indexes("shop") == ["by_day"]
    unchanged(made)


def test_a_position_that_is_only_assumed_is_for_previews(made: Shop) -> None:
    made.edit("stacks/Pulumi.prod.yaml", "mode: gated", 'mode: gated\n    position: "0001"')
    assert made.pulumi("preview", "-s", "prod", "--expect-no-changes").code == 0
    said = made.pulumi("up", "--yes", "--skip-preview", "-s", "prod")
    assert said.code != 0
    assert 'has only an assumed "position"' in said.text
    said = made.pulumi("preview", "-s", "prod", KEYWRIGHT_POSITION="0001/15")
    assert said.code != 0
    assert 'KEYWRIGHT_POSITION is "0001/15": there is no step "0001/15"' in said.text
    assert "Traceback" not in said.text


def test_what_keeps_the_command_line_from_its_stack_is_said_before_anything_is_made(shop: Shop, tmp_path: Path) -> None:
    cases: list[tuple[dict[str, str], str, str]] = [
        ({"PATH": "/usr/bin:/bin"}, '"pulumi" is not on PATH', "managed-by: keywright"),
        ({}, "no stack named 'prod' found", "pulumi stack init prod"),
        ({"PULUMI_BACKEND_URL": ""}, "must be set for login", "pulumi login"),
    ]
    for variables, problem, help in cases:
        said = shop.migrate("apply", **variables)
        assert said.code == 3, said.text
        assert problem in said.text
        assert help in said.text
        assert "Traceback" not in said.text
    assert shop.pulumi("stack", "init", "prod").code == 0
    said = shop.migrate("apply", PULUMI_CONFIG_PASSPHRASE="another")
    assert said.code == 3, said.text
    assert "incorrect passphrase" in said.text
    assert "shop" not in shop.dynamodb.list_tables()["TableNames"]


def test_a_collection_that_goes_leaves_the_stack_too(made: Shop) -> None:
    models = made.root / "models" / "content.py"
    models.write_text(CONTENT)
    made.edit("stacks/Pulumi.prod.yaml", "    dynamodb:", "    mongodb: {flavour: mongodb}\n    dynamodb:")
    made.diff("content")
    nobody = {"KEYWRIGHT_STORE_MONGODB": ""}
    said = made.migrate("apply", **nobody)
    assert said.code == 2
    assert "no address is set for mongodb/content" in said.text
    address = made.addresses["MONGODB"]
    assert made.pulumi("config", "set", "--secret", "keywright:mongodbUri", address, "-s", "prod").code == 0
    said = made.migrate("apply", **nobody)
    assert said.code == 0, said.text
    assert "keywright:mongodb:Collection content.notes created" in said.text
    unchanged(made)
    text = models.read_text()
    models.write_text(text[: text.index("class Note")])
    made.diff("no notes")
    assert made.migrate("apply").code == 4
    said = made.migrate("apply", "--ack", "0003/10")
    assert said.code == 0, said.text
    assert "content.notes" not in made.pulumi("stack", "export", "-s", "prod").text
    unchanged(made)
