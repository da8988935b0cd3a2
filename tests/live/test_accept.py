"""What differs in a store and is left so: each kind of difference has a command, and that command works; on mongod."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import STACK, Daily, Said
from tests.projects import with_imports

from keywright.local import Running
from keywright.migrations.run.records import recorded

pytestmark = pytest.mark.live

MODELS = with_imports("""
    daily = kw.MongoDatabase("daily")

    class Visit(BaseModel):
        __store__: ClassVar = kw.Collection(daily, "visits", id="{n}", indexes=[kw.Index("page"), MORE])
        n: int
        page: str
        site: str
        seen: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=DAYS))]

    class Note(BaseModel):
        __store__: ClassVar = kw.Collection(daily, "notes", id="{n}", indexes=[kw.Index("text")])
        n: int
        text: str
""")
EXPIRY, PAGE = "mongodb/daily/indexes/visits/seen_1", "mongodb/daily/indexes/visits/page_1"
DAY = 86_400


def models(*, days: int = 7, more: str = "") -> str:
    return MODELS.replace("DAYS", str(days)).replace("MORE", more)


@pytest.fixture
def daily(tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Iterator[Daily]:
    """A project whose only migration is applied."""
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", start("mongodb").url)
    created = Daily(tmp_path / "library", models(), stack=STACK)
    assert created("diff", "-m", "first").code == 0
    assert created("apply", "--local").code == 0
    yield created
    created.forget()


def expires(daily: Daily, days: int) -> None:
    """A DBA keeps visits longer."""
    with daily.collection() as books:
        index = {"name": "seen_1", "expireAfterSeconds": days * DAY}
        books.database.command("collMod", "visits", index=index)


def indexes(daily: Daily, collection: str = "visits") -> dict[str, Any]:
    with daily.collection() as books:
        return dict(books.database[collection].index_information())


def accepted_by(daily: Daily, said: Said) -> list[Said]:
    """Carry out each command that `drift` names."""
    names = re.findall(r"to accept it: keywright migrate (accept .+)", said.err)
    return [daily(*shlex.split(name.replace("TEXT", "'by the DBA'")), "--local") for name in names]


def is_quiet(daily: Daily) -> None:
    """Neither `drift` nor `plan` nor `apply` has anything to say."""
    said = daily.keywright("drift", "--local")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("every store matches its history\n")
    for command in ("plan", "apply"):
        done = daily(command, "--local")
        assert (done.code, "nothing" in done.out) == (0, True), done


def test_an_altered_index_is_accepted_until_that_is_taken_back(daily: Daily) -> None:
    expires(daily, 30)
    drifted = daily.keywright("drift", "--local")
    assert drifted.code == 1
    refused = daily("apply", "--local")
    assert refused.code == 4
    assert "`keywright migrate accept OBJECT --reason TEXT` accepts the live object" in refused.err
    assert [entry.code for entry in accepted_by(daily, drifted)] == [0]
    is_quiet(daily)
    said = daily.keywright("drift", "--local").out
    assert f"1 object accepted as different from the migrations:\n  {EXPIRY}: by the DBA (" in said
    with daily.site() as site:
        (difference,) = recorded(site.ledger.rows("")).accepted
        assert (difference.object, difference.reason, difference.parts[0]["found"]) == (EXPIRY, "by the DBA", 30 * DAY)
    assert daily("accept", EXPIRY, "--undo", "--reason", "over", "--local").code == 0
    assert daily.keywright("drift", "--local") == drifted
    again = daily("accept", EXPIRY, "--undo", "--reason", "over", "--local")
    assert (again.code, f'"{EXPIRY}" is not accepted in any store' in again.err) == (2, True)


def test_one_that_becomes_something_else_is_a_difference_again(daily: Daily) -> None:
    expires(daily, 30)
    accepted_by(daily, daily.keywright("drift", "--local"))
    expires(daily, 90)
    said = daily.keywright("drift", "--local")
    assert (said.code, "expected 604800, found 7776000" in said.out) == (1, True)
    assert daily("apply", "--local").code == 4
    accepted_by(daily, said)
    is_quiet(daily)
    expires(daily, 7)
    is_quiet(daily)
    assert "accepted" not in daily.keywright("drift", "--local").out


def test_a_dropped_index_and_collection_are_accepted(daily: Daily) -> None:
    with daily.collection() as books:
        books.database["visits"].drop_index("page_1")
        books.database["notes"].drop()
    said = daily.keywright("drift", "--local")
    assert said.code == 1
    full = daily("accept", "mongodb/daily/collections/notes", "--reason", "archived", "--local")
    assert full.code == 0, full
    left = daily.keywright("drift", "--local")
    assert "notes" not in left.err
    assert [entry.code for entry in accepted_by(daily, left)] == [0]
    is_quiet(daily)
    daily.becomes(models(more='kw.Index(["page", "site"])'))
    assert daily("diff", "-m", "more").code == 0
    assert daily("apply", "--local").code == 0
    assert sorted(indexes(daily)) == ["_id_", "page_1_site_1", "seen_1"], "what was accepted stays away"
    with daily.collection() as books:
        assert "notes" not in books.database.list_collection_names()


def test_a_version_that_changes_what_is_accepted_begins_with_what_is_there(daily: Daily) -> None:
    expires(daily, 30)
    accepted_by(daily, daily.keywright("drift", "--local"))
    daily.becomes(models(days=60))
    assert daily("diff", "-m", "longer").code == 0
    said = daily("apply", "--local")
    assert said.code == 0, said
    assert indexes(daily)["seen_1"]["expireAfterSeconds"] == 60 * DAY
    is_quiet(daily)


def test_an_accepted_validator_stays_while_a_version_adds_an_index(daily: Daily) -> None:
    with daily.collection() as books:
        books.database.command("collMod", "notes", validationAction="warn")
    assert [entry.code for entry in accepted_by(daily, daily.keywright("drift", "--local"))] == [0]
    is_quiet(daily)
    daily.becomes(models(more='kw.Index("site")'))
    assert daily("diff", "-m", "more").code == 0
    assert daily("apply", "--local").code == 0
    with daily.collection() as books:
        assert books.database["notes"].options()["validationAction"] == "warn"


def test_models_that_follow_the_store_are_recorded_as_applied(daily: Daily) -> None:
    expires(daily, 30)
    daily.becomes(models(days=30))
    assert daily("diff", "-m", "thirty_days").code == 0
    refused = daily("apply", "--local")
    assert refused.code == 4
    assert "`keywright migrate resolve 0002 --as applied --reason TEXT`" in refused.err
    assert daily("resolve", "0002", "--as", "applied", "--reason", "by the DBA", "--local").code == 0
    is_quiet(daily)


def test_what_stands_in_the_way_of_a_version_is_accepted(daily: Daily) -> None:
    with daily.collection() as books:
        books.database["visits"].create_index("site", name="by_site", unique=True)
    daily.becomes(models(more='kw.Index("site", name="by_site")'))
    assert daily("diff", "-m", "numbers").code == 0
    assert daily("apply", "--local").code == 4
    said = daily.keywright("drift", "--local")
    assert said.code == 1
    assert [entry.code for entry in accepted_by(daily, said)] == [0]
    applied = daily("apply", "--local")
    assert applied.code == 0, applied
    assert indexes(daily)["by_site"]["unique"] is True
    is_quiet(daily)


def test_what_does_not_differ_is_not_accepted(daily: Daily) -> None:
    with daily.collection() as books:
        books.database["visits"].create_index("site", name="of_a_dba")
    expires(daily, 30)
    said = daily("accept", f"{EXPIRY}s", "--reason", "x", "--local")
    assert (said.code, f'did you mean "{EXPIRY}"?' in said.err) == (2, True)
    said = daily("accept", PAGE, "--reason", "x", "--local")
    assert (said.code, f'"{PAGE}" does not differ' in said.err) == (2, True)
    said = daily("accept", "mongodb/daily/indexes/visits/of_a_dba", "--reason", "x", "--local")
    assert (said.code, "with `keywright migrate take-over`, migrations manage it" in said.err) == (2, True)
