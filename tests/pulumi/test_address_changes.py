"""A stack whose store has another address: the same `up` goes there, and nothing happens where it was before."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymongo
import pytest
import redis
from tests.pulumi.test_stores import resources
from tests.pulumi.world import World

from keywright import local
from keywright.local import Running, WantedServer

pytestmark = pytest.mark.live

SECRET = "pl4nted-0ther"


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Any]:
    """A second MongoDB server, empty."""
    folder = tmp_path / "other"
    (server,) = local.up(folder, [WantedServer("mongodb", "mongodb")], tell=lambda event: None)
    assert isinstance(server, Running)
    with pymongo.MongoClient[dict[str, Any]](server.url) as client:
        yield client
    local.down(folder, tell=lambda event: None)


def test_another_server_gets_everything_in_the_same_up(dev: World, mongodb: Any, other: Any) -> None:
    dev.up("dev")
    before = sorted(mongodb["dev_content"].list_collection_names())
    host, port = other.address
    address = f"mongodb://{host}:{port}/?directConnection=true"
    assert dev.pulumi("config", "set", "--secret", "keywright:mongodbContentUri", address, "-s", "dev").code == 0
    dev.edit("models/content.py", 'kw.Index(["author_id", "-created_at"])', 'kw.Index(["author_id", "created_at"])')
    said = dev.pulumi("preview", "-s", "dev", "--diff")
    assert said.code == 0, said.text
    assert "serverAddress" in said.text
    assert f"{port}" in said.text
    indexes = mongodb["dev_content"]["posts"].index_information()
    dev.up("dev")
    assert sorted(other["dev_content"].list_collection_names()) == before
    assert mongodb["dev_content"]["posts"].index_information() == indexes
    result = resources(dev)
    there = [
        entry["outputs"]["serverAddress"]
        for entry in result.values()
        if entry["type"] == "keywright:mongodb:Collection"
    ]
    assert f"mongodb://{host}:{port}" in there
    dev.up("dev", "--expect-no-changes")


def test_another_password_is_used_in_the_same_up_and_is_no_change_of_a_resource(dev: World) -> None:
    dev.up("dev")
    plain = dev.addresses["REDIS_SESSIONS"]
    with redis.Redis.from_url(plain) as client:
        client.acl_setuser("door", enabled=True, reset=True, passwords=[f"+{SECRET}"], keys=["*"], categories=["+@all"])
        wrong = plain.replace("redis://", f"redis://door:no-{SECRET}@")
        right = plain.replace("redis://", f"redis://door:{SECRET}@")
        for address in (wrong, right):
            assert dev.pulumi("config", "set", "--secret", "keywright:redisSessionsUri", address, "-s", "dev").code == 0
            said = dev.pulumi("preview", "-s", "dev", "--json")
            steps = [load["op"] for load in json.loads(said.text)["steps"] if "keywright:redis" in load["urn"]]
            assert set(steps) <= {"same"}
        dev.edit("models/sessions.py", "kw.Rdb()]", 'kw.Rdb()], settings={"hz": 20}')
        dev.up("dev")
        assert client.config_get("hz") == {"hz": "20"}
        client.acl_deluser("door")


def test_a_key_that_nothing_reads_is_refused_with_the_nearest_one(dev: World) -> None:
    assert dev.pulumi("config", "set", "keywright:mongodbContnetUri", "mongodb://a", "-s", "dev").code == 0
    said = dev.pulumi("preview", "-s", "dev")
    assert said.code != 0
    assert 'there is no setting "keywright:mongodbContnetUri"; did you mean "mongodbContentUri"?' in said.text


def test_a_secret_among_the_options_of_an_address_is_not_taken_in_clear(dev: World) -> None:
    address = f"mongodb://127.0.0.1:1/?tlsCertificateKeyFilePassword={SECRET}"
    assert dev.pulumi("config", "set", "keywright:mongodbUri", address, "--plaintext", "-s", "dev").code == 0
    said = dev.pulumi("preview", "-s", "dev")
    assert '"keywright:mongodbUri" contains a password in plain text' in said.text
    assert SECRET not in said.text
