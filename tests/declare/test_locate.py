"""Lines of classes, fields and names in the user's source."""

from pathlib import Path

import pytest

from keywright.declare.locate import attribute_line, is_in_format_string, place_in, top_line
from keywright.errors import Place

SOURCE = '''\
"""A file."""

NAME = "a"
KEY = f"USER#{NAME}"


@decorated
class User:
    size = 3
    name: str

    class Inner:
        name: int


OTHER: str = "b"
'''


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "case.py"
    path.write_text(SOURCE)
    return str(path)


@pytest.mark.parametrize(
    ("cls", "field", "line"),
    [
        ("User", "", 8),
        ("User", "name", 10),
        ("User", "size", 9),
        ("Inner", "name", 13),
        ("User", "gone", 8),
        ("No", "", 0),
    ],
)
def test_a_class_or_field_has_a_line(file: str, cls: str, field: str, line: int) -> None:
    assert place_in(file, cls, field) == Place(file, line)


@pytest.mark.parametrize(("name", "line"), [("NAME", 3), ("User", 8), ("OTHER", 16), ("name", 0)])
def test_a_name_at_the_top_has_a_line(file: str, name: str, line: int) -> None:
    assert top_line(file, name) == line


@pytest.mark.parametrize(("class_line", "line"), [(8, 9), (7, 9), (12, 0), (1, 0)])
def test_an_attribute_is_found_by_the_line_of_its_class(file: str, class_line: int, line: int) -> None:
    assert attribute_line(file, class_line, "size") == line


def test_a_name_in_an_f_string_is_known(file: str) -> None:
    assert is_in_format_string(file, 4, "NAME")
    assert not is_in_format_string(file, 3, "NAME")
    assert not is_in_format_string(file, 4, "OTHER")


@pytest.mark.parametrize("content", [b"class User(:\n", b"\xff\xfe", b"\x00"])
def test_a_file_that_cannot_be_parsed_has_no_lines(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.py"
    path.write_bytes(content)
    assert place_in(str(path), "User") == Place(str(path), 0)


def test_a_file_that_is_gone_has_no_lines(tmp_path: Path) -> None:
    assert place_in(str(tmp_path / "gone.py"), "User").line == 0
