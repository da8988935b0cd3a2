"""The ten wrong models of docs/errors.md, and their messages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.projects import errors_of, told, with_imports

from keywright.errors import DeclarationError
from keywright.pages.catalogue import CASE

from .beginners import BEGINNERS, Beginner

ROOT = Path(__file__).parent.parent.parent
MESSAGES = ROOT / "tests" / "golden" / "messages" / "beginners"
DOCS = ROOT / "docs" / "errors.md"

Golden = Callable[[Path, str], bool]


@pytest.mark.parametrize("beginner", BEGINNERS, ids=lambda beginner: beginner.slug)
def test_a_wrong_model_gets_its_message(beginner: Beginner, tmp_path: Path, is_golden: Golden) -> None:
    errors = _errors(beginner, tmp_path)
    assert {error.code for error in errors} == {beginner.code}
    assert is_golden(MESSAGES / f"{beginner.slug}.txt", told(errors, tmp_path))


def test_no_golden_message_is_left_over() -> None:
    assert {file.stem for file in MESSAGES.glob("*.txt")} == {beginner.slug for beginner in BEGINNERS}


def test_the_documentation_shows_the_ten_models_and_their_messages(is_golden: Golden) -> None:
    assert is_golden(DOCS, _documented("beginners", "\n\n".join(map(_section, BEGINNERS))))


def _errors(beginner: Beginner, folder: Path) -> list[DeclarationError]:
    first, *others = beginner.source.split("# file: ")
    files = {CASE: with_imports(first)}
    for other in others:
        path, _, text = other.partition("\n")
        files[path] = with_imports(text)
    return errors_of(folder, files)


def _section(beginner: Beginner) -> str:
    message = (MESSAGES / f"{beginner.slug}.txt").read_text(encoding="utf-8").rstrip()
    return f"### {beginner.title}\n\n```python\n{beginner.source.strip()}\n```\n\n```\n{message}\n```"


def _documented(name: str, text: str) -> str:
    """The documentation with a new text between its two markers."""
    before, start_marker, rest = DOCS.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    _, end_marker, after = rest.partition(f"<!-- end of {name} -->\n")
    assert start_marker
    assert end_marker
    return f"{before}{start_marker}\n{text}\n\n{end_marker}{after}"
