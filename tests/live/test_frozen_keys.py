"""Keys of Cassandra with sets and maps inside: found whatever their order in Python, and whoever wrote them."""

from pathlib import Path
from typing import Any

import pytest
from tests.projects import imported_alone
from tests.servers import Start

from keywright import runtime
from keywright.cli.main import run
from keywright.drivers.cassandra.driver import connect

pytestmark = pytest.mark.live

MODELS = '''
from typing import ClassVar
from uuid import UUID

from pydantic import BaseModel

import keywright as kw

shop = kw.Keyspace("frozen_keys")


class Home(BaseModel):
    """An address with collections inside."""

    city: str
    tags: set[str] = set()
    codes: set[UUID] = set()
    rooms: dict[str, int] = {}


class Owner(BaseModel):
    __store__: ClassVar = kw.CqlTable(shop, "owners", partition="home", clustering="who")

    home: Home
    who: str


owners = kw.Read(Owner, eq="home", limit=10)
'''
STACK = """\
config:
  keywright:environment:
    mode: dev
    cassandra: {flavour: cassandra, version: "5.0", datacentres: {datacenter1: 1}}
"""
WRITTEN = """INSERT INTO {keyspace}.owners (home, who) VALUES (
    {{city: 'x', tags: {{'b', 'a', 'ä', 'B'}}, codes: {{
        7b1e2ac0-0f6e-11ef-8c2f-0242ac120002, f47ac10b-58cc-4372-a567-0e02b2c3d479, 00000000-0000-4000-8000-000000000000
    }}, rooms: {{'z': 1, 'a': 2}}}}, 'cqlsh')"""


def test_a_key_is_found_by_equal_collections(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start("cassandra")
    monkeypatch.setenv("KEYWRIGHT_STORE_CASSANDRA", server.url)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "frozen_models.py").write_text(MODELS)
    (tmp_path / "pyproject.toml").write_text('[tool.keywright]\nmodels = ["frozen_models.py"]\n')
    (tmp_path / "stacks").mkdir()
    part = 'cassandra: {flavour: cassandra, version: "5.0", datacentres: {datacenter1: 1}}'
    (tmp_path / "stacks" / "Pulumi.dev.yaml").write_text(
        f"config:\n  keywright:environment:\n    mode: dev\n    {part}\n"
    )
    assert run(["migrate", "diff", "-m", "first"]) == 0
    assert run(["--env", "dev", "migrate", "apply"]) == 0
    driver = connect(server.url)
    try:
        client: Any = driver.observe().client
        client.execute(WRITTEN.format(keyspace="frozen_keys"))
        with imported_alone(tmp_path):
            import frozen_models  # type: ignore[import-not-found]

            found = _found(frozen_models, client)
    finally:
        driver.drop(["frozen_keys"])
        driver.close()
    assert found == [["cqlsh", "keywright"], ["cqlsh", "keywright"]]


def _found(models: Any, client: Any) -> list[list[str]]:
    """The owners of one home, written once more by keywright, in two orders of its collections."""
    codes = [
        "00000000-0000-4000-8000-000000000000", "7b1e2ac0-0f6e-11ef-8c2f-0242ac120002",
        "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    ]  # fmt: skip
    homes = [
        models.Home(city="x", tags=tags, codes=set(order), rooms=rooms)
        for tags, order, rooms in (
            (["a", "b", "B", "ä"], codes, {"a": 2, "z": 1}),
            (["ä", "B", "b", "a"], codes[::-1], {"z": 1, "a": 2}),
        )
    ]
    (item,) = [runtime.to_item(models.Owner(home=homes[0], who="keywright"))]
    client.execute(
        client.prepare("INSERT INTO frozen_keys.owners (home, who) VALUES (?, ?)"), (item["home"], "keywright")
    )
    query = client.prepare("SELECT who FROM frozen_keys.owners WHERE home = ?")
    keys = [runtime.to_item(models.Owner(home=home, who="x"))["home"] for home in homes]
    return [[row.who for row in client.execute(query, (key,))] for key in keys]
