"""One mistake gives one error: declarations that depend on a rejected declaration have no errors of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.projects import a_project, errors_of, with_imports

SOUND = """
lookup = kw.Gsi("lookup", pk="gsi1pk", sk="gsi1sk", project=["email"])
shop = kw.DynamoTable("shop", gsis=[lookup])
content = kw.MongoDatabase("content")
metrics = kw.Keyspace("metrics")
cache = kw.RedisServer("cache", role="cache")


class User(BaseModel):
    __store__: ClassVar = kw.Item(
        shop, pk="USER#{user_id}", sk="PROFILE", gsis=[lookup.key(pk="EMAIL#{email}", sk="USER")]
    )

    user_id: str
    email: str


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(content, "posts", id="{slug}", indexes=[kw.Index(["author"])])

    slug: str
    author: Annotated[str, kw.Ref(User, on_missing="hide")]


class Reading(BaseModel):
    __store__: ClassVar = kw.CqlTable(metrics, "readings", partition="sensor", clustering=["at"])

    sensor: str
    at: AwareDatetime


class Session(BaseModel):
    __store__: ClassVar = kw.RedisHash(cache, key="session:{token}")

    token: str


user = kw.Get(User, eq="user_id")
user_of_mail = kw.Read(User, eq="email", limit=1)
put_user = kw.Put(User)
posts = kw.Read(Post, eq="author", limit=3)
posts_with_mail = kw.Read(Post, eq="author", limit=3, joins=[kw.Join(User, on={"user_id": "user_id"}, fields="email")])
readings = kw.Read(Reading, eq="sensor", order="at", limit=3)
session = kw.Get(Session)
sign_up = kw.Transact([kw.Put(User), kw.Delete(User)])
own_user = kw.Get(User, reads_back=[put_user])
"""

MISTAKES = {
    "an index is gone from its table": ("gsis=[lookup])", "gsis=[])", "E0310"),
    "an option of an index is unknown": ('project=["email"]', "projection=1", "E0501"),
    "an index projects an unknown field": ('project=["email"]', 'project=["mail"]', "E0303"),
    "a table has one attribute as both keys": ("gsis=[lookup])", "gsis=[lookup], pk='a', sk='a')", "DDB105"),
    "a generation has no source": ("gsis=[lookup])", "gsis=[lookup], generation=2)", "E0506"),
    "an option of a database is unknown": ('kw.MongoDatabase("content")', 'kw.MongoDatabase("content", a=1)', "E0501"),
    "an option of a keyspace is unknown": ('kw.Keyspace("metrics")', 'kw.Keyspace("metrics", a=1)', "E0501"),
    "a server has no role": (', role="cache"', "", "E0502"),
    "an option of an item is unknown": ('sk="PROFILE"', 'sk="PROFILE", a=1', "E0501"),
    "a field of keys and patterns is misspelt": ("    email: str", "    emal: str", "E0303"),
    "a field of a key is a union": ("    user_id: str", "    user_id: int | str", "E0309"),
    "a type is not defined": ("    slug: str", '    slug: str\n    x: "Nope"', "E0111"),
    "a model has no base": ("class User(BaseModel)", "class User", "E0517"),
    "an index names an unknown field": ('["author"]', '["author", "nope"]', "E0303"),
    "a static column is unknown": ('partition="sensor"', 'partition="sensor", static="nope"', "E0303"),
}
"""Text before, text after, and the code of the only error."""


def test_the_source_of_the_mistakes_is_correct(tmp_path: Path) -> None:
    assert errors_of(tmp_path, with_imports(SOUND)) == []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_error(mistake: str, tmp_path: Path) -> None:
    before, after, code = MISTAKES[mistake]
    assert before in SOUND
    errors = errors_of(tmp_path, with_imports(SOUND.replace(before, after)))
    assert [error.code for error in errors] == [code]


def test_messages_are_the_same_whatever_the_hash_of_text(tmp_path: Path) -> None:
    wrong = SOUND.replace('project=["email"]', 'project=["zzz", "qqq"]').replace(
        'eq="sensor"', 'eq="zzz", where={"qqq": 1}'
    )
    a_project(tmp_path, with_imports(wrong))
    outputs = {_output(tmp_path, seed) for seed in ("1", "2", "3")}
    assert len(outputs) == 1
    assert 'known: "email", "user_id"' in outputs.pop()


def _output(folder: Path, seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "keywright", "check"],
        cwd=folder, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    return done.stdout + done.stderr
