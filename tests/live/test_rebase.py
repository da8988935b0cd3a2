"""Two branches meet in git: both migrations arrive on a real mongod, or the rebase refuses and names both."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.live.daily import Daily, books

from keywright.local import Running

pytestmark = pytest.mark.live

PHONE, FAX = "phone: str", "fax: str | None = None"


@pytest.fixture
def daily(tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Iterator[Daily]:
    """A project in git whose first migration is applied."""
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", start("mongodb").url)
    created = Daily(tmp_path / "library", books("title"))
    assert created("diff", "-m", "first").code == 0
    git(created, "init", "-b", "main")
    committed(created, "first")
    yield created
    created.forget()


def git(daily: Daily, *words: str) -> int:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    return subprocess.run(["git", *who, *words], cwd=daily.root, capture_output=True, check=False).returncode


def committed(daily: Daily, text: str) -> None:
    git(daily, "add", ".")
    git(daily, "commit", "-m", text)


def branched(daily: Daily, name: str, *indexes: str, more: str) -> None:
    """A branch from main that changes the models, with its migration."""
    git(daily, "checkout", "-b", name, "main")
    daily.becomes(books(*indexes, more=more))
    assert daily("diff", "-m", name).code == 0
    committed(daily, name)


def applied(daily: Daily, *options: str) -> None:
    said = daily("apply", "--local", *options)
    assert said.code == 0, said


def validated(daily: Daily) -> set[str]:
    """The fields that the server's validator knows."""
    with daily.collection() as collection:
        return set(collection.options()["validator"]["$jsonSchema"]["properties"])


def test_the_fields_of_both_branches_arrive(daily: Daily) -> None:
    applied(daily)
    branched(daily, "alice", "title", more="phone: str | None = None")
    branched(daily, "bob", "title", more=FAX)
    assert git(daily, "merge", "alice") == 1
    daily.becomes(books("title", more=f"phone: str | None = None\n{FAX}"))
    assert daily("rebase", "--onto", "alice") == (0, "renamed 0002_bob to 0003_bob\n", "")
    assert daily("diff", "--check") == (0, "no difference: the last migration matches the models\n", "")
    assert daily("lint").code == 0
    applied(daily, "--to", "0002")
    assert "phone" in validated(daily)
    assert "fax" not in validated(daily)
    applied(daily)
    assert {"phone", "fax"} <= validated(daily)
    assert daily.keywright("drift", "--local").code == 0


def test_steps_and_python_that_people_wrote_stay_as_they_are(daily: Daily) -> None:
    applied(daily)
    branched(daily, "alice", "title", more=FAX)
    git(daily, "checkout", "-b", "bob", "main")
    assert daily("new", "tidy", "--store", "mongodb/daily").code == 0
    folder = daily.root / "migrations" / "0002_tidy"
    python = folder / "backfill_tidy.py"
    python.write_text(python.read_text().replace("return None", 'return {"title": item["title"].strip()}')
                      .replace('"isbn"', '"title"'))  # fmt: skip
    (folder / "test_tidy.py").write_text("CASES = []\n")
    gate = "  - {n: 5, phase: expand, by: runner, op: wait, hours: 0, text: the index is warm}\n"
    text = (folder / "migration.yaml").read_text().replace("steps:\n", f"steps:\n{gate}")
    (folder / "migration.yaml").write_text(text)
    assert daily("diff", "--amend").code == 0
    kept = {file.name: file.read_bytes() for file in folder.glob("*.py")}
    committed(daily, "tidy")
    with daily.collection() as collection:
        collection.insert_one({"_id": "1", "title": " A title "})
    git(daily, "merge", "alice")
    daily.becomes(books("title", more=FAX))
    assert daily("rebase", "--onto", "alice") == (0, "renamed 0002_tidy to 0003_tidy\n", "")
    folder = daily.root / "migrations" / "0003_tidy"
    assert {file.name: file.read_bytes() for file in folder.glob("*.py")} == kept
    assert "the index is warm" in (folder / "migration.yaml").read_text()
    applied(daily, "--ack", "0003/10", "--note", "x")
    with daily.collection() as collection:
        assert [entry["title"] for entry in collection.find()] == ["A title"]


def test_what_both_branches_change_differently_is_refused_and_the_way_out_works(daily: Daily) -> None:
    applied(daily)
    branched(daily, "alice", "title", more=FAX)
    branched(daily, "bob", "title", more="fax: int | None = None")
    git(daily, "merge", "alice")
    daily.becomes(books("title", more=FAX + "\nfax_number: int | None = None"))
    said = daily("rebase", "--onto", "alice")
    assert said.code == 2
    assert '"0002_bob" and "0002_alice" of alice both change mongodb/daily "daily/shape/Book/fields/fax"' in said.err
    assert (
        "remove migrations/0002_bob, run `keywright migrate rebase --onto alice`, then `keywright migrate diff -m bob`"
        in said.err
    )
    assert (daily.root / "migrations" / "0002_bob").is_dir()
    subprocess.run(["rm", "-r", "migrations/0002_bob"], cwd=daily.root, check=True)
    assert daily("rebase", "--onto", "alice").code == 0
    assert daily("diff", "-m", "bob").code == 0
    applied(daily)
    assert {"fax", "fax_number"} <= validated(daily)


def test_one_name_on_both_branches(daily: Daily) -> None:
    applied(daily)
    for name, more in (("alice", FAX), ("bob", "pages: int | None = None")):
        git(daily, "checkout", "-b", name, "main")
        daily.becomes(books("title", more=more))
        assert daily("diff", "-m", "fields").code == 0
        committed(daily, name)
    git(daily, "merge", "alice")
    git(daily, "checkout", "--ours", "--", "migrations")
    daily.becomes(books("title", more=f"{FAX}\npages: int | None = None"))
    assert daily("rebase", "--onto", "alice").code == 0
    assert sorted(path.name for path in (daily.root / "migrations").glob("0*")) == [
        "0001_first", "0002_fields", "0003_fields_2"
    ]  # fmt: skip
    assert daily("diff", "--check").code == 0
    applied(daily)
    assert {"fax", "pages"} <= validated(daily)


def test_what_the_other_branch_has_already_is_removed(daily: Daily) -> None:
    applied(daily)
    branched(daily, "alice", "title", more=FAX)
    branched(daily, "bob", "title", more=FAX)
    git(daily, "merge", "alice")
    daily.becomes(books("title", more=FAX))
    assert daily("rebase", "--onto", "alice") == (0, "removed 0002_bob: alice contains all of its changes\n", "")
    assert daily("diff", "--check").code == 0
    applied(daily)
