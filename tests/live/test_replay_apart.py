"""`migrate verify` and `migrate test --live` never touch a server that a variable names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from tests.live.daily import Daily, books

from keywright.local import Running

pytestmark = pytest.mark.live

UPGRADE = ', schema_version=2, upgrades={1: kw.Upgrade(set={"tier": "free"})}'


def contents(url: str) -> dict[str, Any]:
    """Everything on a server: documents, indexes and options of each collection, histories included."""
    with MongoClient[Any](url) as client:
        return {
            f"{name}.{collection['name']}": (
                collection.get("options"),
                sorted(client[name][collection["name"]].index_information().items()),
                sorted(repr(document) for document in client[name][collection["name"]].find()),
            )
            for name in client.list_database_names() if name not in ("admin", "config", "local")
            for collection in client[name].list_collections()
        }  # fmt: skip


def test_a_named_server_is_the_same_afterwards(
    tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start("mongodb").url
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", url)
    daily = Daily(tmp_path / "library", books("title"))
    assert daily("diff", "-m", "first").code == 0
    assert daily("apply", "--local").code == 0
    with daily.collection() as collection:
        collection.insert_many([{"_id": str(at), "title": "a title"} for at in range(20)])
    daily.becomes(books("title", more="tier: str").replace('id="{isbn}"', 'id="{isbn}"' + UPGRADE))
    assert daily("diff", "-m", "second").code == 0
    case = 'CASES = [({"_id": "1", "title": "a"}, {"_id": "1", "title": "a", "tier": "free"})]\n'
    (daily.root / "migrations" / "0002_second" / "test_books.py").write_text(case)
    before = contents(url)
    assert f"{daily.prefix}daily.books" in before
    said = daily("verify")
    assert said.code == 0, said
    assert contents(url) == before
    said = daily("test", "0002", "--live")
    assert said.code == 0, said
    assert contents(url) == before
    status = daily("status", "--local")
    assert status.out.splitlines()[1].split()[:3] == ["mongodb/daily", "0001", "0002"]
    daily.forget()
