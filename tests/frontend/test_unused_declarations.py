"""Unused declarations."""

from pathlib import Path

import pytest
from tests.projects import errors_of, with_imports

SHOP = """
shop = kw.DynamoTable("shop")


class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="PROFILE")

    user_id: str


"""

UNUSED = {
    "a pattern in a tuple": (
        "patterns = (kw.Get(User),)",
        "E0607",
        'a pattern inside "patterns" has no name of its own',
    ),
    "a pattern in a mapping": (
        'found = {"a": kw.Get(User)}',
        "E0607",
        'a pattern inside "found" has no name of its own',
    ),
    "a pattern in a class": (
        "class Queries:\n    by_id = kw.Get(User)",
        "E0607",
        'the pattern "by_id" is inside the class "Queries", where keywright does not read it',
    ),
    "the class of a store": (
        "class Copy(BaseModel):\n    __store__: ClassVar = kw.Item",
        "E0516",
        '"__store__" is the class Item, which is not a store',
    ),
    "a store as an inner class": (
        "class Copy(BaseModel):\n    class __store__:\n        table = shop",
        "E0516",
        '"__store__" is the class __store__, which is not a store',
    ),
}


@pytest.mark.parametrize("case", UNUSED)
def test_an_unused_declaration_is_reported(case: str, tmp_path: Path) -> None:
    source, code, problem = UNUSED[case]
    errors = errors_of(tmp_path, with_imports(SHOP, source))
    assert [(error.code, error.problem) for error in errors] == [(code, problem)]


def test_a_pattern_in_a_list_that_has_a_name_too_is_read(tmp_path: Path) -> None:
    assert errors_of(tmp_path, with_imports(SHOP, "by_id = kw.Get(User)\nall_reads = [by_id]")) == []


def test_a_store_in_a_variable_may_be_the_one_of_a_class_or_a_binding(tmp_path: Path) -> None:
    source = """
    shop = kw.DynamoTable("shop")
    item = kw.Item(shop, pk="USER#{user_id}", sk="PROFILE")
    other = kw.Item(shop, pk="COPY#{user_id}", sk="PROFILE")


    class User(BaseModel):
        __store__: ClassVar = item

        user_id: str


    copy = kw.bind(User, other)
    """
    assert errors_of(tmp_path, with_imports(source)) == []


def test_one_name_for_two_bindings_is_reported(tmp_path: Path) -> None:
    again = """
    import keywright as kw
    from models.case import User, shop

    copied = kw.bind(User, kw.Item(shop, pk="B#{user_id}", sk="B"))
    """
    first = 'copied = kw.bind(User, kw.Item(shop, pk="A#{user_id}", sk="A"))'
    errors = errors_of(tmp_path, {"models/case.py": with_imports(SHOP, first), "models/other.py": again})
    assert [(error.code, error.problem) for error in errors] == [
        ("E0105", 'a second model in a store is called "copied", the first is in line 19 of "case.py"')
    ]
