"""Migrations from day to day, as a new user goes through them, on a real mongod: what is done, and what is said."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import STORE, Daily, books

from keywright.engines.contract.ledger import Lock
from keywright.local import Running
from keywright.migrations.run.store import StoreConnection

pytestmark = pytest.mark.live

AUTHOR = "author: str | None = None"
FIRST = books("title")
SECOND = books("title", "author", more=AUTHOR)
THIRD = books("author", more=AUTHOR)
GATE = 'no running code needs the removed objects: drop index "title_1" of "books" of "daily"'


@pytest.fixture
def daily(tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Iterator[Daily]:
    """A project whose first version is written, and nothing more."""
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", start("mongodb").url)
    created = Daily(tmp_path / "library", FIRST)
    assert created("diff", "-m", "first").code == 0
    yield created
    created.forget()


def written(daily: Daily, models: str, text: str) -> None:
    """The next version."""
    daily.becomes(models)
    assert daily("diff", "-m", text).code == 0


def applied(daily: Daily, *options: str) -> None:
    said = daily("apply", "--local", *options)
    assert said.code == 0, said


def rewritten(site: StoreConnection, key: str, row: Any) -> None:
    """Have the history say something else than what was."""
    assert site.ledger.put(key, row, site.ledger.lock().fence)


def indexes(daily: Daily) -> set[str]:
    with daily.collection() as collection:
        return set(collection.index_information()) - {"_id_"}


def test_from_an_edit_of_the_models_to_the_store_and_to_nothing_left(daily: Daily) -> None:
    assert daily("status", "--local").out.splitlines()[1].split() == ["mongodb/daily", "-", "0001", "pending"]
    applied_all = "applied all migrations to empty stores; every store matches 0001_first ("
    assert daily("apply", "--local").out.startswith(applied_all)
    daily.becomes(SECOND)
    assert daily("diff", "--check") == (
        1,
        "the models have 3 changes that no migration contains: run `keywright migrate diff -m TEXT`\n"
        '  mongodb/daily: alter validator "validator" of "books" of "daily"\n'
        '  mongodb/daily: add index "author_1" of "books" of "daily"\n'
        '  mongodb/daily: add field "author" of "Book" of "daily"\n',
        "",
    )
    said = daily("diff", "-m", "Authors!")
    assert said.out.startswith("wrote migrations/0002_authors\n")
    assert said.out.endswith("keywright migrate plan --local; keywright migrate apply --local\n")
    assert daily("lint").out == "no findings\n"
    plan = daily("plan", "--local")
    *lines, approve = plan.out.splitlines()
    assert (plan.code, lines) == (1, [
        "0002_authors",
        '    10 expand    mongodb/daily: alter collection "books"',
        f"                 {daily.prefix}daily.books: no document breaks the validator",
        '    20 expand    mongodb/daily: create index "author_1" of collection "books"',
        "    30 contract  compares all stores with the migration",
    ])  # fmt: skip
    said = daily("apply", "--local", *approve.split("with ")[1].split())
    assert said.out.startswith("applied 1 migration: 0002_authors; every store matches 0002_authors (")
    assert said.err.splitlines()[1] == '0002/20  mongodb/daily: create index "author_1" of collection "books"  made'
    assert daily("status", "--local") == (
        0, "store          migration  pending  state\nmongodb/daily  0002       -        up to date\n", ""
    )  # fmt: skip
    assert daily("plan", "--local") == (0, "nothing to apply\n", "")
    assert daily("apply", "--local") == (0, "nothing to apply\n", "")
    assert daily.keywright("drift", "--local") == (0, "every store matches its history\n", "")
    assert indexes(daily) == {"title_1", "author_1"}


def test_a_plan_that_is_not_the_approved_one_is_not_carried_out(daily: Daily, tmp_path: Path) -> None:
    assert daily("plan", "--local", "-o", str(tmp_path / "plan.json")).code == 1
    hash = json.loads((tmp_path / "plan.json").read_text())["hash"]
    applied(daily, "--plan", str(tmp_path / "plan.json"))
    written(daily, SECOND, "authors")
    said = daily("apply", "--local", "--approved", hash)
    assert (said.code, said.out) == (4, "")
    assert f", but {hash} was approved\n  help: create a new plan with `keywright migrate plan`" in said.err
    assert indexes(daily) == {"title_1"}


def test_a_version_is_not_edited_once_it_is_applied(daily: Daily) -> None:
    applied(daily)
    file = daily.root / "migrations" / "0001_first" / "migration.yaml"
    file.write_text(file.read_text().replace("migration: '0001'", 'migration: "0001"'))
    for command in ("status", "plan", "apply"):
        said = daily(command, "--local")
        assert said.code == 1
        assert '0001_first" has been edited since it was written\n  help: restore it from git' in said.err
    (daily.root / "migrations" / "keywright.sum").unlink()
    daily.becomes(SECOND)
    assert daily("diff", "--amend").code == 0
    said = daily("apply", "--local")
    assert said.code == 4
    assert said.err.startswith(
        'error: "0001_first" has been edited since it was applied to mongodb/daily\n'
        "  help: restore the folder from git: an applied migration is never edited; "
    )


def test_what_was_changed_by_hand_stops_the_next_version_until_it_is_put_right(daily: Daily) -> None:
    applied(daily)
    with daily.collection() as collection:
        collection.drop_index("title_1")
    result = f"mongodb/daily {daily.prefix}daily.indexes.books"
    assert daily.keywright("drift", "--local").code == 1
    assert daily.keywright("drift", "--local").out.startswith(f"{result}")
    written(daily, SECOND, "authors")
    said = daily("apply", "--local")
    assert said.code == 4
    assert said.err.startswith("error: mongodb/daily does not match its history: ")
    assert "`keywright drift` shows all differences, with statements that correct them" in said.err
    assert indexes(daily) == set()
    with daily.collection() as collection:
        collection.create_index("title")
    assert daily.keywright("drift", "--local").code == 0
    applied(daily)


def test_a_gate_is_opened_by_its_name_and_what_was_said_is_kept(daily: Daily) -> None:
    applied(daily)
    written(daily, SECOND, "authors")
    applied(daily)
    written(daily, THIRD, "no titles")
    said = daily("apply", "--local")
    assert (said.code, said.err) == (
        4,
        f"error: 0003/10 waits for a person: {GATE}\n"
        "  help: once this is the case, run the command again with --ack 0003/10 --note TEXT\n",
    )
    status = daily("status", "--local")
    assert (status.code, status.out.splitlines()[1]) == (
        1, f"mongodb/daily  0002       0003     running, waits for 0003/10 {GATE}"
    )  # fmt: skip
    applied(daily, "--ack", "0003/10", "--note", "release 51")
    assert indexes(daily) == {"author_1"}
    with daily.site() as site:
        assert site.ledger.rows("0003/00010")["0003/00010"]["note"] == "release 51"  # type: ignore[index,call-overload]


def test_an_index_goes_once_nobody_has_used_it_for_long_enough(daily: Daily) -> None:
    applied(daily)
    written(daily, SECOND, "authors")
    applied(daily)
    written(daily, THIRD, "no titles")
    file = daily.root / "migrations" / "0003_no_titles" / "migration.yaml"
    index = "daily/native/indexes/books/title_1"
    before = file.read_text(encoding="utf-8")
    quiet = f"op: quiet, days: 14, store: {STORE}, object: {index}"
    file.write_text(before.replace("by: human, op: deploy_ack", f"by: runner, {quiet}"), encoding="utf-8")
    assert daily("diff", "--amend").code == 0
    assert daily("lint").out == (
        "0003_no_titles drops or rebuilds:\n"
        '  mongodb/daily: drop index "title_1" of "books" of "daily": '
        "code that hints at it fails, and its patterns scan\n"
        "no findings besides the dropped or rebuilt objects\n"
    )
    assert "10 contract  waits for 14 days without any use of" in daily("plan", "--local").out

    def seen() -> Any:
        with daily.site() as site:
            return site.ledger.rows("0003/00010")["0003/00010"]

    said = daily("apply", "--local")
    assert (said.code, said.err.partition(" from ")[0]) == (4, f'error: 0003/10 waits until "{index}" has been unused')
    first = seen()
    assert daily("apply", "--local").code == 4
    assert seen() == first
    with daily.collection() as collection:
        list(collection.find({"title": "Emma"}, hint="title_1"))
    assert daily("apply", "--local").code == 4
    assert seen()["seen"] != first["seen"]
    with daily.site() as site:  # two weeks later
        rewritten(site, "0003/00010", {**seen(), "since": "2026-01-01T00:00:00+00:00"})
    applied(daily)
    assert indexes(daily) == {"author_1"}


def test_what_was_done_by_hand_is_resolved_only_if_the_store_shows_it(daily: Daily) -> None:
    applied(daily)
    written(daily, SECOND, "authors")
    resolve = ("resolve", "0002/20", "--as", "applied", "--reason", "ticket 812", "--local")
    said = daily(*resolve)
    assert said.code == 5
    assert "0002/20 is not applied: mongodb/daily lacks this: create index" in said.err
    with daily.collection() as collection:
        collection.create_index("author")
    said = daily(*resolve)
    assert (said.code, said.out) == (
        0,
        "0002/20 is recorded as applied; `keywright migrate apply` continues after it\n",
    )
    applied(daily)
    assert daily.keywright("drift", "--local").code == 0


def test_what_stands_in_the_place_of_a_new_index_is_told_before_anything_is_done(daily: Daily) -> None:
    applied(daily)
    written(daily, SECOND, "authors")
    with daily.collection() as collection:
        collection.create_index("author", sparse=True)
    said = daily("apply", "--local")
    assert said.code == 4
    assert ".indexes.books.author_1 differs\n  help: `keywright drift` shows all differences" in said.err
    assert daily("status", "--local").out.splitlines()[1].split() == ["mongodb/daily", "0001", "0002", "pending"]
    with daily.collection() as collection:
        collection.drop_index("author_1")
    applied(daily)
    assert daily.keywright("drift", "--local").code == 0


def test_what_was_added_is_taken_back_and_made_again(daily: Daily) -> None:
    applied(daily)
    written(daily, THIRD, "other index")
    assert daily("apply", "--local").code == 4
    assert indexes(daily) == {"title_1", "author_1"}
    said = daily("abort", "0002", "--local")
    assert (said.code, said.out) == (0, "0002 is aborted: 2 steps undone\n")
    assert indexes(daily) == {"title_1"}
    assert daily.keywright("drift", "--local").code == 0
    assert "aborted" in daily("status", "--local").out
    gates = [word for word in daily("plan", "--local").out.splitlines() if "waits for a person" in word]
    applied(daily, *(f"--ack=0002/{line.split()[0]}" for line in gates))
    assert indexes(daily) == {"author_1"}
    said = daily("abort", "0002", "--local")
    assert (said.code, said.err.splitlines()[0]) == (4, "error: 0002_other_index is complete, and cannot be reverted")


def test_a_release_waits_for_a_version_or_for_a_step_of_it(daily: Daily) -> None:
    applied(daily)
    written(daily, THIRD, "other index")
    assert daily("apply", "--local").code == 4
    for place, code in {"0001": 0, "0002/10": 0, "0002/20": 0, "0002/30": 1, "0002": 1, "0002/end": 1}.items():
        assert (place, daily("status", "--local", "--require", place).code) == (place, code)
    for place in ("0003", "0002/15", "soon"):
        said = daily("status", "--local", "--require", place)
        assert (said.code, said.err.partition('"')[0]) == (
            2,
            f"error: there is no {'step' if '/' in place else 'migration'} ",
        )


def test_a_version_of_which_only_the_record_is_missing_is_due(daily: Daily) -> None:
    applied(daily)
    with daily.site() as site:
        row: Any = site.ledger.rows("0001")["0001"]
        rewritten(site, "0001", {**row, "kind": "migration", "state": "running"})
    assert daily("status", "--local").code == 1
    said = daily("plan", "--local")
    assert (said.code, said.out.splitlines()[0]) == (1, "0001_first")
    applied(daily)
    assert daily("status", "--local").code == 0


def test_a_creation_that_was_interrupted_goes_on_to_the_version_that_is_wanted_now(daily: Daily) -> None:
    written(daily, SECOND, "authors")
    applied(daily, "--to", "0001")
    with daily.site() as site:
        row: Any = site.ledger.rows("0001")["0001"]
        rewritten(site, "0001", {**row, "state": "running"})
    said = daily("apply", "--local")
    assert (said.code, said.out.partition(" (")[0]) == (
        0,
        "applied all migrations to empty stores; every store matches 0002_authors",
    )
    assert indexes(daily) == {"title_1", "author_1"}


def test_data_that_was_there_first_gets_a_history(daily: Daily) -> None:
    assert daily.keywright("apply", "--local").code == 0, "without a history, as in the first days"
    said = daily("apply", "--local")
    assert (said.code, said.err) == (
        4,
        "error: mongodb/daily: objects of the first migration exist, but there is no history\n"
        "  help: `keywright migrate baseline` records the migration that the objects match\n",
    )
    with daily.collection() as collection:
        collection.drop_index("title_1")
    assert daily("baseline", "--local").code == 4
    with daily.collection() as collection:
        collection.create_index("title")
    said = daily("baseline", "--local")
    assert (said.code, said.out) == (
        0,
        "every store matches migration 0001, which is recorded now\n"
        "  mongodb/daily: managed: 1 collection, 1 index and 3 options; unmanaged: none\n",
    )
    assert daily("apply", "--local").out == "nothing to apply\n"
    assert daily("baseline", "--local").err.startswith("error: the stores already have a history\n")
    shutil.rmtree(daily.root / "migrations")
    said = daily("baseline", "--from", "live", "--local")
    assert (said.code, said.err) == (
        4,
        'error: mongodb/daily has a history, up to migration "0001"\n'
        "  help: restore the migrations folder from git: its migrations were applied here\n",
    )
    assert not (daily.root / "migrations").exists()


def test_the_lock_of_a_dead_holder_is_released_by_its_name(daily: Daily) -> None:
    with daily.site() as site:
        site.ledger.prepare()
        assert site.ledger.swap(site.ledger.lock(), Lock("desk/4711/ab", 1, 0))
    said = daily("apply", "--local", "--lock-timeout", "0.2")
    assert said.code == 4
    assert '"desk/4711/ab" has held the lock for ' in said.err
    assert "keywright migrate unlock --owner desk/4711/ab" in said.err
    assert daily("status", "--local").out.rstrip().endswith("locked by desk/4711/ab")
    said = daily("unlock", "--local", "--owner", "desk/4711/xy")
    assert said.code == 4
    assert 'the lock is held by "desk/4711/ab", not by "desk/4711/xy"' in said.err
    assert daily("unlock", "--local", "--owner", "desk/4711/ab") == (0, "released mongodb/daily\n", "")
    applied(daily)
    assert daily("unlock", "--local", "--owner", "desk/4711/ab") == (0, "no lock was held\n", "")


def test_two_branches_meet_and_the_later_one_goes_behind(daily: Daily) -> None:
    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        done = subprocess.run(["git", *who, *words], cwd=daily.root, capture_output=True, text=True, check=False)
        return f"{done.returncode} {done.stdout}{done.stderr}"

    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "first")
    for branch, models in (("authors", SECOND), ("pages", books("title", "pages", more="pages: int | None = None"))):
        git("checkout", "-b", branch, "main")
        written(daily, models, branch)
        git("add", ".")
        git("commit", "-m", branch)
    git("checkout", "main")
    git("merge", "authors")
    git("checkout", "pages")
    assert git("merge", "main").startswith("1"), "the checksum file cannot be merged"
    daily.becomes(books("title", "author", "pages", more=f"{AUTHOR}\npages: int | None = None"))
    said = daily("status", "--local")
    assert said.code == 1
    assert '0002_authors" is in the place of "0002_pages" in the checksum file' in said.err
    assert "two branches added migrations: `keywright migrate rebase` moves yours after the other branch's" in said.err
    assert daily("rebase", "--onto", "main") == (0, "renamed 0002_pages to 0003_pages\n", "")
    assert sorted(path.name for path in (daily.root / "migrations").glob("0*")) == [
        "0001_first", "0002_authors", "0003_pages"
    ]  # fmt: skip
    assert daily("rebase", "--onto", "main").code == 0, "and once more, which changes nothing"
    applied(daily, "--to", "0002")
    applied(daily)
    assert indexes(daily) == {"title_1", "author_1", "pages_1"}
    assert daily.keywright("drift", "--local").code == 0
