"""A store that was there first, on a real mongod: what no model declares is listed, kept, or taken over by its name."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import Daily
from tests.projects import with_imports

from keywright.local import Running

pytestmark = pytest.mark.live

MODELS = with_imports("""
    daily = kw.MongoDatabase("daily")

    class User(BaseModel):
        __store__: ClassVar = kw.Collection(
            daily, "users", indexes=[kw.Index("email", unique=True), kw.Index("city")], validation="off"
        )
        email: str
        city: str
""")
SAME = "no difference: the last migration matches the models\n"
UNMANAGED = """\
every store matches its history
6 unmanaged objects, which migrations never change:
  mongodb/daily/collections/basket
  mongodb/daily/collections/users/validationAction
  mongodb/daily/collections/users/validationLevel
  mongodb/daily/collections/users/validator
  mongodb/daily/indexes/users/of_a_dba
  mongodb/daily/indexes/users/seen_1
"""


@pytest.fixture
def first(tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Iterator[Daily]:
    """A database of somebody's, of which models declare a part."""
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", start("mongodb").url)
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB", start("mongodb").url)
    daily = Daily(tmp_path / "library", MODELS)
    with daily.collection() as books:
        users = books.database["users"]
        users.insert_many([{"email": f"{n}@example.org", "city": "Ulm", "extra": n} for n in range(9)])
        users.create_index("email", unique=True, name="email of users")
        users.create_index("city")
        users.create_index("extra", name="of_a_dba")
        users.create_index("seen", expireAfterSeconds=10**8)
        users.database.command("collMod", "users", validator={"email": {"$exists": True}})
        users.database["basket"].create_index("user")
    yield daily
    daily.forget()


def done(first: Daily, *arguments: str) -> str:
    said = first.keywright(*arguments)
    assert said.code == 0, said
    return said.out


def definitions(first: Daily) -> dict[str, Any]:
    with first.collection() as books:
        list_collections = books.database.list_collections(filter={"name": {"$not": {"$regex": "^_kw_"}}})
        return {
            collection["name"]: (collection["options"], books.database[collection["name"]].index_information())
            for collection in list_collections
        }


def test_what_no_model_declares_is_listed_and_left_alone(first: Daily) -> None:
    before = definitions(first)
    done(first, "migrate", "baseline", "--from", "live", "--local")
    assert done(first, "drift", "--local") == UNMANAGED
    assert "unmanaged: mongodb/daily/collections/basket, " in done(first, "--env", "dev", "inspect")
    assert done(first, "migrate", "diff") == SAME, "an equal index counts"
    first.becomes(f"{MODELS}    age: int | None = None\n")
    done(first, "migrate", "diff", "-m", "age")
    done(first, "migrate", "apply", "--local")
    assert definitions(first) == before


def test_a_setting_that_is_declared_meets_one_of_others_and_stops(first: Daily) -> None:
    done(first, "migrate", "baseline", "--from", "live", "--local")
    first.becomes(MODELS.replace(', validation="off"', ""))
    done(first, "migrate", "diff", "-m", "validator")
    said = first("apply", "--local")
    assert said.code == 4
    assert said.err.startswith("error: mongodb/daily does not match its history: ")
    assert "`keywright migrate accept OBJECT --reason TEXT` accepts the live object" in said.err
    assert definitions(first)["users"][0]["validator"] == {"email": {"$exists": True}}


def test_a_validator_warns_first_and_refuses_behind_a_gate_once_nothing_breaks_it(first: Daily) -> None:
    with first.collection() as books:
        books.database.command("collMod", "users", validator={})
        books.database["users"].insert_one({"email": "x@example.org", "city": 7})
    done(first, "migrate", "baseline", "--from", "live", "--local")
    first.becomes(MODELS.replace(', validation="off"', ""))
    done(first, "migrate", "diff", "-m", "validator")
    assert "daily.users: 1 document breaks the validator\n" in first("plan", "--local").out
    said = first("apply", "--local")
    assert (said.code, "satisfy the validator, according to the server's log" in said.err) == (4, True)
    assert definitions(first)["users"][0]["validationAction"] == "warn"
    gate = ("apply", "--local", "--ack", "0002/20", "--note", "looked")
    said = first(*gate)
    assert (said.code, '0002/30: 1 document of "users" breaks the validator' in said.err) == (5, True)
    with first.collection() as books:
        books.database["users"].update_one({"city": 7}, {"$set": {"city": "Ulm"}})
    done(first, "migrate", *gate)
    assert definitions(first)["users"][0]["validationAction"] == "error"
    with first.collection() as books:
        books.database["users"].update_one({}, {"$set": {"another": 1}})


def test_a_plan_counts_duplicates_and_what_would_expire_at_once(first: Daily) -> None:
    with first.collection() as books:
        books.database["users"].update_many({"extra": {"$lt": 3}}, {"$currentDate": {"joined": True}})
    done(first, "migrate", "baseline", "--from", "live", "--local")
    more = "    joined: Annotated[AwareDatetime | None, kw.Ttl(after=timedelta(0))] = None\n"
    first.becomes(
        MODELS.replace('kw.Index("city")', 'kw.Index("city"), kw.Index("city", unique=True, name="one")') + more
    )
    said = first("diff", "-m", "both")
    assert said.code == 0, said
    output = first("plan", "--local").out
    assert "daily.users: 9 documents share a key of the unique index\n" in output
    assert "daily.users: 3 items would expire at once\n" in output


def test_what_is_taken_over_is_managed_and_the_next_version_drops_it(first: Daily) -> None:
    done(first, "migrate", "baseline", "--from", "live", "--local")
    wrong = first("take-over", "--local", "mongodb/daily/indexes/users/of_a_dbb")
    assert (wrong.code, wrong.err) == (
        2,
        'error: "mongodb/daily/indexes/users/of_a_dbb" is not an unmanaged object\n'
        '  help: did you mean "mongodb/daily/indexes/users/of_a_dba"?\n',
    )
    taken = ("mongodb/daily/indexes/users/of_a_dba", "mongodb/daily/collections/basket")
    said = done(first, "migrate", "take-over", "--local", *taken)
    assert said == "wrote migrations/0002_take_over_of_a_dba_basket: apply it to make the objects managed\n"
    before = definitions(first)
    done(first, "migrate", "apply", "--local")
    assert definitions(first) == before
    assert "3 unmanaged" not in done(first, "drift", "--local")
    done(first, "migrate", "diff", "-m", "tidy")
    said = done(first, "migrate", "apply", "--local", *acknowledged(first))
    assert definitions(first).keys() == {"users"}
    assert definitions(first)["users"][1].keys() == {"_id_", "city_1", "email of users", "seen_1"}


def acknowledged(first: Daily) -> list[str]:
    """Options that open every gate of the last version."""
    said, result = first("apply", "--local"), list[str]()
    while said.code == 4:
        place = said.err.split()[1]
        result += ["--ack", place, "--note", "looked"]
        said = first("apply", "--local", "--ack", place, "--note", "looked")
    return result
