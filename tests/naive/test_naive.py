"""Naive answers are refused with a message, or found by the rules that are about them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.projects import STACK, errors_of, findings_of, told, with_imports

from .answer import Answer
from .cassandra import CASSANDRA
from .dynamodb import DYNAMODB
from .mongodb import MONGODB
from .redis import REDIS

ANSWERS = (*DYNAMODB, *MONGODB, *CASSANDRA, *REDIS)

MESSAGES = Path(__file__).parent.parent / "golden" / "messages" / "naive"
SMALL = STACK.replace("{dc1: 1}", "{dc1: 3}").replace("{flavour: redis}", "{flavour: redis, ram: 1gb}")
"""Copies of rows, which quorums are made of, and one small server for all that is kept in memory."""

ILLEGAL = [answer for answer in ANSWERS if answer.illegal]
LEGAL = [answer for answer in ANSWERS if not answer.illegal]


@pytest.mark.parametrize("answer", ILLEGAL, ids=lambda answer: answer.slug)
def test_an_illegal_answer_is_refused_at_its_line(
    answer: Answer, tmp_path: Path, is_golden: Callable[[Path, str], bool]
) -> None:
    errors = errors_of(tmp_path, with_imports(answer.source))
    assert [error.code for error in errors] == [answer.illegal]
    assert all(error.at.line for error in errors)
    assert is_golden(MESSAGES / f"{answer.slug}.txt", told(errors, tmp_path))


@pytest.mark.parametrize("answer", LEGAL, ids=lambda answer: answer.slug)
def test_a_legal_answer_is_found_by_its_rules(answer: Answer, tmp_path: Path) -> None:
    files = {"models/case.py": with_imports(answer.source), "stacks/Pulumi.dev.yaml": SMALL}
    assert answer.findings
    assert set(answer.findings) <= {one.code for one in findings_of(tmp_path, files)}


def test_answers_are_told_apart_by_their_titles() -> None:
    assert len({answer.slug for answer in ANSWERS}) == len(ANSWERS)


def test_no_golden_message_is_left_over() -> None:
    assert {file.stem for file in MESSAGES.glob("*.txt")} == {answer.slug for answer in ILLEGAL}
