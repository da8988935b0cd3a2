"""`migrate diff --amend` and `--check`: an amended migration is as one that is written from nothing."""

import shutil
from pathlib import Path

import pytest
import yaml
from tests.projects import a_project, imported_alone, with_imports

from .conftest import Keywright

HEADS = {
    "mongodb": ('kw.MongoDatabase("things")', 'kw.Collection(d, "p", id="{k}"MORE)'),
    "dynamodb": ('kw.DynamoTable("things")', 'kw.Item(d, pk="P#{k}", sk="P"MORE)'),
    "cassandra": ('kw.Keyspace("things")', 'kw.CqlTable(d, "p", partition="k"MORE)'),
    "redis": ('kw.RedisServer("things", role="primary")', 'kw.RedisHash(d, key="p:{k}"MORE)'),
}


def models(engine: str, more: str = "", fields: str = "") -> str:
    store, entity = HEADS[engine]
    lines = "".join(f"    {line}\n" for line in fields.splitlines())
    entity = entity.replace("MORE", more)
    return with_imports(f"d = {store}\n\nclass P(BaseModel):\n    __store__: ClassVar = {entity}\n    k: str\n{lines}")


def upgraded(engine: str, upgrade: str, fields: str = "tier: str") -> str:
    return models(engine, f", schema_version=2, upgrades={{1: kw.Upgrade({upgrade})}}", fields)


class Project:
    def __init__(self, root: Path, keywright: Keywright) -> None:
        self.root, self.keywright = root, keywright
        a_project(root, {})

    def becomes(self, text: str) -> None:
        (self.root / "models" / "p.py").write_text(text)

    def __call__(self, *words: str) -> tuple[int, str]:
        with imported_alone(self.root):
            said = self.keywright("--project", str(self.root), "migrate", *words)
        return said.code, said.out + said.err

    @property
    def last(self) -> Path:
        return sorted((self.root / "migrations").glob("0*"))[-1]

    def texts(self) -> dict[str, str]:
        files = (path for path in self.last.rglob("*") if path.is_file())
        return {str(file.relative_to(self.last)): file.read_text() for file in files}


@pytest.fixture
def project(tmp_path: Path, keywright: Keywright) -> Project:
    return Project(tmp_path / "it", keywright)


EDITS = {
    "a value of an upgrade": ('set={"tier": "free"}', "tier: str", 'set={"tier": "gold"}', "tier: str"),
    "another kind of upgrade": ('set={"tier": "free"}', "tier: str", 'copy={"tier": "k"}', "tier: str"),
    "an optional field": (
        'set={"tier": "free"}',
        "tier: str",
        'set={"tier": "free"}',
        "tier: str\nb: str | None = None",
    ),
    "another field": ('set={"tier": "free"}', "tier: str", 'set={"level": "low"}', "level: str"),
}


@pytest.mark.parametrize("engine", HEADS)
@pytest.mark.parametrize("edit", EDITS)
def test_an_amended_migration_is_as_one_that_is_written_from_nothing(engine: str, edit: str, project: Project) -> None:
    before, fields, after, later = EDITS[edit]
    project.becomes(models(engine))
    assert project("diff", "-m", "one")[0] == 0
    project.becomes(upgraded(engine, before, fields))
    assert project("diff", "-m", "two")[0] == 0
    assert project("diff", "--check")[0] == 0
    project.becomes(upgraded(engine, after, later))
    assert project("diff", "--check")[0] == 1
    assert project("diff", "--amend")[0] == 0
    assert project("diff", "--check")[0] == 0
    amended = project.texts()
    shutil.rmtree(project.root / "migrations")
    project.becomes(models(engine))
    assert project("diff", "-m", "one")[0] == 0
    project.becomes(upgraded(engine, after, later))
    assert project("diff", "-m", "two")[0] == 0
    assert amended == project.texts()


def test_a_changed_upgrade_is_told_with_what_to_do(project: Project) -> None:
    project.becomes(models("mongodb"))
    project("diff", "-m", "one")
    project.becomes(upgraded("mongodb", 'set={"tier": "free"}'))
    project("diff", "-m", "two")
    project.becomes(upgraded("mongodb", 'set={"tier": "gold"}'))
    for words in (("diff",), ("diff", "--check"), ("diff", "-m", "three")):
        code, said = project(*words)
        assert code == 1
        assert said == (
            "the transforms of 0002_two differ from those of the models: mongodb/things things/shape/P\n"
            "help: run `keywright migrate diff --amend` if nobody else has the migration; else raise schema_version, "
            "and declare the change as a separate upgrade\n"
        )


def test_an_upgrade_that_is_spent_may_go_from_the_models(project: Project) -> None:
    project.becomes(models("mongodb"))
    project("diff", "-m", "one")
    project.becomes(upgraded("mongodb", 'set={"tier": "free"}'))
    project("diff", "-m", "two")
    project.becomes(models("mongodb", ", schema_version=2", "tier: str"))
    assert project("diff", "--check")[0] == 0


def test_steps_that_people_wrote_stay(project: Project) -> None:
    project.becomes(models("mongodb"))
    project("diff", "-m", "one")
    project.becomes(upgraded("mongodb", 'set={"tier": "free"}'))
    project("diff", "-m", "two")
    file = project.last / "migration.yaml"
    gate = "  - {n: 15, phase: expand, by: runner, op: wait, days: 2, text: the caches are cold}\n"
    file.write_text(file.read_text().replace("steps:\n", f"steps:\n{gate}"))
    for upgrade, fields in (('set={"tier": "gold"}', "tier: str"), ('set={"tier": "gold"}', "tier: str\nb: int = 0")):
        project.becomes(upgraded("mongodb", upgrade, fields))
        assert project("diff", "--amend")[0] == 0
        steps = yaml.safe_load((project.last / "migration.yaml").read_text())["steps"]
        assert [step["text"] for step in steps if step["op"] == "wait"] == ["the caches are cold"]
        assert [step["transform"] for step in steps if step["op"] == "backfill"] == [{"set": {"tier": "gold"}}]


@pytest.mark.parametrize("engine", HEADS)
def test_a_migration_whose_changes_were_undone_is_discarded(engine: str, project: Project) -> None:
    project.becomes(models(engine))
    project("diff", "-m", "one")
    project.becomes(models(engine, fields="tier: str | None = None"))
    project("diff", "-m", "two")
    before = project.texts()
    project.becomes(models(engine))
    code, said = project("diff", "--amend")
    assert (code, project.texts()) == (2, before)
    assert '"0002_two" has no changes left: the models match 0001_one' in said
    assert "help: `keywright migrate discard` removes it" in said
    assert project("discard")[0] == 0
    assert project.last.name == "0001_one"
    assert project("diff", "--check")[0] == 0


def test_a_migration_of_data_alone_is_amended_without_changes(project: Project) -> None:
    project.becomes(models("mongodb"))
    project("diff", "-m", "one")
    project("new", "tidy", "--store", "mongodb/things", "--entity", "P")
    assert project("diff", "--amend")[0] == 0
    steps = yaml.safe_load((project.last / "migration.yaml").read_text())["steps"]
    assert "backfill" in [step["op"] for step in steps]
