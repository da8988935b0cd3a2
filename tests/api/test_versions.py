"""Access patterns in a snapshot."""

from pathlib import Path

from tests.projects import a_project, imported_alone, with_imports

from keywright import api
from keywright.api.author.diff import snapshot_of
from keywright.migrations.snapshot import EMPTY

MODELS = """
content = kw.MongoDatabase("content")


class User(BaseModel):
    __store__: ClassVar = kw.Collection(content, "users", id="{name}")

    name: str
    email: str


user = kw.Get(User)
users_of_mail = kw.Rank(User, order="email")
ranks = kw.Rank(User, order="email", unserved="a nightly report")
"""


def test_a_pattern_with_a_reason_for_being_unserved_is_no_news_for_a_migration(tmp_path: Path) -> None:
    with imported_alone(tmp_path):
        project = api.load(str(a_project(tmp_path, with_imports(MODELS)).root))
        access = snapshot_of(api.compile(project), EMPTY).access
    assert access == {"user": "mongodb/content", "users_of_mail": "nothing"}
