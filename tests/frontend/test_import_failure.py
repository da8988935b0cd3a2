"""Messages for model files that do not import, for exceptions with a code of their own."""

from pathlib import Path

import pytest
from tests.projects import errors_of, told, with_imports


def messages_of(folder: Path, source: str) -> str:
    return told(errors_of(folder, with_imports(source)), folder)


def test_an_unknown_name_gets_a_suggestion(tmp_path: Path) -> None:
    assert messages_of(tmp_path, 'shop = kw.DynamoDbTable("shop")') == (
        'models/case.py:10: error[E0109]: keywright has no name "DynamoDbTable"\n  help: did you mean "DynamoTable"?\n'
    )


def test_an_unknown_name_in_an_import_gets_a_suggestion(tmp_path: Path) -> None:
    assert messages_of(tmp_path, "from keywright import Colection") == (
        'models/case.py:10: error[E0109]: keywright has no name "Colection"\n  help: did you mean "Collection"?\n'
    )


def test_a_name_that_is_defined_below_is_reported_with_its_line(tmp_path: Path) -> None:
    assert messages_of(tmp_path, "user = kw.Get(User)\n\n\nclass User(BaseModel):\n    name: str") == (
        "models/case.py:10: error[E0101]: the file does not import: NameError: name 'User' is not defined\n"
        '  help: "User" is defined below, in line 13: move this line below it\n'
    )


def test_an_undefined_name_is_reported(tmp_path: Path) -> None:
    assert messages_of(tmp_path, "user = kw.Get(User)").endswith('help: define or import "User" above this line\n')


def test_a_cycle_through_attributes_is_a_cycle(tmp_path: Path) -> None:
    files = {
        "models/a.py": "import models.b\n\nNAME = models.b.NAME\n",
        "models/b.py": "import models.a\n\nNAME = models.a.NAME\n",
    }
    assert {error.code for error in errors_of(tmp_path, files)} == {"E0104"}


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("size = 3", "write size: <type> = ..., or size: ClassVar = ... if it is not a field"),
        ('by_name = kw.Get("User")', "declare patterns below the class: by_name = kw.Get(<the class>, ...)"),
    ],
)
def test_a_class_attribute_without_annotation_is_reported_at_its_line(tmp_path: Path, line: str, help: str) -> None:
    errors = errors_of(tmp_path, with_imports(f"class User(BaseModel):\n    name: str\n    {line}"))
    assert [(error.at.line, error.help) for error in errors if error.code == "E0209"] == [(12, help)]


def test_a_class_that_pydantic_does_not_know_is_reported(tmp_path: Path) -> None:
    source = "class Odd:\n    pass\n\n\nclass User(BaseModel):\n    odd: Odd"
    assert messages_of(tmp_path, source) == (
        'models/case.py:14: error[E0204]: a field is annotated with "Odd", which cannot be stored\n'
        "  help: use a plain type, a list, a dict or a model\n"
    )


def test_a_store_that_is_a_field_gets_the_name_store_in_its_help(tmp_path: Path) -> None:
    source = """
    shop = kw.DynamoTable("shop")


    class User(BaseModel):
        store: kw.Item = kw.Item(shop, pk="USER#{name}", sk="PROFILE")

        name: str
    """
    assert messages_of(tmp_path, source).endswith(
        "help: name the store __store__: write __store__: ClassVar = kw.Item(...)\n"
    )
