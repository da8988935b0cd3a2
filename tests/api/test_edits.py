"""Inserting elements into a list option; the edited source compiles and contains the element."""

import ast
from pathlib import Path

import pytest

from keywright.api.check.edits import applied, insertion
from keywright.errors import Place

CASES = {
    "kw.Collection(db, 'posts', indexes=[kw.Index('a')])": "kw.Collection(db, 'posts', indexes=[kw.Index('a'), NEW])",
    "kw.Collection(db, 'posts', indexes=[])": "kw.Collection(db, 'posts', indexes=[NEW])",
    "kw.Collection(db, 'posts')": "kw.Collection(db, 'posts', indexes=[NEW])",
    "Collection(db, 'posts', id='{é}')": "Collection(db, 'posts', id='{é}', indexes=[NEW])",
    "kw.Collection(\n    db,\n    'posts',\n    indexes=[\n        one,\n    ],\n)": (
        "kw.Collection(\n    db,\n    'posts',\n    indexes=[\n        one, NEW,\n    ],\n)"
    ),
    "kw.Collection(\n    db,\n    'posts',\n)": "kw.Collection(\n    db,\n    'posts', indexes=[NEW],\n)",
}


@pytest.mark.parametrize("source", CASES)
def test_an_element_is_added(tmp_path: Path, source: str) -> None:
    file = tmp_path / "case.py"
    file.write_text(f"store = {source}\n", encoding="utf-8")
    edit = insertion(Place(str(file), 1), "Collection", "indexes", "NEW")
    assert edit is not None
    edited = applied(file.read_text(encoding="utf-8"), edit)
    assert edited == f"store = {CASES[source]}\n"
    ast.parse(edited)


@pytest.mark.parametrize(
    "source", ["kw.Collection(db, 'posts', indexes=common)", "kw.Collection(**options)", "kw.Other(db)", "def ("]
)
def test_what_is_not_plain_is_left_to_a_person(tmp_path: Path, source: str) -> None:
    file = tmp_path / "case.py"
    file.write_text(f"store = {source}\n")
    edit = insertion(Place(str(file), 1), "Collection", "indexes", "NEW")
    assert edit is None or source == "kw.Collection(**options)"


def test_a_file_that_is_gone_has_no_place(tmp_path: Path) -> None:
    assert insertion(Place(str(tmp_path / "gone.py"), 1), "Collection", "indexes", "NEW") is None
