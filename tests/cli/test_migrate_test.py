"""`keywright migrate test`: what is said of cases that are tried in memory, and where there is no server for more."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.projects import a_project, with_imports
from tests.rules.migrations import case, overlaid, written

from keywright.errors import Unavailable

from .conftest import Keywright
from .test_migrate_documents import held_against

MODEL = """
    library = kw.MongoDatabase("library")

    class Book(BaseModel):
        __store__: ClassVar = kw.Collection(library, "books", id="{isbn}")

        isbn: str
        length: str | None = None
"""
PAGES = MODEL + "        pages: int | None = None\n"

FILL = {
    "n": 10, "phase": "backfill", "by": "runner", "op": "backfill", "store": "mongodb/library", "applies": ["c1", "c2"],
    "object": "library/shape/Book", "transform": {"copy": {"pages": "length"}, "cast": {"pages": "int"}},
}  # fmt: skip
END = {"n": 20, "phase": "contract", "by": "runner", "op": "assert_snapshot"}

RIGHT = ({"_id": "1", "length": "12"}, {"_id": "1", "length": "12", "pages": 12})
QUARANTINED = ({"_id": "2", "length": "many"}, None)
WRONG = ({"_id": "3", "length": "7"}, {"_id": "3", "length": "7", "pages": 8})
NOT_QUARANTINED = ({"_id": "4"}, None)
REFUSED = ({"_id": "5", "length": "few"}, {"_id": "5", "length": "few", "pages": 3})

Cases = Callable[..., None]


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cases:
    """`cases("CASES = []")`: a project whose second version has that test file, in which the test stands."""

    def make(text: str, fill: dict[str, Any] = FILL) -> None:
        migrations = case(tmp_path / "made", {"before": with_imports(MODEL), "after": with_imports(PAGES)}).migrations
        settings = a_project(tmp_path / "project", {})
        written(settings, (migrations[0], overlaid(migrations, {"steps": [fill, END]})))
        file = settings.root / settings.migrations / migrations[1].folder / "test_books.py"
        if text:
            file.write_text(text, encoding="utf-8")
        monkeypatch.chdir(settings.root)

    return make


def test_a_transform_that_would_do_harm_twice_is_told_and_is_right(cases: Cases, keywright: Keywright) -> None:
    """Once is what a pass does, by the version or mark that it leaves; so the case is right."""
    chain = {"transform": {"map": {"length": {"short": "long", "long": "endless"}}}, "version": 2}
    cases('CASES = [({"_id": "1", "length": "short"}, {"_id": "1", "length": "long"})]', {**FILL, **chain})
    said = keywright("migrate", "test")
    output = '0002_after: a second run would change "length"; the transform runs once for each item\n'
    assert said == (0, f"1 case, 0 failed\n{output}", "")
    document = json.loads(keywright("migrate", "test", "--format", "json").out)
    held_against("migrate-test", document)
    assert document["cases"][0]["again"] == ["length"]


def test_cases_that_come_out_as_they_say_exit_0(cases: Cases, keywright: Keywright) -> None:
    cases(f"CASES = {[RIGHT, QUARANTINED]!r}")
    assert keywright("migrate", "test") == (0, "2 cases, 0 failed\n", "")


def test_wrong_cases_are_shown_as_they_are_and_as_they_should_be(cases: Cases, keywright: Keywright) -> None:
    cases(f"CASES = {[RIGHT, WRONG, NOT_QUARANTINED, REFUSED]!r}")
    said = keywright("migrate", "test", "0002", "--color", "never")
    assert (said.code, said.out) == (
        1,
        "failed 0002_after/test_books.py case 2\n"
        "  expected {'_id': '3', 'length': '7', 'pages': 8}\n"
        "  actual   {'_id': '3', 'length': '7', 'pages': 7}\n"
        "failed 0002_after/test_books.py case 3\n"
        "  expected quarantine\n"
        "  actual   {'_id': '4'}\n"
        "failed 0002_after/test_books.py case 4\n"
        "  expected {'_id': '5', 'length': 'few', 'pages': 3}\n"
        '  actual   quarantine: "pages" is a str that cannot be read as int\n'
        "4 cases, 3 failed\n",
    )


def test_the_document_has_each_case(cases: Cases, keywright: Keywright) -> None:
    cases(f"STEP = 10\nCASES = {[QUARANTINED]!r}")
    document = json.loads(keywright("migrate", "test", "--format", "json").out)
    held_against("migrate-test", document)
    (entry,) = document["cases"]
    assert entry == {
        "migration": "0002_after", "file": "test_books.py", "case": 1, "right": True, "expected": None, "found": None,
        "reason": '"pages" is a str that cannot be read as int', "again": [],
    }  # fmt: skip


@pytest.mark.parametrize("text", ["CASES = [({},)]", "CASE = []", "CASES = [(1, 2)]"])
def test_a_file_that_is_no_list_of_cases_is_named(text: str, cases: Cases, keywright: Keywright) -> None:
    cases(text)
    said = keywright("migrate", "test")
    assert said.code == 2
    assert "0002_after/test_books.py: " in said.err
    assert "help: define CASES = [(item before, item after), ...]" in said.err


@pytest.mark.parametrize(("words", "help"), [("STEP = 20", "write STEP = one of [10]"), ("0003", "did you mean")])
def test_a_step_or_version_that_is_not_there_is_told(words: str, help: str, cases: Cases, keywright: Keywright) -> None:
    cases(f"STEP = {20 if 'STEP' in words else 10}\nCASES = []")
    said = keywright("migrate", "test", *([words] if words.isdigit() else []))
    assert said.code == 2
    assert help in said.err


def test_without_cases_no_server_is_needed_for_live(cases: Cases, keywright: Keywright) -> None:
    cases("")
    assert keywright("migrate", "test", "--live") == (0, "no migration has a test_*.py\n", "")


def test_without_a_server_cases_are_tried_in_memory_and_it_exits_3(
    cases: Cases, keywright: Keywright, monkeypatch: pytest.MonkeyPatch
) -> None:
    def up(*args: Any, **options: Any) -> Any:
        raise Unavailable("mongodb: there is no mongod", "install it")

    monkeypatch.setattr("keywright.local.up", up)
    cases(f"CASES = {[RIGHT]!r}")
    said = keywright("migrate", "test", "--live")
    assert (said.code, said.out) == (3, "1 case, 0 failed\n")
    assert "there is no mongod" in said.err
