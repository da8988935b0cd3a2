"""Folding: the folders of a history hold what changed, and together give every snapshot back."""

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.migrations.test_author import table
from tests.migrations.test_merge import NAMES, described

from keywright.engines.registry import engine_of
from keywright.errors import UsageError
from keywright.migrations.author.draft import Draft, changes
from keywright.migrations.author.planner import author
from keywright.migrations.migration import Migration
from keywright.migrations.snapshot import EMPTY, Snapshot, dump, pruned
from keywright.project.migrations import folder
from keywright.project.migrations.folder import MIGRATION, read_folder, write_migrations
from keywright.project.settings import Settings


@st.composite
def states(draw: st.DrawFn, name: str) -> list[Snapshot]:
    """Some snapshots that follow each other, with up to three targets that come, change, go and come back."""
    engine = engine_of(name)
    targets = import_module(f"tests.properties.{name}").targets
    describeds = [described(engine, draw(targets())) for _ in range(3)]
    chosen = st.dictionaries(st.sampled_from(("a", "b", "c")), st.sampled_from(describeds), max_size=3)
    patterns = st.dictionaries(st.sampled_from(("p", "q")), st.sampled_from((name, f"{name}/it")))
    return [
        Snapshot({name: pruned(draw(chosen))}, access=draw(patterns), renamed=draw(patterns))
        for _ in range(draw(st.integers(1, 4)))
    ]


def history(snapshots: list[Snapshot]) -> list[Migration]:
    """A version for each of some snapshots."""
    migrations: list[Migration] = []
    for at, after in enumerate(snapshots, start=1):
        before, parent = (migrations[-1].snapshot, migrations[-1].number) if migrations else (EMPTY, None)
        draft = Draft(before=before, after=after)
        migrations.append(author(draft, engine_of, number=f"{at:04d}", slug="it", parent=parent))
    return migrations


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_folders_read_one_after_the_other_give_every_snapshot_back(name: str, data: st.DataObject) -> None:
    snapshots = data.draw(states(name))
    migrations = history(snapshots)
    ends = [dump(entry.snapshot) for entry in migrations]
    with tempfile.TemporaryDirectory() as root:
        path = Path(root) / "migrations"
        for at, migration in enumerate(migrations):
            write_migrations(path, [other.folder for other in migrations[:at]], [(migration, {})])
        result = read_folder(Settings(Path(root))).migrations
        write_migrations(path, [entry.folder for entry in migrations[:-1]], [], removed=[migrations[-1].folder])
        assert read_folder(Settings(Path(root))).migrations == result[:-1]
    assert list(result) == migrations
    assert [dump(entry.snapshot) for entry in result] == ends  # what shares its parts with others was not written to
    for migration, after in zip(result, snapshots, strict=True):
        assert not changes(Draft(before=migration.snapshot, after=after), engine_of)
        assert (migration.snapshot.access, migration.snapshot.renamed) == (after.access, after.renamed)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_a_version_leaves_alone_is_no_part_of_its_folder(name: str, data: st.DataObject) -> None:
    before, after = data.draw(states(name)), data.draw(states(name))
    beside = data.draw(import_module(f"tests.properties.{name}").targets())
    others = {f"unchanged{at}": described(engine_of(name), beside) for at in range(20)}
    pairs = [(before[0], after[0])]
    pairs += [tuple(Snapshot({name: pruned({**others, **snapshot.stores[name]})}) for snapshot in pairs[0])]  # type: ignore[arg-type]
    alone, among = (files(*pair) for pair in pairs)
    assert len(among) <= len(alone)  # which has the notes too


def files(before: Snapshot, after: Snapshot) -> bytes:
    """The folder of a version between two snapshots, in one."""
    migration = author(Draft(before=before, after=after), engine_of, number="0002", slug="it", parent="0001")
    with tempfile.TemporaryDirectory() as root:
        (path,) = write_migrations(Path(root), [], [(migration, {})])
        return b"".join(folder.files_of(path).values())


def test_what_was_dropped_is_in_the_graveyard_of_all_that_follow() -> None:
    fields: Any = {"coupon": {"required": False, "type": "S"}}
    order = {"fields": fields, "key": {}, "schema_version": 1}
    snapshots = [table(Order=order), table(Order={**order, "fields": {}}), table()]
    graves = [
        [(entry["object"], entry["type"], entry["dropped_in"]) for entry in migration.snapshot.graveyard]
        for migration in history(snapshots)
    ]
    assert graves == [[], [("dynamodb/shop/shape/Order/fields/coupon", "S", "0002")], graves[1]]


def test_a_change_that_leads_elsewhere_than_the_version_says_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = [table(), table({"stream": "KEYS_ONLY"}), table({"stream": "NEW_IMAGE"})]
    migrations = history(states)
    path = tmp_path / "migrations"
    write_migrations(path, [], [(migration, {}) for migration in migrations])
    monkeypatch.setattr(folder, "_check", lambda path, result, is_amended: None)
    file = path / migrations[1].folder / MIGRATION
    file.write_text(file.read_text().replace("KEYS_ONLY", "OLD_IMAGE"))
    last = path / migrations[2].folder / MIGRATION
    last.write_text(last.read_text().replace("NEW_IMAGE", "OLD_IMAGE"))
    with pytest.raises(UsageError, match=rf"{migrations[1].folder}.*its changes result in sha256:"):
        read_folder(Settings(tmp_path))
