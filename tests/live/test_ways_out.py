"""Each state that stops a migration has a message with a command, and that command works: on a real mongod."""

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import STORE, Daily, Said, books

from keywright.local import Running

pytestmark = pytest.mark.live

AUTHOR = "author: str | None = None"
FIRST, SECOND = books("title"), books("title", "author", more=AUTHOR)


@pytest.fixture
def daily(tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Iterator[Daily]:
    """A project whose first migration is applied, and whose second is written."""
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", start("mongodb").url)
    created = Daily(tmp_path / "library", FIRST)
    assert created("diff", "-m", "first").code == 0
    assert created("apply", "--local").code == 0
    created.becomes(SECOND)
    assert created("diff", "-m", "authors").code == 0
    yield created
    created.forget()


def told(daily: Daily, said: Said, word: str) -> Said:
    """Carry out the command with this word that a help line names, on the local servers."""
    (command, *_) = [entry for entry in re.findall(r"`keywright migrate ([^`]+)`", said.err) if word in entry]
    return daily(*shlex.split(command.replace("TEXT", "because")), "--local")


def rows(daily: Daily) -> dict[str, Any]:
    with daily.site() as site:
        return dict(site.ledger.rows(""))


def rewritten(daily: Daily, key: str, row: Any) -> None:
    with daily.site() as site:
        assert site.ledger.put(key, row, site.ledger.lock().fence)


def applied(daily: Daily) -> None:
    said = daily("apply", "--local")
    assert said.code == 0, said
    assert daily.keywright("drift", "--local").code == 0


def test_a_migration_of_a_branch_that_was_given_up_is_recorded_as_undone(daily: Daily) -> None:
    applied(daily)
    shutil.rmtree(daily.root / "migrations")
    daily.becomes(FIRST)
    assert daily("diff", "-m", "first").code == 0
    said = daily("apply", "--local")
    assert said.code == 4
    assert 'mongodb/daily has migration "0002", applied by ' in said.err
    refused = told(daily, said, "undone")
    assert refused.code == 4, "its index is still there"
    assert "0002 is not undone: without it, mongodb/daily" in refused.err
    with daily.collection() as collection:
        validator = collection.options()["validator"]
        del validator["$jsonSchema"]["properties"]["author"]
        collection.database.command("collMod", "books", validator=validator)
        collection.drop_index("author_1")
    assert told(daily, said, "undone").code == 0
    applied(daily)
    daily.becomes(SECOND)
    assert daily("diff", "-m", "again").code == 0
    applied(daily)


def test_a_history_that_is_older_than_the_store(daily: Daily) -> None:
    before = rows(daily)
    applied(daily)
    with daily.collection() as collection:  # restored from Monday
        for key in rows(daily).keys() - before.keys():
            collection.database["_kw_history"].delete_many({"_id": {"$regex": f"{re.escape(key)}$"}})
    assert set(rows(daily)) == set(before)
    said = daily("resolve", "0002", "--as", "applied", "--reason", "the history was restored", "--local")
    assert said.code == 0, said
    applied(daily)
    assert daily("status", "--local", "--require", "0002").code == 0


def test_a_history_that_is_newer_than_the_store(daily: Daily) -> None:
    with daily.collection() as collection:
        old = collection.options()["validator"]
    applied(daily)
    with daily.collection() as collection:  # restored from Monday
        collection.drop_index("author_1")
        collection.database.command("collMod", "books", validator=old)
    assert daily("apply", "--local").code == 4
    assert daily("resolve", "0002", "--as", "undone", "--reason", "the data was restored", "--local").code == 0
    applied(daily)
    assert daily("status", "--local", "--require", "0002").code == 0


def test_what_is_finished_is_not_resolved_and_no_hash_is_rewritten(daily: Daily) -> None:
    said = daily("resolve", "0001/10", "--as", "applied", "--reason", "x", "--local")
    assert (said.code, "0001_first is already applied" in said.err) == (4, True)
    said = daily("resolve", "0002", "--as", "applied", "--reason", "x", "--local")
    assert said.code == 4
    assert "mongodb/daily" in said.err
    said = daily("resolve", "0002/30", "--as", "applied", "--reason", "x", "--local")
    assert (said.code, "no probe can show whether assert_snapshot has been applied" in said.err) == (4, True)
    row = {**rows(daily)["0001"], "file_hash": "another"}
    rewritten(daily, "0001", row)
    said = daily("resolve", "0002/20", "--as", "applied", "--reason", "x", "--local")
    assert said.code == 4
    assert "has been edited since it was applied" in said.err
    assert rows(daily)["0001"] == row


def test_a_hand_made_index_that_is_then_declared_is_adopted(daily: Daily) -> None:
    with daily.collection() as collection:
        collection.create_index("author")
    assert daily.keywright("drift", "--local").code == 0
    applied(daily)


def test_a_draft_is_discarded_before_it_is_applied(daily: Daily) -> None:
    daily.becomes(FIRST)
    assert daily("discard", "--local") == (0, f"removed 0002_authors; not applied to {STORE}\n", "")
    assert daily("diff", "--check").code == 0
    said = daily("discard")
    assert said.code == 4
    assert f"migration 0001 is applied to {STORE}" in said.err
    assert [path.name for path in (daily.root / "migrations").glob("0*")] == ["0001_first"]


def test_a_row_of_a_newer_keywright_is_refused_and_kept(daily: Daily) -> None:
    row = {**rows(daily)["0001"], "colour": "blue", "tool": "9.0"}
    rewritten(daily, "0001", row)
    abort, resolve = ("abort", "0002"), ("resolve", "0002", "--as", "applied", "--reason", "x")
    accept, discard = ("accept", "x", "--reason", "x"), ("discard",)
    for words in (("status",), ("plan",), ("apply",), ("baseline",), abort, resolve, accept, discard):
        said = daily(*words, "--local")
        assert said.code == 4
        assert 'the history has "colour" in its row "0001", written by a newer keywright 9.0' in said.err
        assert "upgrade keywright" in said.err
    assert rows(daily)["0001"] == row


def test_a_state_that_only_a_newer_keywright_knows_is_refused_and_kept(daily: Daily) -> None:
    row = {**rows(daily)["0001"], "state": "paused"}
    rewritten(daily, "0001", row)
    for words in (("status",), ("plan",), ("apply",)):
        said = daily(*words, "--local")
        assert (said.code, 'state "paused" in its row "0001", written by a newer keywright' in said.err) == (
            4,
            True,
        )
    with daily.site() as site:
        fence = site.ledger.lock().fence
        assert site.ledger.put("future/0001", {"of": "a newer one"}, fence), "rows of other kinds are left alone"
    rewritten(daily, "0001", {**row, "state": "done"})
    applied(daily)
    assert rows(daily)["future/0001"] == {"of": "a newer one"}


def test_drift_without_a_history_says_so(daily: Daily, tmp_path: Path) -> None:
    other = Daily(tmp_path / "other", FIRST)
    said = other.keywright("drift", "--local")
    assert (said.code, "there is no migration, so there is no history" in said.err) == (1, True)
    assert other("diff", "-m", "first").code == 0
    said = other.keywright("drift", "--local")
    assert (said.code, "no store has a history" in said.err) == (1, True)
    with other.collection() as collection:
        collection.insert_one({"_id": "1", "title": "a"})
    said = other("apply", "--local")
    assert (said.code, f"{STORE}: objects of the first migration exist, but there is no history" in said.err) == (
        4,
        True,
    )
    other.forget()
