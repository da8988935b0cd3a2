"""What is told of files that fail, where the exception means something of its own."""

from pathlib import Path

import pytest
from tests.projects import errors_of, told, with_imports


def told_of(folder: Path, source: str) -> str:
    return told(errors_of(folder, with_imports(source)), folder)


def test_a_word_that_does_not_exist_gets_a_suggestion(tmp_path: Path) -> None:
    assert told_of(tmp_path, 'shop = kw.DynamoDbTable("shop")') == (
        'models/case.py:10: error[E0109]: keywright has no word "DynamoDbTable"\n  help: did you mean "DynamoTable"?\n'
    )


def test_so_does_one_that_is_imported_by_name(tmp_path: Path) -> None:
    assert told_of(tmp_path, "from keywright import Colection") == (
        'models/case.py:10: error[E0109]: keywright has no word "Colection"\n  help: did you mean "Collection"?\n'
    )


def test_a_name_that_is_defined_below_is_told_where(tmp_path: Path) -> None:
    assert told_of(tmp_path, "user = kw.Get(User)\n\n\nclass User(BaseModel):\n    name: str") == (
        "models/case.py:10: error[E0101]: the file does not import: NameError: name 'User' is not defined\n"
        '  help: "User" is defined below, in line 13: move this line under it\n'
    )


def test_a_name_that_is_defined_nowhere_is_told_so(tmp_path: Path) -> None:
    assert told_of(tmp_path, "user = kw.Get(User)").endswith('help: define or import "User" above this line\n')


def test_a_cycle_through_attributes_is_a_cycle(tmp_path: Path) -> None:
    files = {
        "models/a.py": "import models.b\n\nNAME = models.b.NAME\n",
        "models/b.py": "import models.a\n\nNAME = models.a.NAME\n",
    }
    assert {error.code for error in errors_of(tmp_path, files)} == {"E0104"}


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("size = 3", "write size: <type> = ..., or size: ClassVar = ... if it is no field"),
        ('by_name = kw.Get("User")', "patterns stand below the class: by_name = kw.Get(<the class>, ...)"),
    ],
)
def test_a_class_attribute_without_annotation_is_told_by_its_line(tmp_path: Path, line: str, help: str) -> None:
    errors = errors_of(tmp_path, with_imports(f"class User(BaseModel):\n    name: str\n    {line}"))
    assert [(error.at.line, error.help) for error in errors if error.code == "E0209"] == [(12, help)]


def test_a_class_that_pydantic_does_not_know_is_told(tmp_path: Path) -> None:
    source = "class Odd:\n    pass\n\n\nclass User(BaseModel):\n    odd: Odd"
    assert told_of(tmp_path, source) == (
        'models/case.py:14: error[E0204]: a field is annotated "Odd", which has no form in a store\n'
        "  help: use a plain type, a list, a dict or a model\n"
    )


def test_a_store_that_is_a_field_is_told_its_name(tmp_path: Path) -> None:
    source = """
    shop = kw.DynamoTable("shop")


    class User(BaseModel):
        store: kw.Item = kw.Item(shop, pk="USER#{name}", sk="PROFILE")

        name: str
    """
    assert told_of(tmp_path, source).endswith(
        "help: a store is called __store__: write __store__: ClassVar = kw.Item(...)\n"
    )
