"""docs/rules/evidence.md: every claim about servers with the answer of one, by engine."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.live.truth import Truths

from keywright.engines.registry import ENGINES
from keywright.pages.catalogue import codes, page, section

ROOT = Path(__file__).parents[2]

HEAD = """\
# What servers said

What the pages of codes say of servers was shown on one: each line is a test that sends the naive thing to a real
server, and what came of it. Where no local server shows it, it says why. `pytest -m live -k truth --update-goldens`
keeps new answers; this table is made of them.
"""

TITLES = {"mongodb": "MongoDB", "dynamodb": "DynamoDB", "cassandra": "Cassandra", "redis": "Redis"}


def truths() -> Iterator[Truths]:
    """The claims of every engine that has some."""
    for engine in ENGINES:
        if (ROOT / "tests" / "live" / f"test_truth_{engine.name}.py").is_file():
            yield import_module(f"tests.live.test_truth_{engine.name}").truth


def table(one: Truths) -> str:
    """The section of an engine."""
    lines = [f"\n## {TITLES[one.engine]}\n\n", "| code | what it does | what it said | who |\n", "|---|---|---|---|\n"]
    for code, text, answer, server in one.rows():
        output = answer.replace("|", "\\|")
        lines.append(f"| [`{code}`](../../src/keywright/pages/{code}.md) | {text} | {output} | {server} |\n")
    return "".join(lines)


def test_the_table_is_made_of_the_answers(is_golden: Callable[[Path, str], bool]) -> None:
    assert is_golden(ROOT / "docs" / "rules" / "evidence.md", HEAD + "".join(map(table, truths())))


@pytest.mark.parametrize("one", list(truths()), ids=lambda one: one.engine)
def test_every_claim_has_a_page_and_every_answer_a_claim(one: Truths) -> None:
    assert {claim.code for claim in one.claims} <= set(codes())
    claims = [str(claim) for claim in one.claims]
    assert sorted(set(claims)) == sorted(claims)
    assert sorted(one.answers()) == sorted(str(claim) for claim in one.shown)


@pytest.mark.parametrize("one", list(truths()), ids=lambda one: one.engine)
def test_a_page_of_which_a_claim_was_shown_says_so(one: Truths) -> None:
    assert [claim.code for claim in one.shown if section(page(claim.code).text, "Engine evidence")[:4] == "None"] == []
