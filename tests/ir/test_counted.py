"""Numbers in messages agree with their nouns: `1 item`, never `1 items`; no number has an exponent."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.prose import NOUNS, wrong_numbers

from keywright.ir.text import counted, exact, figure

SOURCES = Path(__file__).parents[2] / "src/keywright"

VERBS = (
    "are allowed", "are recommended", "are kept", "are possible", "are wanted", "was planned", "were due", "have",
)  # fmt: skip

_PLURAL = re.compile(rf"^ (?:(?:\w+ )?(?:{'|'.join(NOUNS)})|{'|'.join(VERBS)})(?![\w-])")

_CONSTANT = re.compile(r"_?[A-Z_]+\b")

_SINGULAR = re.compile(r"^ (?:are|have|were|wait|come) ")

SUBJECTS = {
    ("api/author/rebase.py", "self.name", "its changes differ"): "name of a branch",
    ("api/author/rebase.py", "theirs", 'changes "'): "folder of a migration",
    ("api/migrate/recovery.py", "with_items.folder", "changes items"): "folder of a migration",
    ("declare/checks/complete.py", "argument", "names the unknown field"): "name of an argument",
    ("engines/nested_types.py", "engine", "keys are text"): "name of a product",
    ("declare/checks/complete.py", "argument", "writes the attribute"): "name of an argument",
    ("declare/checks/complete.py", "second", "writes "): "the second of two arguments",
    ("declare/selection.py", "argument", "names the unknown field"): "name of an argument",
    ("engines/dynamodb/migrate/findings.py", "step.n", "changes "): "number of a step, as in `step 3`",
    ("engines/findings/migration/backfills.py", "effect.entity", "changes from"): "name of an entity",
    ("engines/findings/migration/backfills.py", "effect.entity", "now copies"): "name of an entity",
    ("engines/findings/migration/backfills.py", "step.n", "writes "): "number of a step, as in `step 3`",
    ("engines/findings/migration/breaks.py", "effect.entity", "changes "): "name of an entity",
    ("engines/mongodb/migrate/findings.py", "effect.entity", "changes from"): "name of an entity",
    ("engines/mongodb/migrate/findings.py", "step.n", "requests a transaction"): "number of a step, as in `step 3`",
    ("engines/redis/access/evidence.py", "name", "scans keys"): "name of a command",
    ("engines/redis/schema/check.py", "kind_of(binding)", "stores only full fields"): "kind of a structure",
    ("engines/redis/rules/writes_without_replica.py", "contents", "confirms writes"): "names of entities",
    ("migrations/author/steps.py", "old", "have been copied to"): "former place of the counted items",
    ("migrations/author/steps.py", "path[-1]", "and writes the new form"): "name of an entity",
    ("runtime/cassandra/read.py", "attribute.given", "in values:"): "generated code",
    ("runtime/cassandra/values.py", "length", "has months"): "a duration",
}
"""The meaning of each value that is no count, by its file, its name and the beginning of the text behind it."""


@cache
def followed() -> tuple[tuple[str, str, str, str], ...]:
    """(place, value, its format, text that follows) of every value in an f-string."""
    return tuple(_followed())


def _followed() -> Iterator[tuple[str, str, str, str]]:
    for file in sorted(SOURCES.glob("**/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.JoinedStr):
                continue
            for value, after in zip(node.values, [*node.values[1:], None], strict=True):
                if isinstance(value, ast.FormattedValue):
                    text = str(after.value) if isinstance(after, ast.Constant) else ""
                    spec = ast.unparse(value.format_spec).strip("f'\"") if value.format_spec else ""
                    yield f"{file.relative_to(SOURCES)}:{node.lineno}", ast.unparse(value.value), spec, text


@pytest.mark.parametrize(
    ("number", "words", "spec", "text"),
    [
        (0, ("item",), "", "0 items"),
        (1, ("item",), "", "1 item"),
        (1.0, ("second",), "", "1 second"),
        (1.2, ("second",), ".0f", "1 second"),
        (2, ("index", "indexes"), "", "2 indexes"),
        (1, ("item is", "items are"), "", "1 item is"),
        (12_345, ("byte",), ",", "12,345 bytes"),
    ],
)
def test_a_number_agrees_with_its_noun(number: float, words: tuple[str, ...], spec: str, text: str) -> None:
    assert counted(number, *words, spec=spec) == text


@pytest.mark.parametrize(
    ("number", "text"), [(0.25, "0.25"), (1e6, "1000000"), (1e22, "1" + "0" * 22), (1e-7, "0.0000001"), (3, "3")]
)
def test_a_number_in_full_is_no_power_of_ten(number: float, text: str) -> None:
    assert exact(number) == text


@pytest.mark.parametrize("digits", range(1, 13))
def test_a_figure_is_no_power_of_ten(digits: int) -> None:
    assert not any("e" in figure(float(number)) for number in (10**digits - 1, 10**digits, 9995 * 10**digits // 1000))


def test_no_message_joins_a_number_to_a_plural() -> None:
    wrong = [before_plural for before_plural in _before_plurals() if _subject(*before_plural) is None]
    assert wrong == []


def test_every_value_that_is_no_count_is_before_a_plural() -> None:
    assert {_subject(place, value, text) for place, value, text in _before_plurals()} >= {*SUBJECTS}


def _before_plurals() -> Iterator[tuple[str, str, str]]:
    """(place, value, text that follows) of every value before a plural that is neither counted nor a constant."""
    for place, value, _, text in followed():
        if _PLURAL.match(text) and "counted(" not in value and not _CONSTANT.match(value):
            yield place, value, text


def _subject(place: str, value: str, text: str) -> tuple[str, str, str] | None:
    """The row of `SUBJECTS` for a value; None if there is none."""
    file = place.partition(":")[0]
    rows = (row for row in SUBJECTS if row[:2] == (file, value) and text.lstrip().startswith(row[2]))
    return next(rows, None)


def test_no_verb_behind_a_counted_noun_is_a_plural() -> None:
    assert [place for place, value, _, text in followed() if "counted(" in value and _SINGULAR.match(text)] == []


def test_no_message_formats_a_number_as_a_power_of_ten() -> None:
    places = {place.partition(":")[0] for place, _, spec, _ in followed() if re.search(r"[gGeE]$", spec)}
    assert places == {"ir/text.py", "rules/portable/size_over_limit.py"}


GOLDEN = Path(__file__).parents[1]


@pytest.mark.parametrize("text", ["1 items", "about 1 index entries", "1e+03k", "took 2.5e-07 s", "1 are allowed"])
def test_a_wrong_number_in_a_text_is_detected(text: str) -> None:
    assert wrong_numbers(text)


@pytest.mark.parametrize(
    "text", ["11 items", "step 1 changes items", "1 of 3 items", "2.1 units", "1 item", "id 4be71e9"]
)
def test_a_right_number_in_a_text_is_not_reported(text: str) -> None:
    assert wrong_numbers(text) == []


def test_no_expected_output_has_a_wrong_number() -> None:
    files = [file for kind in ("txt", "md", "html", "yaml") for file in GOLDEN.glob(f"**/golden/**/*.{kind}")]
    assert files
    assert {file.name: wrong for file in files if (wrong := wrong_numbers(file.read_text(encoding="utf-8")))} == {}
