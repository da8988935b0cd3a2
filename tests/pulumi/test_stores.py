"""keywright's own provider under the real command line: what goes wrong, what is refused, what is taken in."""

import json
import re
from typing import Any

import pytest
import redis
from tests.pulumi.world import World

from keywright.drivers.cassandra import driver as cassandra

pytestmark = pytest.mark.live

SECRET = "pl4nted-s3cret"


def resources(world: World) -> dict[str, Any]:
    """What the state has, by name."""
    document = json.loads(world.pulumi("stack", "export", "-s", "dev").text)
    return {resource["urn"].split("::")[-1]: resource for resource in document["deployment"]["resources"]}


def cql(address: str, statement: str) -> None:
    session = cassandra.client(address)
    session.execute(statement)
    session.cluster.shutdown()


def is_planted(world: World) -> bool:
    """Whether the secret stands in clear in any file of the project, the state or Pulumi's own folder."""
    files = (file for file in world.root.parent.rglob("*") if file.is_file() and not file.is_symlink())
    return any(SECRET.encode() in file.read_bytes() for file in files)


def test_a_server_that_is_down_is_a_sentence_and_the_next_up_goes_on(dev: World) -> None:
    said = dev.pulumi(
        "up", "--yes", "--skip-preview", "-s", "dev", KEYWRIGHT_STORE_MONGODB="mongodb://127.0.0.1:1/?timeoutMS=500"
    )
    assert said.code != 0
    assert "mongodb/" in said.text  # which of its parts is first depends on the engine, which begins several at once
    assert "check that it runs, and its address in the stack's configuration" in said.text
    assert "Traceback" not in said.text
    dev.up("dev")
    dev.up("dev", "--expect-no-changes")


def test_an_address_in_the_configuration_is_a_secret_and_stays_one(dev: World) -> None:
    plain = dev.addresses["CASSANDRA"]
    cql(plain, f"CREATE ROLE IF NOT EXISTS configured WITH PASSWORD = '{SECRET}' AND LOGIN = true")
    address = plain.replace("cassandra:cassandra@", f"configured:{SECRET}@")
    assert address != plain
    said = dev.pulumi("config", "set", "keywright:cassandraUri", address, "--plaintext", "-s", "dev")
    assert said.code == 0
    said = dev.pulumi("preview", "-s", "dev")
    assert said.code != 0
    assert '"keywright:cassandraUri" contains a password in plain text' in said.text
    assert SECRET not in said.text
    assert dev.pulumi("config", "set", "--secret", "keywright:cassandraUri", address, "-s", "dev").code == 0
    said = dev.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
    assert said.code == 0, said.text
    assert SECRET not in said.text
    changed = address.replace(SECRET, f"wrong-{SECRET}")
    assert dev.pulumi("config", "set", "--secret", "keywright:cassandraUri", changed, "-s", "dev").code == 0
    dev.up("dev", "--expect-no-changes")
    dev.edit("models/viewing.py", "    completed: bool\n", "    completed: bool\n    rating: int | None = None\n")
    said = dev.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
    assert said.code != 0
    assert "cassandra/netflix: " in said.text
    assert "Traceback" not in said.text
    assert SECRET not in said.text
    assert not is_planted(dev)


def test_a_user_who_may_not_is_told_so(dev: World) -> None:
    address = dev.addresses["REDIS_SESSIONS"]
    with redis.Redis.from_url(address) as client:
        client.acl_setuser("reader", enabled=True, passwords=[f"+{SECRET}"], keys=["*"], categories=["+@read"])
        weak = address.replace("redis://", f"redis://reader:{SECRET}@")
        said = dev.pulumi("up", "--yes", "--skip-preview", "-s", "dev", KEYWRIGHT_STORE_REDIS_SESSIONS=weak)
        client.acl_deluser("reader")
    assert said.code != 0
    assert "redis/sessions: " in said.text
    assert "permission" in said.text
    assert "Traceback" not in said.text
    assert SECRET not in said.text


def test_what_no_statement_can_change_is_refused_at_its_property_before_anything_is_done(dev: World) -> None:
    dev.up("dev")
    dev.edit("models/viewing.py", 'clustering=["-watched_at", "show_id"]', 'clustering=["watched_at", "show_id"]')
    said = dev.pulumi("preview", "-s", "dev")
    assert said.code != 0
    assert "property clustering[0][2]" in said.text
    assert "the primary key of a table is fixed" in said.text
    assert "with generation=2" in said.text
    dev.edit("models/viewing.py", 'clustering=["watched_at", "show_id"]', 'clustering=["-watched_at", "show_id"]')
    dev.edit("stacks/Pulumi.dev.yaml", "database-prefix: dev_", "database-prefix: other_")
    said = dev.pulumi("preview", "-s", "dev")
    assert said.code != 0
    # Which of the databases is asked for first is left to the command line, and the first one ends the preview.
    problem = r'property database value \{other_(\w+)\} has a problem: the stack has it as "dev_\1/'
    assert re.search(problem, said.text), said.text


def test_what_stands_in_the_way_is_left_alone_and_can_be_taken_in(dev: World, mongodb: Any) -> None:
    mongodb.dev_content.create_collection("posts", validator={"slug": {"$type": "string"}})
    said = dev.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
    assert said.code != 0
    assert 'mongodb/content: could not create collection "posts"' in said.text
    assert "`pulumi import` adds a resource that it lacks" in said.text
    assert "content.posts" not in resources(dev)
    type = "keywright:mongodb:Collection"
    said = dev.pulumi("import", type, "content.posts", "dev_content/posts", "--yes", "--protect=false",
                      "--generate-code=false", "-s", "dev")  # fmt: skip
    assert said.code == 0, said.text
    (step,) = [entry for entry in dev.preview("dev") if entry["urn"].endswith("content.posts")]
    assert "validator" in "".join(step["detailedDiff"])
    dev.up("dev")
    dev.up("dev", "--expect-no-changes")


def test_what_others_have_put_beside_it_stays(dev: World, mongodb: Any) -> None:
    dev.up("dev")
    mongodb.dev_content.theirs.insert_one({})
    cql(dev.addresses["CASSANDRA"], "CREATE TABLE dev_netflix.theirs (id int PRIMARY KEY)")
    said = dev.pulumi("destroy", "--yes", "-s", "dev")
    assert said.code == 0, said.text
    assert 'dev_netflix is not dropped: it contains "dev_netflix/theirs"' in said.text
    assert "theirs" in mongodb.dev_content.list_collection_names()
    assert "posts" not in mongodb.dev_content.list_collection_names()
